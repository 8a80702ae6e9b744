import Foundation
import Glibc
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// What holds for all rooms of the page, and the room Graph.
  @Suite struct PageRoomTests {
    private static let rooms = ["stage", "hierarchy", "timeline", "graph"]

    // Clauses: S30.42, S30.46
    @Test func `the graph shows who drives what, as a picture and as a list, and selects`() throws {
      let stage = try PageStage()
      let browser = stage.browser
      try stage.enter("graph")
      try awaitTruth("the driver") {
        try browser.text("#graph-list").contains("ball/position: driven by AnchoredSpring 2.0.0 of Tossable 2.0")
      }
      try awaitTruth("the picture") { try browser.text("#graph-picture").contains("ball/position") }
      #expect(try browser.text("#graph-picture").contains("Tossable"))
      // A click on the plan selects what it drives.
      try browser.run(
        "script document.querySelector('#graph-picture .intention').dispatchEvent(new MouseEvent('click', { bubbles: true }))"
      )
      try awaitTruth("the selection") { try browser.text("#selected") == "ball · position" }
      try awaitTruth("the address") { try browser.run("address").text.contains("target=ball&property=position") }
      try stage.enter("hierarchy")
      try awaitTruth("the same selection") {
        try browser.run("script document.querySelector('[aria-selected=true]')?.textContent ?? ''").text
          .contains("position")
      }
      // By keys alone.
      try stage.enter("graph")
      try browser.run("focus #graph-list button")
      try browser.run("key Enter")
      #expect(try browser.text("#selected") == "ball · position")
    }

    // Clauses: S30.20, S30.46
    @Test func `the hierarchy of thousands of targets is gone through by keys, wheel and search`() throws {
      let stage = try PageStage()
      let browser = stage.browser
      var transaction = Transaction()
      // They have no way to go: three thousand that move are too much for a build without optimisation.
      for number in 1...3000 { transaction.add(.springTo("x", [0]), to: try TargetName("lamp\(number)")) }
      let client = try stage.daemon.connect()
      client.timeout = factTimeout
      try client.commit(transaction)
      try stage.enter("hierarchy")
      func text(_ selector: String) throws -> String {
        try browser.run("script document.querySelector('\(selector)')?.textContent ?? ''").text
      }
      // ball with its property, and each lamp with one.
      try awaitTruth("all rows") {
        try browser.run("script document.querySelector('#rows .row')?.ariaSetSize").text == "6002"
      }
      #expect(try browser.run("script document.querySelectorAll('#rows .row').length").number < 60)
      try browser.run("focus #rows")
      try browser.run("key End")
      try awaitTruth("the last row") { try browser.text("#selected") == "lamp3000 · x" }
      #expect(try text("#rows [aria-selected=true]").hasPrefix("x"))
      try browser.run("key ArrowUp")
      #expect(try text("#rows [aria-selected=true]").hasPrefix("lamp3000"))
      try browser.run("key Home")
      try browser.run("key ArrowDown")
      try awaitTruth("the second row") { try text("#rows [aria-selected=true]").hasPrefix("position") }
      try browser.run("wheel #rows 50 50 0 60000")
      try awaitTruth("the rows there") { try text("#rows").contains("lamp10") }
      try browser.run("type #search LAMP2999 x")
      try awaitTruth("what is found") {
        try browser.run("script document.querySelectorAll('#rows .row').length").number == 1
          && browser.run("script document.querySelector('#rows .row')?.ariaSetSize").text == "1"
      }
      try browser.run("click .row")
      try awaitTruth("the one") { try browser.text("#selected") == "lamp2999 · x" }
      #expect(try browser.run("errors").elements.map(\.text) == [])
    }

    // Clauses: S30.46
    @Test func `a press, a selection of text and the focus outlive the values that change below them`() throws {
      let stage = try PageStage()
      let browser = stage.browser
      try stage.daemon.connect().add(.constantForce("x", acceleration: 1), to: "swing")
      try stage.enter("hierarchy")
      func row() throws -> String {
        try browser.run(
          "script [...document.querySelectorAll('#rows .row')].find((row) => row.textContent.startsWith('x'))?.textContent"
        ).text
      }
      try awaitTruth("the row") { try !row().isEmpty }
      let place = try browser.run(
        "script [...document.querySelectorAll('#rows .row')].findIndex((row) => row.textContent.startsWith('x')) + 1"
      ).number
      let former = try row()
      try browser.run("hold #rows .row:nth-child(\(Int(place)))")
      try awaitTruth("another value") { try row() != former }
      try browser.run("release")
      try awaitTruth("the selection") { try browser.text("#selected") == "swing · x" }
      // The explanation has the value, which changes.
      func explanation() throws -> String { try browser.text("#why") }
      try awaitTruth("the explanation") { try explanation().contains("ConstantForce") }
      let first = try explanation()
      try browser.run("script getSelection().selectAllChildren(document.querySelector('#why td'))")
      try awaitTruth("another explanation") { try explanation() != first }
      #expect(try browser.run("script getSelection().toString()").text.contains("ConstantForce"))
      try stage.enter("graph")
      try browser.run("script (document.querySelector('#graph-scope').value = 'all')")
      try awaitTruth("the list") { try browser.text("#graph-list").contains("ball/position") }
      try browser.run("focus [data-key='swing/x'] button")
      try browser.run("hold [data-key='swing/x'] button")
      // A row that comes before the pressed one.
      try stage.daemon.connect().add(.constantForce("x", acceleration: 1), to: "early")
      try awaitTruth("another graph") { try browser.text("#graph-list").contains("early/x") }
      #expect(try browser.run("script document.activeElement.dataset.target").text == "swing")
      // It has moved away from below the pointer: nothing else is chosen.
      try browser.run("release")
      #expect(try browser.text("#selected") == "swing · x")
      #expect(try browser.run("errors").elements.map(\.text) == [])
    }

    // Clauses: S30.46
    @Test func `every control has a name and a role, in each room`() throws {
      let stage = try PageStage("--history", "10min")
      let browser = stage.browser
      let expected = [
        "stage": ["button Pause", "link Timeline", "button Stop all"], "hierarchy": ["searchbox Search"],
        "timeline": [
          "textbox Go to", "combobox Add", "button Follow", "button Save CSV", "textbox A", "list Hand-overs",
        ],
        "graph": ["combobox Show", "list Who drives what", "button ball/position: driven by "],
      ]
      for room in Self.rooms {
        try stage.enter(room)
        for name in expected[room] ?? [] {
          try awaitTruth("\(name) in \(room)") {
            try browser.names().contains { "\($0.role) \($0.name)".lowercased().hasPrefix(name.lowercased()) }
          }
        }
        let nameless = try browser.names().filter {
          ["button", "link", "textbox", "combobox", "searchbox", "spinbutton", "listbox"].contains($0.role)
            && $0.name.isEmpty
        }
        #expect(nameless.isEmpty, "\(room): \(nameless)")
      }
      #expect(try browser.run("errors").elements.map(\.text) == [])
    }

    // Clauses: S30.48
    @Test func `every room fits a phone`() throws {
      let stage = try PageStage("--history", "10min")
      let browser = stage.browser
      try browser.run("size 390 844")
      for room in Self.rooms {
        try stage.enter(room)
        let width = try browser.run("script document.documentElement.scrollWidth").number
        #expect(width <= 390, "\(room) is \(width) wide")
        try browser.run("picture phone-\(room)")
      }
    }

    // Clauses: S30.45
    @Test func `the page says within a second that motiond or motion-studio hangs, and continues`() throws {
      let stage = try PageStage()
      let browser = stage.browser
      func state() throws -> String {
        try browser.run("script document.getElementById('connection').dataset.state").text
      }
      for (process, expected) in [(stage.daemon.process, "absent"), (stage.studio.process, "closed")] {
        try awaitTruth("the connection") { try state() == "open" }
        process.send(SIGSTOP)
        defer { process.send(SIGCONT) }
        // A hundred milliseconds for the two ways between the test and the browser.
        try awaitTruth("the page says so", within: .milliseconds(1100)) { try state() == expected }
        process.send(SIGCONT)
        try awaitTruth("the page continues", within: .seconds(3)) { try state() == "open" }
      }
    }
  }
}
