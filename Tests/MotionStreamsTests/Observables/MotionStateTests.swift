import MotionStreams
import Testing

struct MotionStateTests {
  // Clauses: S1.5
  @Test func `the raw value of atRest is 0 and of active 1`() {
    #expect(MotionState.atRest.rawValue == 0 && MotionState.active.rawValue == 1)
  }
}
