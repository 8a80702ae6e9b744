import Foundation
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// The room Timeline of the page, and the past in the other rooms.
  @Suite struct PageTimelineTests {
    private func address(_ browser: Browser, contains text: String) throws {
      try awaitTruth("\(text) in the address") { try browser.run("address").text.contains(text) }
    }

    // Clauses: S30.40, S30.43, S30.46
    @Test func `keys and typed times set cursors, markers and the moment, and a reload keeps them`() throws {
      let stage = try PageStage.timeline()
      let browser = stage.browser
      try browser.run("type #goto -1s")
      try awaitTruth("a moment") { try browser.text("#past-text").contains("frame") }
      try browser.run("focus #plot")
      try browser.run("key a")
      for _ in 1...5 { try browser.run("key Shift+ArrowRight") }
      try browser.run("key b")
      try browser.run("key m")
      try browser.run("key +")
      try awaitTruth("the differences") { try browser.text("#differences").contains("B − A") }
      try address(browser, contains: "mark=")
      let isBusy = "script document.getElementById('past').getAttribute('aria-busy') === 'true'"
      try awaitTruth("the last moment") { try !browser.run(isBusy).flag }
      let before = try (browser.run("address").text, browser.text("#differences"), browser.text("#past-text"))
      for name in ["room=timeline", "target=ball", "at=", "a=", "b=", "from=", "span="] {
        #expect(before.0.contains(name), "\(name) in \(before.0)")
      }
      #expect(!before.0.contains("token"))
      try browser.run("reload")
      try awaitTruth("the same after a reload") {
        try browser.text("#differences") == before.1 && browser.text("#past-text") == before.2
      }
      #expect(try browser.run("address").text == before.0)
      // The hand-overs one after the other, to the first one: also those that the view does not reach.
      try browser.run("focus #plot")
      for _ in 1...25 { try browser.run("key +") }
      try awaitTruth("the first mark") {
        for _ in 1...8 { try browser.run("key PageUp") }
        return try browser.text("#past-text") != before.2
      }
      try browser.run("key Delete")
      try awaitTruth("no cursor") { try browser.text("#differences").isEmpty }
      try browser.run("key l")
      try awaitTruth("the present") { try browser.run("script document.getElementById('past').hidden").flag }
      try browser.run("type #cursor-a 0.5s")
      try address(browser, contains: "a=0.5")
    }

    // Clauses: S30.40
    @Test func `wheel, drag and two fingers move and stretch the curves, and a click shows the moment`() throws {
      let stage = try PageStage.timeline()
      let browser = stage.browser
      func number(_ name: String) throws -> Double {
        let text = try browser.run("script new URLSearchParams(location.hash.slice(1)).get('\(name)')").text
        return Double(text) ?? .nan
      }
      try browser.run("pull #plot 600 120 -200 0")
      try browser.run("pull #plot 400 120 200 0")
      try awaitTruth("a view") { try !number("from").isNaN }
      try browser.run("wheel #plot 300 120 0 -200")
      try awaitTruth("a shorter span") { try number("span") < 9 }
      let span = try number("span")
      try browser.run("pinch #plot 2")
      try awaitTruth("half of it") { try abs(number("span") - span / 2) < span / 10 }
      let from = try number("from")
      try browser.run("pull #plot 300 120 160 0")
      try awaitTruth("earlier times") { try number("from") < from - 0.1 }
      try browser.run("pull #plot 300 120 0 0")
      try awaitTruth("a moment") { try !number("at").isNaN }
      // The sign of the past moves the plot down.
      let isShown = "script (({hidden, ariaBusy}) => !hidden && ariaBusy !== 'true')(document.getElementById('past'))"
      try awaitTruth("the moment is shown") { try browser.run(isShown).flag }
      // Scrubbing on the ruler.
      let at = try number("at")
      try browser.run("pull #plot 300 10 100 0")
      try awaitTruth("a later moment") { try number("at") > at }
    }

    // Clauses: S30.40
    @Test func `a live curve grows by what arrives, without questions`() throws {
      let stage = try PageStage.timeline()
      let browser = stage.browser
      let client = try stage.daemon.connect()
      try browser.run(
        "script (window.asked = 0, WebSocket.prototype.send = ((send) => function (data) { "
          + "if (typeof data !== 'string' && new TextDecoder().decode(data).includes('\"points\"')) window.asked += 1; "
          + "return send.call(this, data); })(WebSocket.prototype.send), true)")
      try client.add(.anchoredSpring("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      let start = try client.status().frame.number
      try awaitTruth("two seconds") { try client.status().frame.number > start + 240 }
      #expect(try browser.run("script window.asked").number <= 3)
      try browser.run("picture timeline-live")
    }

    // Clauses: S30.44
    @Test func `curves are saved as CSV and as a picture`() throws {
      let stage = try PageStage.timeline()
      // What is shown is saved: the jump, however long ago it was.
      try stage.browser.run(
        "script [...document.querySelectorAll('#marks button')].find("
          + "(one) => one.textContent.includes('Tween \"leap\" takes over')).click()")
      try awaitTruth("the moment of the jump") { try stage.browser.text("#past-text").contains("The past: ") }
      try stage.browser.run("click #save-csv")
      try stage.browser.run("click #save-picture")
      let folder = stage.browser.pictures
      let csv = try awaitFact("the CSV") { try? String(contentsOfFile: "\(folder)/curves.csv", encoding: .utf8) }
      #expect(csv.hasPrefix("property,lane,frame,time,value,velocity\n\"ball/position\",0,"))
      #expect(csv.split(separator: "\n").contains { Double($0.split(separator: ",")[4]).map { $0 > 160 } ?? false })
      let picture = try awaitFact("the picture") { FileManager.default.contents(atPath: "\(folder)/curves.png") }
      #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }
}
