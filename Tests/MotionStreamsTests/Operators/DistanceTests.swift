import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct DistanceTests {
  // Clauses: S3.23
  @Test func `distance emits how far each value is from a place`() {
    #expect(
      marbles("1-4-9", states: "+---.") { $0.distance(from: 5) } == """
        1-4-9
        +---.
        .distance(from: 5.0)
        4-1-4
        +---.
        ^----!
        """)
  }

  // Clauses: S3.22, S3.23
  @Test func `the distance of points is Euclidean, from a place that may move`() {
    #expect(
      marbles(MarbleLine.points("a---a", ["a": [3, 4]]), MarbleLine.points("-bc--", ["b": [0, 0], "c": [3, 0]])) {
        $0.distance(from: $1)
      } == """
        a---a
        -bc--
        .distance(from: other())
        -54-4
        ^----!
        ^----!
        """)
  }
}
