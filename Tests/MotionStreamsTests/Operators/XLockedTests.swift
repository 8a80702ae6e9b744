import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct XLockedTests {
  private let points = MarbleLine.points("a---b-", states: "+---.-", ["a": [1, 2], "b": [3, 4]])

  // Clauses: S3.18
  @Test func `the x is replaced`() {
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
  @Test func `a stream moves the x that is locked, once both have said something`() {
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
  @Test func `it is told with its argument`() {
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
