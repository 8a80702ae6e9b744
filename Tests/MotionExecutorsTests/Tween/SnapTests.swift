import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

/// Scenes that are recalled in no time.
struct SnapTests {
  // Clauses: S13.5, S22.3
  @Test func `a recall in no time is there with a frame, from rest and from any motion, and stays there`() throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: 64)
    func commit(_ change: (inout Transaction) -> Void) throws {
      var transaction = Transaction()
      change(&transaction)
      try runtime.commit(transaction)
      runtime.advance()
    }
    func states() -> [PropertyState?] {
      ["level", "angle", "swing"].map { runtime.state(of: $0, on: "lamp") }
    }
    let swing = Intention.tween("swing", from: 3, to: 8, duration: .seconds(1), repetition: .forever)
    try commit {
      $0.add(.springTo("level", 3), to: "lamp")
      $0.add(.anchoredSpring("angle", 30), named: "aim", to: "lamp")
      $0.add(swing, named: "swing", to: "lamp")
    }
    for _ in 0..<640 { runtime.advance() }
    try commit { $0.saveScene("dusk", of: "*") }
    for motion in [0, 10, 300] {
      try commit {
        $0.add(.springTo("level", 100), to: "lamp")
        $0.remove(named: "aim", from: "lamp")
        $0.add(.springTo("angle", -50), to: "lamp")
        $0.remove(named: "swing", from: "lamp")
        $0.add(.springTo("swing", -50), to: "lamp")
      }
      for _ in 0..<motion { runtime.advance() }
      try commit { $0.recall(SceneRecall("dusk", .fade(0))) }
      runtime.advance()
      #expect(states()[0] == PropertyState(3) && states()[1] == PropertyState(30), "after \(motion): \(states())")
      for _ in 0..<20 {
        runtime.advance()
        #expect(states()[0] == PropertyState(3) && states()[1] == PropertyState(30), "after \(motion): \(states())")
      }
      let (value, velocity) = (states()[2]?.value[0] ?? 0, states()[2]?.velocity[0] ?? 0)
      #expect((4.5...4.8).contains(value) && abs(velocity - 5) < 1e-9, "21 frames after its beginning: \(value)")
      guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { continue }
      #expect(rows.map(\.intention).contains(.anchoredSpring("angle", 30)) && rows.count == 2, "\(rows)")
    }
  }

  // Clauses: S22.3
  @Test func `a fade reaches a plan that is there while something else moves its property`() throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: 64)
    func commit(_ change: (inout Transaction) -> Void) throws {
      var transaction = Transaction()
      change(&transaction)
      try runtime.commit(transaction)
    }
    func states() -> [Double] {
      ["angle", "level"].map { runtime.state(of: $0, on: "lamp")?.value[0] ?? .nan }
    }
    try commit {
      $0.add(.anchoredSpring("angle", 30), named: "aim", to: "lamp")
      $0.add(.wave("level", offset: 5, amplitude: 2), named: "breath", to: "lamp")
    }
    for _ in 0..<640 { runtime.advance() }
    try commit { $0.saveScene("dusk", of: "*") }
    for after in [1, 10, 100] {
      try commit {
        $0.add(.tween("angle", to: 90, duration: .seconds(2)), to: "lamp")
        $0.add(.tween("level", to: 90, duration: .seconds(2)), to: "lamp")
      }
      for _ in 0..<after { runtime.advance() }
      try commit { $0.recall(SceneRecall("dusk", .fade(2))) }
      var before = states()
      for frame in 1...132 {
        runtime.advance()
        let now = states()
        for (value, former) in zip(now, before) {
          #expect(abs(value - former) < 8, "frame \(frame), \(after) frames after the interrupt: \(former) to \(value)")
        }
        before = now
        if after == 100, frame == 64 { #expect(now[0] > 45, "half way: \(now[0])") }
      }
      #expect(states()[0] == 30, "\(after) frames after the interrupt")
      guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { continue }
      #expect(rows.compactMap(\.name).sorted() == ["aim", "breath"] && rows.count == 2, "\(rows)")
      // A second time there is nothing to do.
      try commit { $0.recall(SceneRecall("dusk", .fade(2))) }
      #expect(try #require(runtime.pendingCommits.first).transaction.log.isEmpty)
      runtime.advance()
    }
  }
}
