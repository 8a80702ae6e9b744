import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct UpperBoundTests {
  // Clauses: S3.24
  @Test func `not above`() {
    #expect(
      marbles("1-5-3") { $0.upperBound(3) } == """
        1-5-3
        .upperBound(: 3.0)
        1-3-3
        ^----!
        """)
  }

  // Clauses: S2.9
  @Test func `it is told with its bound`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().upperBound(3).metadata.debugDescription == """
        values()
          .upperBound(: 3.0)
        """)
  }
}
