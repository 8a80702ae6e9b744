import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct XTests {
  private let points = MarbleLine.points("a-b", states: "+-.", ["a": [1, 2], "b": [3, 4]])

  // Clauses: S3.17
  @Test func `x emits the x of each point`() {
    #expect(
      marbles(points) { $0.x() } == """
        a-b
        +-.
        .x()
        1-3
        +-.
        ^--!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call without arguments`() {
    #expect(
      MotionSubject<Point>(Metadata("points")).asStream().x().metadata.debugDescription == """
        points()
          .x()
        """)
  }
}
