import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ThresholdTests {
  private func letter(_ side: ThresholdSide) -> String { String("\(side)".prefix(1)) }

  // Clauses: S3.25
  @Test func `threshold emits the side of its bound for every value`() {
    #expect(
      marbles("1-5-59", show: letter) { $0.threshold(5) } == """
        1-5-59
        .threshold(: 5.0)
        b-w-wa
        ^-----!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its bound`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().threshold(5).metadata.debugDescription == """
        values()
          .threshold(: 5.0)
        """)
  }
}
