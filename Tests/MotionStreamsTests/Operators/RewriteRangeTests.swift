import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RewriteRangeTests {
  // Clauses: S3.33
  @Test func `rewriteRange maps in proportion, also beyond the range`() {
    #expect(
      marbles("0-1-2-4") { $0.rewriteRange(start: 0, end: 2, destinationStart: 1, destinationEnd: 3) } == """
        0-1-2-4
        .rewriteRange(start: 0.0, end: 2.0, destinationStart: 1.0, destinationEnd: 3.0)
        1-2-3-5
        ^------!
        """)
  }

  // Clauses: S3.33
  @Test func `a range without length gives the start`() {
    #expect(
      marbles("0-7") { $0.rewriteRange(start: 7, end: 7, destinationStart: 1, destinationEnd: 3) } == """
        0-7
        .rewriteRange(start: 7.0, end: 7.0, destinationStart: 1.0, destinationEnd: 3.0)
        1-1
        ^--!
        """)
  }
}
