import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct NormalizedTests {
  @Test func `each value divided by a size, by zero as IEEE 754 says`() {
    #expect(
      marbles("2-4-6") { $0.normalized(by: 2) } == """
        2-4-6
        .normalized(by: 2.0)
        1-2-3
        ^----!
        """)
    let zero = MotionSubject<Double>()
    var heard: [Double] = []
    let subscription = zero.stream.normalized(by: 0).subscribe { heard.append($0) }
    for value in [2.0, -2, 0] { zero.next(value) }
    #expect(heard[0] == .infinity && heard[1] == -.infinity && heard[2].isNaN)
    subscription.unsubscribe()
  }

  @Test func `points by component`() {
    let points = MotionSubject<Point>()
    var heard: [Point] = []
    let subscription = points.stream.normalized(by: [2, 0]).subscribe { heard.append($0) }
    points.next([4, 1])
    #expect(heard == [[2, .infinity]])
    subscription.unsubscribe()
  }
}
