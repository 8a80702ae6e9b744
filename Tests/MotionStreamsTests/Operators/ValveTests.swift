import MotionModel
import MotionStreams
import MotionTestKit
import Testing

struct ValveTests {
  @Test func `open on true, closed on false; repetitions do nothing`() {
    let valve = MotionSubject<Bool>(Metadata("valve"))
    let source = MotionSubject<Int>(Metadata("source"))
    var (heard, states): ([Int], [MotionState]) = ([], [])
    let stream = source.stream.valve(openWhenTrue: valve.stream)
    #expect(stream.metadata.debugDescription == "source()\n  .valve(openWhenTrue: valve())")
    let subscription = stream.subscribe(next: { heard.append($0) }, state: { states.append($0) })
    #expect(source.observerCount == 0)
    valve.next(true)
    valve.next(true)
    #expect(source.observerCount == 1)
    source.state(.active)
    source.next(1)
    valve.next(false)
    valve.next(false)
    #expect(source.observerCount == 0)
    source.next(2)
    #expect(heard == [1] && states == [.active])
    valve.next(true)
    #expect(heard == [1, 2], "a subject says its last value to who subscribes")
    subscription.unsubscribe()
    #expect(source.observerCount + valve.observerCount == 0)
  }
}
