import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct OffsetTests {
  // Clauses: S3.2, S3.19
  @Test func `offset adds an amount to each value`() {
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
  @Test func `offset by a stream emits for each value of both, once both have one`() {
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
