import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct YLockedTests {
  private let points = MarbleLine.points("a---b-", states: "+---.-", ["a": [1, 2], "b": [3, 4]])

  // Clauses: S3.18
  @Test func `yLocked replaces the y of each point`() {
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
  @Test func `yLocked to a stream emits for each value of both, once both have one`() {
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

  // Clauses: S2.9
  @Test func `the metadata contains the call with its argument`() {
    let points = MotionSubject<Point>(Metadata("points")).asStream()
    #expect(points.yLocked(to: 9).metadata.debugDescription == "points()\n  .yLocked(to: 9.0)")
    let edge = MotionSubject<Double>(Metadata("edge")).asStream()
    #expect(
      points.yLocked(to: edge.offset(by: 1)).metadata.debugDescription == """
        points()
          .yLocked(to: edge()
            .offset(by: 1.0))
        """)
  }
}
