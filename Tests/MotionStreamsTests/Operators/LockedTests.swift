import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct LockedTests {
  private func points(_ operation: (MotionObservable<Point>) -> MotionObservable<Point>) -> String {
    marbles("a-b", value: { $0 == "a" ? [1, 2] : [3, 4] }, show: MarbleText.of) { stream, _ in operation(stream) }
  }

  @Test func `a component is replaced`() {
    #expect(
      points { $0.xLocked(to: 9) } == """
        a   -   b
        .xLocked(to: 9.0)
        9,2 -   9,4
        ^   -   -   !
        """)
    #expect(
      points { $0.yLocked(to: 9) } == """
        a   -   b
        .yLocked(to: 9.0)
        1,9 -   3,9
        ^   -   -   !
        """)
  }

  @Test func `a stream moves what is locked, once both have said something`() {
    let lock = MotionSubject<Double>(Metadata("lock"))
    var heard: [Point] = []
    let points = MotionSubject<Point>(Metadata("points"))
    let locked = points.stream.xLocked(to: lock.stream)
    #expect(locked.metadata.debugDescription == "points()\n  .xLocked(to: lock())")
    let subscription = locked.subscribe { heard.append($0) }
    points.next([1, 2])
    #expect(heard.isEmpty)
    lock.next(7)
    points.next([3, 4])
    lock.next(8)
    #expect(heard == [[7, 2], [7, 4], [8, 4]])
    subscription.unsubscribe()
    #expect(lock.observerCount == 0 && points.observerCount == 0)
  }
}
