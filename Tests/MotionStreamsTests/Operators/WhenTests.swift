import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct WhenTests {
  // Clauses: S3.57
  @Test func `when passes values while its condition is true`() {
    #expect(
      marbles(.numbers("1-2-3-4", states: "+-----."), .flags("-t--f--", states: "-+-.---")) { $0.when($1) } == """
        1-2-3-4
        +-----.
        -t--f--
        -+-.---
        .when(: other())
        --2-3--
        +-----.
        ^------!
        ^------!
        """)
  }
}
