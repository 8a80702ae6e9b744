import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct AtRestTests {
  // Clauses: S3.54
  @Test func `atRest is true while the stream is at rest`() {
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

  // Clauses: S2.9
  @Test func `the metadata contains the call without arguments`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().atRest().metadata.debugDescription == """
        values()
          .atRest()
        """)
  }
}
