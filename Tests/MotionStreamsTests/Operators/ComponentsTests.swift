import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ComponentsTests {
  private func points(_ operation: (MotionObservable<Point>) -> MotionObservable<Double>) -> String {
    marbles("a-b", value: { $0 == "a" ? [1, 2] : [3, 4] }, show: MarbleText.of) { stream, _ in operation(stream) }
  }

  @Test func `x and y of each point`() {
    #expect(
      points { $0.x() } == """
        a-b
        .x()
        1-3
        ^--!
        """)
    #expect(
      points { $0.y() } == """
        a-b
        .y()
        2-4
        ^--!
        """)
  }
}
