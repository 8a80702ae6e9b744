import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ThresholdRangeTests {
  private func letter(_ side: ThresholdSide) -> String { String("\(side)".prefix(1)) }

  // Clauses: S3.26
  @Test(arguments: [(3.0, 5.0), (5, 3)])
  func `thresholdRange emits the side of a range, with its ends within and in any order`(ends: (Double, Double)) {
    #expect(
      marbles("2-3-4-5-6", show: letter) { $0.thresholdRange(min: ends.0, max: ends.1) } == """
        2-3-4-5-6
        .thresholdRange(min: 3.0, max: 5.0)
        b-w-w-w-a
        ^--------!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its ends in order`() {
    #expect(
      MotionSubject<Double>(Metadata("values")).asStream().thresholdRange(min: 5, max: 3).metadata.debugDescription
        == """
        values()
          .thresholdRange(min: 3.0, max: 5.0)
        """)
  }
}
