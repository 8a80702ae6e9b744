import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ActiveTests {
  // Clauses: S3.54
  @Test func `active is true while the stream is active`() {
    #expect(
      marbles("-1--", states: "+--.") { $0.active() } == """
        -1--
        +--.
        .active()
        t--f
        +--.
        ^---!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call without arguments`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().active().metadata.debugDescription == """
        values()
          .active()
        """)
  }
}
