import MotionClient
import MotionModel
import Testing

extension TimedTests {
  /// Jumps in the Timeline. What a plugin sends too late comes to its value without a jump.
  @Suite struct PageJumpTests {
    // Clauses: S30.17, S30.40
    @Test func `a plugin that jumps in mid-move is found from the page alone`() throws {
      let stage = try PageStage("--history", "10min", plugins: [.unruly("jumps")])
      let browser = stage.browser
      let client = try stage.daemon.connect()
      func jump() throws {
        let added = try stage.daemon.ctl(
          "add", "Unruly", "--to", "ball", "--named", "odd", "property=position", "to=0,50", "duration=1s")
        #expect(added.end == .exited(0), "\(added.errors)")
        try client.awaitIdle()
      }
      try jump()
      let ball = try #require(try browser.ball())
      try browser.run("pull #canvas \(ball.x) \(ball.y) 0 0")
      try stage.enter("timeline")
      try awaitTruth("the jump") {
        if try browser.text("#marks").contains("jumps") { return true }
        // Its value came too late, in a hiccup of the machine, or the page does not have it yet.
        try jump()
        return false
      }
      let marks = try browser.run("script [...document.querySelectorAll('#marks .bad')].map((one) => one.textContent)")
        .elements.map(\.text)
      let found = try #require(marks.first { $0.contains("jumps") }, "\(marks)")
      #expect(found.contains("ball/position · Unruly \"odd\" jumps · by motionctl"), "\(found)")
      let step = Double(found.firstMatch(of: /step of value \(([0-9.]+), 100/)?.1 ?? "")
      #expect((90...110).contains(step ?? 0), "\(found)")
    }
  }
}
