import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ArithmeticTests {
  @Test func `lane by lane, of what both said last`() {
    let (left, right) = (MotionSubject<Point>(Metadata("left")), MotionSubject<Point>(Metadata("right")))
    var heard: [String: Point] = [:]
    let streams = [
      "+": left.stream + right.stream, "-": left.stream - right.stream, "*": left.stream * right.stream,
      "/": left.stream / right.stream,
    ]
    let subscriptions = streams.map { name, stream in stream.subscribe { heard[name] = $0 } }
    left.next([6, 8])
    #expect(heard.isEmpty)
    right.next([2, 4])
    #expect(heard == ["+": [8, 12], "-": [4, 4], "*": [12, 32], "/": [3, 2]])
    #expect(streams["+"]?.metadata.debugDescription == "left()\n  .+(: right())")
    for subscription in subscriptions { subscription.unsubscribe() }
  }
}
