import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct DistanceTests {
  @Test func `how far each value is from a place`() {
    #expect(
      marbles("1-4-9") { $0.distance(from: 5) } == """
        1-4-9
        .distance(from: 5.0)
        4-1-4
        ^----!
        """)
  }

  @Test func `Euclid's distance of points, from a place that moves`() {
    let (points, places) = (MotionSubject<Point>(), MotionSubject<Point>())
    var heard: [Double] = []
    let subscription = points.stream.distance(from: places.stream).subscribe { heard.append($0) }
    points.next([3, 4])
    places.next([0, 0])
    places.next([3, 0])
    #expect(heard == [5, 4])
    subscription.unsubscribe()
  }
}
