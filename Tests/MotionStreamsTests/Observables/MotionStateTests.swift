import MotionStreams
import Testing

struct MotionStateTests {
  // Clauses: S1.5
  @Test func `at rest is nothing, active is one`() {
    #expect(MotionState.atRest.rawValue == 0 && MotionState.active.rawValue == 1)
  }
}
