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

  // Clauses: S22.3
  @Test func `a fade reaches a plan that lies under another one, and a scene that is saved meanwhile has it`() throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: 64)
    func commit(_ change: (inout Transaction) -> Void) throws {
      var transaction = Transaction()
      change(&transaction)
      try runtime.commit(transaction)
      runtime.advance()
    }
    try commit {
      $0.add(.wave("level", rate: 0.5, offset: 0.1, amplitude: 0.05), named: "low", to: "lamp")
      $0.add(.anchoredSpring("angle", 30), named: "aim", to: "lamp")
    }
    for _ in 0..<320 { runtime.advance() }
    try commit { $0.saveScene("look", of: "*") }
    let saved = try #require(runtime.scene("look"))
    try commit {
      $0.add(.wave("level", rate: 0.5, offset: 0.9, amplitude: 0.05), named: "high", to: "lamp")
      $0.add(.anchoredSpring("angle", 90), named: "away", to: "lamp")
    }
    for _ in 0..<320 { runtime.advance() }
    func states() -> [Double] { ["level", "angle"].map { runtime.state(of: $0, on: "lamp")?.value[0] ?? .nan } }
    var before = states()
    try commit { $0.recall(SceneRecall("look", .fade(3))) }
    for frame in 1..<192 {
      let now = states()
      #expect(abs(now[0] - before[0]) < 0.02 && abs(now[1] - before[1]) < 1.5, "frame \(frame): \(before) to \(now)")
      before = now
      if frame == 96 {
        #expect(now[0] > 0.3 && now[1] > 40, "half way: \(now)")
        try commit { $0.saveScene("between", of: "*") }
        #expect(try #require(runtime.scene("between")).targets.map(\.plans) == saved.targets.map(\.plans))
      } else {
        runtime.advance()
      }
    }
    for _ in 0..<10 { runtime.advance() }
    #expect((0.04...0.16).contains(states()[0]) && states()[1] == 30, "\(states())")
  }
}
