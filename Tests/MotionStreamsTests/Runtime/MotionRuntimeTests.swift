import MotionStreams
import Testing

struct MotionRuntimeTests {
  private let source = MotionSubject<Double>(Metadata("source"))
  private let property = ReactiveProperty(0.0, named: "x of ball")

  @Test func `streams are written to properties until they are removed`() {
    let runtime = MotionRuntime()
    let connection = runtime.write(source.stream, to: property)
    source.next(3)
    #expect(property.read() == 3)
    connection.remove()
    connection.remove()
    source.next(4)
    #expect(property.read() == 3 && source.observerCount == 0)
  }

  @Test func `active as long as anything is, repeated states or not, children included`() {
    let runtime = MotionRuntime()
    var states: [MotionState] = []
    let subscription = runtime.aggregateState.subscribe { states.append($0) }
    let other = MotionSubject<Double>()
    runtime.write(source.stream, to: property)
    var child: MotionRuntime? = runtime.createChild(named: "child")
    child?.write(other.stream, to: ReactiveProperty(0.0))
    source.state(.active)
    source.state(.active)
    other.state(.active)
    source.state(.atRest)
    #expect(states == [.atRest, .active])
    child = nil
    #expect(states == [.atRest, .active, .atRest], "a child that is gone leaves no token behind")
    subscription.unsubscribe()
  }

  @Test func `a connection that is removed at work leaves no token behind`() {
    let runtime = MotionRuntime()
    var states: [MotionState] = []
    let subscription = runtime.aggregateState.subscribe { states.append($0) }
    let connection = runtime.write(source.stream, to: property)
    source.state(.active)
    connection.remove()
    #expect(states == [.atRest, .active, .atRest])
    subscription.unsubscribe()
  }

  @Test func `an interaction can be toggled and removed`() {
    struct Copy: Interaction {
      let stream: MotionObservable<Double>
      let property: ReactiveProperty<Double>
      func connect(with runtime: MotionRuntime) { runtime.write(stream, to: property) }
    }
    let (runtime, isOn) = (MotionRuntime(), ReactiveProperty(false))
    let toggle = runtime.toggle(Copy(stream: source.stream, property: property), inReactionTo: isOn.asStream())
    #expect(source.observerCount == 0)
    isOn.write(true)
    isOn.write(true)
    #expect(source.observerCount == 1)
    isOn.write(false)
    #expect(source.observerCount == 0)
    isOn.write(true)
    toggle.remove()
    #expect(source.observerCount == 0, "what it connected goes with it")
    isOn.write(false)
    isOn.write(true)
    #expect(source.observerCount == 0)
    let made = runtime.add(Copy(stream: source.stream, property: property))
    #expect(made.count == 1 && source.observerCount == 1)
    made.remove()
    #expect(source.observerCount == 0)
  }

  @Test func `when all are at rest, once`() {
    let runtime = MotionRuntime()
    var calls = 0
    let none = runtime.whenAllAtRest([MotionObservable<Double>]()) { calls += 1 }
    #expect(calls == 1)
    let (a, b) = (MotionSubject<Double>(), MotionSubject<Double>())
    a.state(.active)
    let both = runtime.whenAllAtRest([a.stream, b.stream]) { calls += 1 }
    b.state(.active)
    a.state(.atRest)
    #expect(calls == 1)
    b.state(.atRest)
    b.state(.active)
    b.state(.atRest)
    #expect(calls == 2)
    a.state(.active)
    let cancelled = runtime.whenAllAtRest([a.stream]) { calls += 1 }
    cancelled.unsubscribe()
    a.state(.atRest)
    #expect(calls == 2)
    _ = (none, both)
  }
}
