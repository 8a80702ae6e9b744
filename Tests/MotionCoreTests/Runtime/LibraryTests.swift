import MotionCore
import MotionModel
import MotionPhysics
import Testing

/// The runtime as a library: no daemon, no worker, the caller advances.
struct LibraryTests {
  // Clauses: S9.11
  @Test func springToReachesItsDestinationExactly() throws {
    let runtime = Runtime(ratePerSecond: 60)
    let trace = TraceLog(runtime)
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 50]), to: "ball")
    let receipt = try runtime.commit(transaction)
    #expect(receipt.sequence == 1)
    #expect(receipt.frame == 1)
    #expect(runtime.isActive)

    var frames = 0
    while runtime.wantsFrames {
      runtime.advance()
      frames += 1
      try #require(frames < 1000)
    }
    #expect(runtime.state(of: "position", on: "ball") == PropertyState([100, 50]))
    let outcomes = trace.takeEnded()
    #expect(outcomes.map(\.outcome) == [.completed])
    #expect(outcomes.first?.identity == IntentionIdentity(sequence: 1, operation: 0))
    #expect(runtime.counts.executors == 0)
    #expect(runtime.counts.intentions == 0)
    #expect(runtime.counts.properties == 1)
    #expect(
      trace.lines == [
        "active", "executor Physics on ball", "add 1.0 Physics on ball", "driver ball/position Physics on ball",
        "commit 1", "finish 1.0 completed Physics on ball", "driver ball/position none", "inactive",
        "no executor Physics on ball",
      ])
  }

  // Clauses: S9.2
  @Test func `every frame equals the closed form`() throws {
    let runtime = Runtime(ratePerSecond: 60)
    var transaction = Transaction()
    transaction.add(.springTo("x", 1, threshold: 1e-6), to: "ball")
    try runtime.commit(transaction)
    // Reference of the specification, §9: 0 → 1 with tension 342 and friction 30.
    let reference = [1: 0.040173209, 6: 0.622017250, 12: 0.970531876, 30: 1.000234043]
    for frame in 1...30 {
      runtime.advance()
      guard let expected = reference[frame] else { continue }
      let value = try #require(runtime.state(of: "x", on: "ball")).value[0]
      #expect(abs(value - expected) < 1e-9, "frame \(frame)")
    }
  }
}
