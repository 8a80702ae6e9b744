import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct RubberBandedTests {
  @Test func `inside itself, outside ever less`() {
    let values = MotionSubject<Double>(Metadata("values"))
    var heard: [Double] = []
    let stream = values.stream.rubberBanded(below: 10, above: 0, maxLength: 5)
    #expect(stream.metadata.debugDescription == "values()\n  .rubberBanded(below: 10.0, above: 0.0, maxLength: 5.0)")
    let subscription = stream.subscribe { heard.append($0) }
    for value in [0, 4, 10, 12, -2, Double.infinity, -Double.infinity] { values.next(value) }
    let held = 5 * (1 - 1 / (0.55 * 2 / 5 + 1))
    #expect(heard == [0, 4, 10, 10 + held, -held, 15, -5])
    subscription.unsubscribe()
  }

  @Test func `points by component, and without length to the edge`() {
    let points = MotionSubject<Point>()
    var heard: [Point] = []
    let rect = Rect(lower: [0, 0], upper: [10, 10])
    let subscription = points.stream.rubberBanded(outsideOf: rect, maxLength: 0).subscribe { heard.append($0) }
    points.next([12, 5])
    points.next([-1, 11])
    #expect(heard == [[10, 5], [0, 10]])
    subscription.unsubscribe()
  }
}
