import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

/// A lamp is being raised when a fade to black is added.
@Suite struct FadeToBlackTests {
  // Clauses: S13.3, S13.8
  @Test(arguments: [30.0, 60, 120, 1000]) func `a fade to black hardly raises a lamp that is rising`(
    rate: Double
  ) throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: rate)
    try runtime.commit(.adding(.tween("level", from: 0, to: 1, duration: .milliseconds(100)), to: "lamp"))
    while runtime.frame.time < 0.04 { runtime.advance() }
    let before = try #require(runtime.state(of: "level", on: "lamp"))
    #expect(before.velocity == 10)
    try runtime.commit(.adding(.tween("level", to: 0, duration: .seconds(2)), to: "lamp"))
    var highest = 0.0
    while runtime.isActive {
      runtime.advance()
      highest = max(highest, runtime.state(of: "level", on: "lamp")?.value[0] ?? .infinity)
    }
    // It was 3.2 when the velocity was blended out over the two seconds.
    #expect(highest <= before.value[0] + max(0.075 * before.value[0], 0.0025 * (10 + before.value[0] / 2)))
    #expect(runtime.state(of: "level", on: "lamp") == PropertyState(0))
  }
}

extension Transaction {
  fileprivate static func adding(_ intention: Intention, to target: TargetName) -> Transaction {
    var transaction = Transaction()
    transaction.add(intention, to: target)
    return transaction
  }
}
