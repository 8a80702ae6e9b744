import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct YTests {
  private let points = MarbleLine.points("a-b", states: "+-.", ["a": [1, 2], "b": [3, 4]])

  // Clauses: S3.17
  @Test func `y emits the y of each point`() {
    #expect(
      marbles(points) { $0.y() } == """
        a-b
        +-.
        .y()
        2-4
        +-.
        ^--!
        """)
  }

  // Clauses: S2.9
  @Test func `the metadata contains the call without arguments`() {
    #expect(
      MotionSubject<Point>(Metadata("points")).asStream().y().metadata.debugDescription == """
        points()
          .y()
        """)
  }
}
