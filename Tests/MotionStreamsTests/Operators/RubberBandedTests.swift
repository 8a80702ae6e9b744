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

  @Test func `edges that are no numbers hold nothing back`() {
    let (numbers, points) = (MotionSubject<Double>(), MotionSubject<Point>())
    var (heard, places): ([Double], [Point]) = ([], [])
    let subscriptions = [
      numbers.stream.rubberBanded(below: .nan, above: 1, maxLength: 5).subscribe { heard.append($0) },
      numbers.stream.rubberBanded(below: 1, above: 0, maxLength: 0).subscribe { heard.append($0) },
      points.stream.rubberBanded(outsideOf: Rect(lower: [.nan, 0], upper: [.nan, 1]), maxLength: 0).subscribe {
        places.append($0)
      },
    ]
    numbers.next(7)
    points.next([7, 7])
    #expect(heard == [7, 1] && places == [[7, 1]])
    for subscription in subscriptions { subscription.unsubscribe() }
  }
}
