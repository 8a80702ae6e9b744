import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct IgnoreUntilTests {
  // Clauses: S3.3, S3.29
  @Test func `ignoreUntil drops values before the awaited one, for each subscription`() {
    #expect(
      marbles("1-3-2-3-", second: 3) { $0.ignoreUntil(3) } == """
        1-3-2-3-
        .ignoreUntil(: 3.0)
        --3-2-3-
        ------3-
        ^--^----(!!)
        """)
  }
}
