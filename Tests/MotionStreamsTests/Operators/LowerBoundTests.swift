import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct LowerBoundTests {
  // Clauses: S3.24
  @Test func `lowerBound raises values below its bound`() {
    #expect(
      marbles("1-5-3") { $0.lowerBound(3) } == """
        1-5-3
        .lowerBound(: 3.0)
        3-5-3
        ^----!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its bound`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().lowerBound(3).metadata.debugDescription == """
        values()
          .lowerBound(: 3.0)
        """)
  }
}
