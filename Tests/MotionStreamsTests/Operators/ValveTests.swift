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
    #expect(heard == [1] && states == [.active, .atRest], "nobody else can say that it rests")
    valve.next(true)
    #expect(heard == [1, 2], "a subject says its last value to who subscribes")
    subscription.unsubscribe()
    #expect(source.observerCount + valve.observerCount == 0)
  }

  @Test func `what is said at once may close it`() {
    let valve = MotionSubject<Bool>()
    var connections = 0
    let source = MotionObservable<Int>(Metadata("source")) { observer in
      connections += 1
      for value in 1...3 { observer.next(value) }
      return { connections -= 1 }
    }
    var heard: [Int] = []
    let subscription = source.valve(openWhenTrue: valve.stream).subscribe {
      heard.append($0)
      if $0 == 2 { valve.next(false) }
    }
    valve.next(true)
    #expect(connections == 0)
    valve.next(true)
    #expect(connections == 0)
    subscription.unsubscribe()
  }
}
