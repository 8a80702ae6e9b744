import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct StatesTests {
  // Clauses: S3.54
  @Test func `states as values`() {
    #expect(
      marbles("-1--", states: "+--.") { $0.asMotionState() } == """
        -1--
        +--.
        .asMotionState()
        +--.
        +--.
        ^---!
        """)
    #expect(
      marbles("-1--", states: "+--.") { $0.active() } == """
        -1--
        +--.
        .active()
        t--f
        +--.
        ^---!
        """)
    #expect(
      marbles("-1--", states: "+--.") { $0.atRest() } == """
        -1--
        +--.
        .atRest()
        f--t
        +--.
        ^---!
        """)
  }
}
