import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct BoundsTests {
  // Clauses: S3.24
  @Test func `not below, not above, or neither`() {
    #expect(
      marbles("1-5-3") { $0.lowerBound(3) } == """
        1-5-3
        .lowerBound(: 3.0)
        3-5-3
        ^----!
        """)
    #expect(
      marbles("1-5-3") { $0.upperBound(3) } == """
        1-5-3
        .upperBound(: 3.0)
        1-3-3
        ^----!
        """)
    #expect(
      marbles("1-5-3-9") { $0.clamped(to: 2...4) } == """
        1-5-3-9
        .clamped(to: 2.0...4.0)
        2-4-3-4
        ^------!
        """)
  }
}
