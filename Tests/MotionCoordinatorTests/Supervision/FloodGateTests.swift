import Testing

@testable import MotionCoordinator

struct FloodGateTests {
  @Test func `the messages of a worker at 1000 Hz pass`() {
    var gate = FloodGate()
    for millisecond in 0..<5000 {
      for _ in 0..<2 { #expect(gate.take(80_000, at: .milliseconds(millisecond)) == nil) }
    }
  }

  @Test func `a worker can answer each requested frame, also more than 1000 a second`() {
    var gate = FloodGate()
    for frame in 0..<20_000 {
      let now = Duration.microseconds(50 * frame)
      gate.asked(at: now)
      for _ in 0..<2 { #expect(gate.take(80_000, at: now) == nil) }
    }
    // But not in the second after.
    #expect((0...FloodGate.messagesPerSecond).contains { _ in gate.take(10, at: .seconds(2)) != nil })
  }

  // Clauses: S15.6
  @Test func `a worker beyond a limit is stopped with the name of the limit`() {
    var (many, large) = (FloodGate(), FloodGate())
    let passed = (0..<FloodGate.messagesPerSecond).allSatisfy { _ in many.take(10, at: .seconds(3)) == nil }
    #expect(passed)
    #expect(many.take(10, at: .seconds(3.9))?.contains("messages") == true)
    #expect(many.take(10, at: .seconds(4)) == nil, "the next second is a new one")
    #expect(large.take(FloodGate.bytesPerSecond, at: .zero) == nil)
    #expect(large.take(1, at: .zero)?.contains("MiB") == true)
  }
}
