import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct NormalizedTests {
  private let points = MarbleLine.points("a---b", states: "+---.", ["a": [2, 4], "b": [6, 8]])

  // Clauses: S3.21
  @Test func `normalized divides each value by a size`() {
    #expect(
      marbles("2-4-6", states: "+---.") { $0.normalized(by: 2) } == """
        2-4-6
        +---.
        .normalized(by: 2.0)
        1-2-3
        +---.
        ^----!
        """)
    #expect(
      marbles(points) { $0.normalized(by: 2) } == """
        a   -   -   -   b
        +   -   -   -   .
        .normalized(by: 2.0)
        1,2 -   -   -   3,4
        +   -   -   -   .
        ^   -   -   -   -   !
        """)
  }

  // Clauses: S3.21
  @Test func `normalized by zero follows IEEE 754`() {
    #expect(
      marbles("2-0") { $0.normalized(by: 0) } == """
        2   -   0
        .normalized(by: 0.0)
        inf -   nan
        ^   -   -   !
        """)
  }

  // Clauses: S3.21
  @Test func `normalized divides each component by its own size`() {
    #expect(
      marbles(points) { $0.normalized(by: [2, 0]) } == """
        a     -     -     -     b
        +     -     -     -     .
        .normalized(by: (2.0, 0.0))
        1,inf -     -     -     3,inf
        +     -     -     -     .
        ^     -     -     -     -     !
        """)
  }

  // Clauses: S3.22
  @Test func `normalized by a stream emits for each value of both, once both have one`() {
    #expect(
      marbles(.numbers("8---6--"), .numbers("--2---3")) { $0.normalized(by: $1) } == """
        8---6--
        --2---3
        .normalized(by: other())
        --4-3-2
        ^------!
        ^------!
        """)
    #expect(
      marbles(points, .numbers("--2--")) { $0.normalized(by: $1) } == """
        a   -   -   -   b
        +   -   -   -   .
        -   -   2   -   -
        .normalized(by: other())
        -   -   1,2 -   3,4
        +   -   -   -   .
        ^   -   -   -   -   !
        ^   -   -   -   -   !
        """)
  }
}
