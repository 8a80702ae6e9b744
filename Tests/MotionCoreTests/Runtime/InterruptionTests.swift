import MotionCore
import MotionExecutors
import MotionModel
import Testing

/// One trajectory: a spring interrupted by a tween interrupted by a spring, all in this process.
struct InterruptionTests {
  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: 1000)
    runtime.log.keeps = .endings
    return runtime
  }

  private func add(_ intention: Intention, to runtime: Runtime) throws {
    var transaction = Transaction()
    transaction.add(intention, to: "ball")
    try runtime.commit(transaction)
  }

  // Clauses: S10.15
  @Test func valueAndVelocityAreContinuous() throws {
    let runtime = try runtime()
    try add(.springTo("x", 100), to: runtime)
    var (value, velocity) = (0.0, 0.0)
    for frame in 1...600 {
      if frame == 100 { try add(.tween("x", to: 0, easing: "ease-in-out", duration: .milliseconds(400)), to: runtime) }
      if frame == 300 { try add(.springTo("x", 50), to: runtime) }
      runtime.advance()
      let state = try #require(runtime.state(of: "x", on: "ball"))
      // A spring of 100 accelerates by 342 × 100 per s², so 34 per frame; the tween's carry is of the same size.
      #expect(abs(state.velocity[0] - velocity) < 60, "frame \(frame)")
      #expect(abs(state.value[0] - value - (state.velocity[0] + velocity) * 0.0005) < 0.02, "frame \(frame)")
      (value, velocity) = (state.value[0], state.velocity[0])
    }
    runtime.advanceUntilRest()
    #expect(runtime.state(of: "x", on: "ball") == PropertyState(50))
    #expect(runtime.log.takeEnded().map(\.outcome) == [.displaced, .displaced, .completed])
  }

  @Test func `a tween ends in place and time, and the spring below continues`() throws {
    let runtime = try runtime()
    try add(.anchoredSpring("x", 0), to: runtime)
    try add(.tween("x", to: 10, duration: .milliseconds(100)), to: runtime)
    for _ in 1...99 { runtime.advance() }
    #expect(runtime.log.takeEnded() == [])
    runtime.advance()
    #expect(runtime.state(of: "x", on: "ball")?.value == 10)
    #expect(runtime.log.takeEnded().map(\.outcome) == [.completed])
    runtime.advance()
    let next = try #require(runtime.state(of: "x", on: "ball"))
    #expect(abs(next.value[0] - 10) < 0.01, "from where and as fast as the tween ended, which is at rest")
    runtime.advanceUntilRest()
    #expect(runtime.state(of: "x", on: "ball") == PropertyState(0))
    #expect(runtime.counts.executors == 1)
  }

  // Clauses: S10.3
  @Test func `a one-shot that waited is displaced by a later plan while its executor still moves the property`() throws
  {
    let runtime = Runtime(registry: try Chaos.registry(), ratePerSecond: 100)
    runtime.workerPort = ChaosPort()
    // The tweens' worker does not answer, so the spring goes on moving the property.
    let tween = TweenIntention("x", values: [[1]], duration: .seconds(1)).intention
    var (first, second, third) = (Transaction(), Transaction(), Transaction())
    first.add(.anchoredSpring("x", 10), to: "ball")
    second.add(tween.priority(3), named: "up", to: "ball")
    third.add(.springTo("x", 5), to: "ball")
    third.remove(named: "up", from: "ball")
    third.add(tween, to: "ball")
    for transaction in [first, second, third] {
      try runtime.commit(transaction)
      runtime.advance()
    }
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else {
      Issue.record("another answer")
      return
    }
    #expect(rows.map(\.identity.description) == ["1.0", "3.2"])
    #expect(!rows.map(\.state).contains(.waiting))
  }
}
