import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ComponentsTests {
  private let points = MarbleLine.points("a-b", states: "+-.", ["a": [1, 2], "b": [3, 4]])

  // Clauses: S3.17
  @Test func `x and y of each point`() {
    #expect(
      marbles(points) { $0.x() } == """
        a-b
        +-.
        .x()
        1-3
        +-.
        ^--!
        """)
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
}
