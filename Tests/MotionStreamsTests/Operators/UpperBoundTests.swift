import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct UpperBoundTests {
  // Clauses: S3.24
  @Test func `upperBound lowers values above its bound`() {
    #expect(
      marbles("1-5-3") { $0.upperBound(3) } == """
        1-5-3
        .upperBound(: 3.0)
        1-3-3
        ^----!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its bound`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().upperBound(3).metadata.debugDescription == """
        values()
          .upperBound(: 3.0)
        """)
  }
}
