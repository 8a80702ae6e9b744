import MotionClient
import MotionModel
import MotionWire
import Testing
import Trajectories

extension TimedTests {
  /// Jumps in the Timeline. What a plugin sends too late comes to its value without a jump.
  @Suite struct PageJumpTests {
    // Clauses: S30.17, S30.40
    @Test func `a plugin that jumps in mid-move is found from the page alone`() throws {
      let stage = try PageStage("--history", "10min", plugins: [.unruly("jumps")]) { daemon, client in
        let watcher = try Watcher(client, .motion(.target("ball")))
        try awaitTruth("a jump that no hiccup of the machine made a late value") {
          let start = watcher.track("position", of: "ball").count
          let added = try daemon.ctl(
            "add", "Unruly", "--to", "ball", "--named", "odd", "property=position", "to=0,50", "duration=1s")
          #expect(added.end == .exited(0), "\(added.errors)")
          try watcher.listenUntilIdle(client)
          return Watcher.jump(of: Array(watcher.track("position", of: "ball")[start...])).value > 90
        }
      }
      let browser = stage.browser
      let ball = try #require(try browser.ball())
      try browser.run("pull #canvas \(ball.x) \(ball.y) 0 0")
      try stage.enter("timeline")
      // On a busy machine the page is so slow that the jump is long past when it is shown.
      try browser.run("focus #plot")
      for _ in 0..<12 { try browser.run("key -") }
      try awaitTruth("the jump") { try browser.text("#marks").contains("jumps") }
      let marks = try browser.run("script [...document.querySelectorAll('#marks .bad')].map((one) => one.textContent)")
        .elements.map(\.text)
      let found = try #require(marks.first { $0.contains("jumps") }, "\(marks)")
      #expect(found.contains("ball/position · Unruly \"odd\" jumps · by motionctl"), "\(found)")
      let step = Double(found.firstMatch(of: /step of value \(([0-9.]+), 100/)?.1 ?? "")
      #expect((90...110).contains(step ?? 0), "\(found)")
    }
  }
}
