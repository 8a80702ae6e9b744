import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RewriteToTests {
  // Clauses: S3.32
  @Test func `rewriteTo emits the same value each time`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0.rewriteTo(9.0) } == """
        1-2-3
        +---.
        .rewriteTo(: 9.0)
        9-9-9
        +---.
        ^----!
        """)
  }

  // Clauses: S3.32
  @Test func `rewriteTo a stream emits its last value, and each change after the first`() {
    #expect(
      marbles(.numbers("1---2---3", states: "+-------."), .flags("--tf---t-", states: "-+--.")) { $0.rewriteTo($1) }
        == """
        1---2---3
        +-------.
        --tf---t-
        -+--.----
        .rewriteTo(: other())
        --tff--tt
        +-------.
        ^--------!
        ^--------!
        """)
  }
}
