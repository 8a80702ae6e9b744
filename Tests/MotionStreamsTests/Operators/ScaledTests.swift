import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ScaledTests {
  @Test func `each value times a factor`() {
    #expect(
      marbles("1-2-3", states: "+---.") { $0.scaled(by: 3) } == """
        1-2-3
        +---.
        .scaled(by: 3.0)
        3-6-9
        +---.
        ^----!
        """)
  }

  @Test func `a factor that is a stream counts whenever either says something, once both have`() {
    let (values, factors) = (MotionSubject<Point>(), MotionSubject<Double>())
    var heard: [Point] = []
    let subscription = values.stream.scaled(by: factors.stream).subscribe { heard.append($0) }
    factors.next(2)
    values.next([1, 2])
    factors.next(3)
    #expect(heard == [[2, 4], [3, 6]])
    subscription.unsubscribe()
  }
}
