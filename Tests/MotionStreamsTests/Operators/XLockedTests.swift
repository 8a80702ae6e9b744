import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct XLockedTests {
  private let points = MarbleLine.points("a---b-", states: "+---.-", ["a": [1, 2], "b": [3, 4]])

  // Clauses: S3.18
  @Test func `xLocked replaces the x of each point`() {
    #expect(
      marbles(points) { $0.xLocked(to: 9) } == """
        a   -   -   -   b   -
        +   -   -   -   .   -
        .xLocked(to: 9.0)
        9,2 -   -   -   9,4 -
        +   -   -   -   .   -
        ^   -   -   -   -   -   !
        """)
  }

  // Clauses: S3.22
  @Test func `xLocked to a stream emits for each value of both, once both have one`() {
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
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call with its argument`() {
    let points = MotionSubject<Point>(Metadata("points")).asStream()
    #expect(points.xLocked(to: 9).metadata.debugDescription == "points()\n  .xLocked(to: 9.0)")
    let edge = MotionSubject<Double>(Metadata("edge")).asStream()
    #expect(
      points.xLocked(to: edge.offset(by: 1)).metadata.debugDescription == """
        points()
          .xLocked(to: edge()
            .offset(by: 1.0))
        """)
  }
}
