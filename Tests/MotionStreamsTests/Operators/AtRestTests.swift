import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct AtRestTests {
  // Clauses: S3.54
  @Test func `whether it is at rest`() {
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
  @Test func `it is told without arguments`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().atRest().metadata.debugDescription == """
        values()
          .atRest()
        """)
  }
}
