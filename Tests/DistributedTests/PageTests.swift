import Foundation
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// The page of motion-studio in a real browser.
  @Suite struct PageTests {
    // Clauses: S30.13, S30.15
    @Test func `the page explains what is pointed at, and lists it`() throws {
      let room = try PageStage()
      let browser = room.browser
      // The stage may have another size by the time of the press.
      try awaitTruth("the ball is selected") {
        guard let rest = try browser.ball() else { return false }
        try browser.run("drag \(rest.x) \(rest.y) 0 0")
        return try browser.text("#selected") == "ball · position"
      }
      try awaitTruth("an explanation") { try browser.text("#why").contains("motionctl") }
      #expect(try browser.run("address").text.contains("target=ball"))
      try browser.run("click #tab-hierarchy")
      try awaitTruth("the rows") { try browser.text("#rows").contains("position") }
      try awaitTruth("the worker") { try browser.text("#plugins").contains("gesture.0: ready") }
      try browser.run("picture hierarchy")
      // Numbers instead of a pointer. The plan ends only after all looks at it.
      let client = try room.daemon.connect()
      try client.clock(.speed(0.001))
      try browser.run("type #destination 300, 50")
      try awaitTruth("the plan of the page") { try browser.text("#plans").contains("moved in the page") }
    }

    // Clauses: S30.15
    @Test func `the clock of the page pauses, steps and runs`() throws {
      let room = try PageStage()
      let browser = room.browser
      let client = try room.daemon.connect()
      try browser.run("click #run")
      try awaitTruth("a pause") { try client.status().clock.isPaused }
      try awaitTruth("the page shows it") { try browser.text("#run") == "Run" }
      // A plan that waits for the next frame.
      try client.add(.springTo("position", [200, 50]), to: "ball")
      let before = try client.status().frame.number
      try awaitTruth("the button") { try !browser.run("script document.getElementById('step').disabled").flag }
      try browser.run("click #step")
      try awaitTruth("a step") { try client.status().frame.number == before + 1 }
      try browser.run("click #canvas")
      try browser.run("key Space")
      try awaitTruth("no pause") { try !client.status().clock.isPaused }
      try browser.run("type #speed 0.5")
      try awaitTruth("half the speed") { try client.status().clock.speed == 0.5 }
    }

    // Clauses: S30.3, S30.15
    @Test func `a page that came in part is loaded again, and a token that was not taken is sent again`() throws {
      let room = try PageStage()
      let browser = room.browser
      for lost in ["figure.js", "main.js", "style.css"] {
        try browser.run("block *\(lost)")
        try browser.run("reload")
        // It begins again and again.
        let begun = try browser.run("script performance.timeOrigin").number
        try awaitTruth("\(lost) is missed") { try browser.run("script performance.timeOrigin").number != begun }
        try browser.run("block")
        try awaitTruth("the page is whole") { try browser.ball() != nil }
        #expect(try browser.run("script document.styleSheets.length").number == 1)
      }
      try browser.run("go about:blank")
      try browser.run("forget")
      try browser.run("block */session")
      try browser.run("go \(room.studio.page)")
      try awaitTruth("the token is sent") { try !browser.run("address").text.contains("token") }
      try browser.run("block")
      try awaitTruth("the ball is seen") { try browser.ball() != nil }
    }
  }
}
