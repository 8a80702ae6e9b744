import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct LockedTests {
  private let points = MarbleLine.points("a---b-", states: "+---.-", ["a": [1, 2], "b": [3, 4]])

  // Clauses: S3.18
  @Test func `a component is replaced`() {
    #expect(
      marbles(points) { $0.xLocked(to: 9) } == """
        a   -   -   -   b   -
        +   -   -   -   .   -
        .xLocked(to: 9.0)
        9,2 -   -   -   9,4 -
        +   -   -   -   .   -
        ^   -   -   -   -   -   !
        """)
    #expect(
      marbles(points) { $0.yLocked(to: 9) } == """
        a   -   -   -   b   -
        +   -   -   -   .   -
        .yLocked(to: 9.0)
        1,9 -   -   -   3,9 -
        +   -   -   -   .   -
        ^   -   -   -   -   -   !
        """)
  }

  // Clauses: S3.22
  @Test func `a stream moves what is locked, once both have said something`() {
    #expect(
      marbles(points, .numbers("--7--8")) { $0.xLocked(to: $1) } == """
        a   -   -   -   b   -
        +   -   -   -   .   -
        -   -   7   -   -   8
        .xLocked(to: other())
        -   -   7,2 -   7,4 8,4
        +   -   -   -   .   -
        ^   -   -   -   -   -   !
        ^   -   -   -   -   -   !
        """)
    #expect(
      marbles(points, .numbers("--7--8")) { $0.yLocked(to: $1) } == """
        a   -   -   -   b   -
        +   -   -   -   .   -
        -   -   7   -   -   8
        .yLocked(to: other())
        -   -   1,7 -   3,7 3,8
        +   -   -   -   .   -
        ^   -   -   -   -   -   !
        ^   -   -   -   -   -   !
        """)
  }
}
