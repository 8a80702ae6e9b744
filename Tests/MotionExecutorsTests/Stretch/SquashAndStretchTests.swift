import MotionCore
import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

/// The executor that reads one property and writes two, in a runtime.
@Suite struct SquashAndStretchTests {
  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(SquashAndStretchExecutor.self))
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    return Runtime(registry: registry, ratePerSecond: 120)
  }

  private func commit(_ intentions: Intention..., to runtime: Runtime) throws {
    var transaction = Transaction()
    for intention in intentions { transaction.add(intention, to: "ball") }
    try runtime.commit(transaction)
  }

  // Clauses: S7.24
  @Test func `a ball on a spring stretches along its path and is round at rest`() throws {
    let runtime = try runtime()
    try commit(.squashAndStretch(), .springTo("position", [300, 400]), to: runtime)
    var (longest, frames) = (1.0, 0)
    while runtime.wantsFrames, frames < 2000 {
      runtime.advance()
      frames += 1
      let scale = try #require(runtime.state(of: "scale", on: "ball"))
      #expect(abs(scale.value[0] * scale.value[1] - 1) < 1e-12)
      longest = max(longest, scale.value[0])
    }
    #expect(longest > 1.2 && longest < 1.5)
    #expect(runtime.state(of: "scale", on: "ball") == PropertyState([1, 1]))
    let rotation = try #require(runtime.state(of: "rotation", on: "ball"))
    #expect(abs(rotation.value[0] - 0.927295218) < 0.01 && rotation.velocity == 0)
    #expect(!runtime.isActive)
  }

  @Test func `scale and rotation change gradually under random springs`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: #function))
    let runtime = try runtime()
    try commit(.squashAndStretch(strength: 2), .springTo("position", [10, 0]), to: runtime)
    var last: (scale: Double, angle: Double)?
    for frame in 0..<2400 {
      if frame % 17 == 0 {
        let place: Lanes = [.random(in: -500...500, using: &random), .random(in: -500...500, using: &random)]
        try commit(.springTo("position", place), to: runtime)
      }
      runtime.advance()
      let scale = try #require(runtime.state(of: "scale", on: "ball")).value
      let angle = try #require(runtime.state(of: "rotation", on: "ball")).value[0]
      #expect(abs(scale[0] * scale[1] - 1) < 1e-12)
      // At most 1 − exp(−30/120) of the distance in a frame: of 2·ln 1.5 in the exponent, which is 0.37 down from 2.25,
      // and of a quarter turn, which is 0.35.
      if let last { #expect(abs(scale[0] - last.scale) < 0.37 && abs(angle - last.angle) < 0.36) }
      last = (scale[0], angle)
    }
  }

  // Clauses: S7.25
  @Test func `a missing scale gets two lanes, and one of another number is refused`() throws {
    let runtime = try runtime()
    try commit(.springTo("scale", 2), to: runtime)
    runtime.advance()
    let refusal = #expect(throws: Refusal.self) { try commit(.squashAndStretch(), to: runtime) }
    #expect(refusal?.code == .lanes)
    #expect(refusal?.message.contains("scale has 1 lane") == true)
    #expect(refusal?.remedy.contains("forget") == true)
    let other = try self.runtime()
    try commit(.squashAndStretch(), to: other)
    other.advance()
    #expect(other.state(of: "scale", on: "ball") == PropertyState([1, 1]))
  }

  @Test func `the executor's streams are described from the property that they read`() throws {
    let runtime = try runtime()
    try commit(.squashAndStretch(strength: 2), .springTo("position", [300, 400]), to: runtime)
    runtime.advance()
    #expect(
      try runtime.streamLines(on: "ball") == [
        "ball/position() stretched(strength: 2.0) -> scale", "ball/position() turned() -> rotation",
      ])
  }

  @Test func `squash and stretch conforms to the contract of executors`() {
    let conformance = ExecutorConformance(plans: [.squashAndStretch()]) {
      RecordingExecutorHost(
        ExecutorDeclaration(SquashAndStretchExecutor.self),
        properties: ["position": PropertyState([0, 0]), "scale": PropertyState([1, 1])])
    }
    // When it regains a property it writes the present stretch at once; the runtime blends the difference.
    #expect(conformance.violations().filter { $0.rule != .resumesFromState } == [])
  }
}
