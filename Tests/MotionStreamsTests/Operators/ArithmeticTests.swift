import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ArithmeticTests {
  private let left = MarbleLine.numbers("8---6--", states: "+--.---")
  private let right = MarbleLine.numbers("--2---3", states: "-+---.-")

  // Clauses: S3.58
  @Test func `arithmetic combines the last values of both streams, once both have one`() {
    #expect(
      marbles(left, right) { $0 + $1 } == """
        8  -  -  -  6  -  -
        +  -  -  .  -  -  -
        -  -  2  -  -  -  3
        -  +  -  -  -  .  -
        .+(: other())
        -  -  10 -  8  -  9
        +  +  -  -  -  .  -
        ^  -  -  -  -  -  -  !
        ^  -  -  -  -  -  -  !
        """)
    #expect(
      marbles(left, right) { $0 - $1 } == """
        8---6--
        +--.---
        --2---3
        -+---.-
        .-(: other())
        --6-4-3
        ++---.-
        ^------!
        ^------!
        """)
    #expect(
      marbles(left, right) { $0 * $1 } == """
        8  -  -  -  6  -  -
        +  -  -  .  -  -  -
        -  -  2  -  -  -  3
        -  +  -  -  -  .  -
        .*(: other())
        -  -  16 -  12 -  18
        +  +  -  -  -  .  -
        ^  -  -  -  -  -  -  !
        ^  -  -  -  -  -  -  !
        """)
    #expect(
      marbles(left, right) { $0 / $1 } == """
        8---6--
        +--.---
        --2---3
        -+---.-
        ./(: other())
        --4-3-2
        ++---.-
        ^------!
        ^------!
        """)
  }

  // Clauses: S3.58
  @Test func `points are combined by component`() {
    let (left, right) = (MarbleLine.points("a", ["a": [6, 8]]), MarbleLine.points("b", ["b": [2, 0]]))
    #expect(
      marbles(left, right) { $0 * $1 } == """
        a
        b
        .*(: other())
        12,0
        ^    !
        ^    !
        """)
    #expect(
      marbles(left, right) { $0 / $1 } == """
        a
        b
        ./(: other())
        3,inf
        ^     !
        ^     !
        """)
  }
}
