import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct AsMotionStateTests {
  // Clauses: S3.54
  @Test func `asMotionState emits the states as values`() {
    #expect(
      marbles("-1--", states: "+--.") { $0.asMotionState() } == """
        -1--
        +--.
        .asMotionState()
        +--.
        +--.
        ^---!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call without arguments`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().asMotionState().metadata.debugDescription == """
        values()
          .asMotionState()
        """)
  }
}
