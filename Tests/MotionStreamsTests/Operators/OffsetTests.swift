import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct OffsetTests {
  // Clauses: S3.2, S3.19
  @Test func `each value plus an amount`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0.offset(by: 5) } == """
        1-2-3
        +---.
        .offset(by: 5.0)
        6-7-8
        +---.
        ^----!
        """)
  }

  // Clauses: S3.22
  @Test func `an amount that is a stream counts whenever either says something, once both have`() {
    #expect(
      marbles(.numbers("1---2--", states: "+-----."), .numbers("--5---6", states: "-+----.")) { $0.offset(by: $1) }
        == """
        1---2--
        +-----.
        --5---6
        -+----.
        .offset(by: other())
        --6-7-8
        +-----.
        ^------!
        ^------!
        """)
  }
}
