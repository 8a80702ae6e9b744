import Foundation
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// The room Timeline of the page, and the past in the other rooms.
  @Suite struct PageTimelineTests {
    /// The page with the Timeline of the ball, after a tween that jumped to (200, 50) on purpose.
    private func timeline() throws -> PageStage {
      let stage = try PageStage("--history", "10min")
      try stage.jump(from: "200,50", duration: "600ms")
      try stage.daemon.connect().awaitIdle()
      let ball = try #require(try stage.browser.ball())
      try stage.browser.run("pull #canvas \(ball.x) \(ball.y) 0 0")
      try stage.enter("timeline")
      try awaitTruth("the hand-over") { try stage.browser.text("#marks").contains("Tween") }
      return stage
    }

    private func address(_ browser: Browser, contains text: String) throws {
      try awaitTruth("\(text) in the address") { try browser.run("address").text.contains(text) }
    }

    // Clauses: S30.40, S30.41
    @Test func `a plan that jumps is marked with plan, client and step, and the past shows it in all rooms`() throws {
      let stage = try timeline()
      let browser = stage.browser
      let mark = try browser.run(
        "script [...document.querySelectorAll('#marks button')].map((one) => one.textContent).find("
          + "(text) => text.includes('Tween \"leap\"') && text.includes('takes over'))"
      ).text
      #expect(mark.contains("ball/position") && mark.contains("motionctl"), "\(mark)")
      // It was at 100, and the tween runs from 200 to 0 in 0.6 s; its first value may come late.
      let step = try #require(Double(mark.firstMatch(of: /step of value \(([0-9.]+)/)?.1 ?? ""), "\(mark)")
      #expect(step > 10 && step <= 100 && mark.contains("of velocity (-333.333, 0)"), "\(mark)")
      // The mark leads to its moment.
      try browser.run(
        "script [...document.querySelectorAll('#marks button')].find("
          + "(one) => one.textContent.includes('Tween \"leap\" takes over')).click()")
      try awaitTruth("the sign") { try browser.text("#past-text").contains("The past: ") }
      try address(browser, contains: "at=")
      try awaitTruth("the explanation of then") { try browser.text("#why").contains("Tween") }
      #expect(try browser.text("#timeline-now").contains("ball/position ("))
      try browser.run("picture timeline-past")

      try stage.enter("hierarchy")
      try awaitTruth("the value of then, a frame after the step at most") {
        let x = Double(try browser.text("#rows").firstMatch(of: /\(([0-9.]+), 50\)/)?.1 ?? "") ?? 0
        return x > 100 && abs(x - 100 - step) < 3
      }
      try stage.enter("graph")
      try awaitTruth("the driver of then") { try browser.text("#graph-list").contains("driven by Tween") }
      try stage.enter("stage")
      let then = try #require(try browser.ball())
      try browser.run("focus #canvas")
      try browser.run("key l")
      try awaitTruth("the present") { try browser.run("script document.getElementById('past').hidden").flag }
      try awaitTruth("the ball is where it is now") { try (browser.ball()?.x ?? then.x) < then.x - 50 }
      try awaitTruth("no moment in the address") { try !browser.run("address").text.contains("at=") }
    }

    // Clauses: S30.40, S30.43, S30.46
    @Test func `keys and typed times set cursors, markers and the moment, and a reload keeps them`() throws {
      let stage = try timeline()
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
      // The hand-overs one after the other, to the first one.
      try browser.run("focus #plot")
      for _ in 1...8 { try browser.run("key PageUp") }
      try awaitTruth("the first mark") { try browser.text("#past-text") != before.2 }
      try browser.run("key Delete")
      try awaitTruth("no cursor") { try browser.text("#differences").isEmpty }
      try browser.run("key l")
      try awaitTruth("the present") { try browser.run("script document.getElementById('past').hidden").flag }
      try browser.run("type #cursor-a 0.5s")
      try address(browser, contains: "a=0.5")
    }

    // Clauses: S30.40
    @Test func `wheel, drag and two fingers move and stretch the curves, and a click shows the moment`() throws {
      let stage = try timeline()
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
      // Scrubbing on the ruler.
      let at = try number("at")
      try browser.run("pull #plot 300 10 100 0")
      try awaitTruth("a later moment") { try number("at") > at }
    }

    // Clauses: S30.40
    @Test func `a live curve grows by what arrives, without questions`() throws {
      let stage = try timeline()
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
      let stage = try timeline()
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
