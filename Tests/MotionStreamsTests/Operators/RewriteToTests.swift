import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RewriteToTests {
  // Clauses: S3.32
  @Test func `the same for every value`() {
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
  @Test func `what a stream emitted last, for every value and whenever it changes after the first`() {
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
