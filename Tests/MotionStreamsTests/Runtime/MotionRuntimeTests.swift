import MotionStreams
import Testing

struct MotionRuntimeTests {
  private let source = MotionSubject<Double>(Metadata("source"))
  private let property = ReactiveProperty(0.0, named: "x of ball")

  // Clauses: S7.11
  @Test func `streams are written to properties until they are removed`() {
    let runtime = MotionRuntime()
    let connection = runtime.write(source.asStream(), to: property)
    source.next(3)
    #expect(property.read() == 3)
    connection.remove()
    connection.remove()
    source.next(4)
    #expect(property.read() == 3 && source.observerCount == 0)
  }

  // Clauses: S1.6, S7.12
  @Test func `a runtime is active while any stream or child is, despite repeated states`() {
    let runtime = MotionRuntime()
    var states: [MotionState] = []
    let subscription = runtime.aggregateState.subscribe { states.append($0) }
    let other = MotionSubject<Double>()
    runtime.write(source.asStream(), to: property)
    var child: MotionRuntime? = runtime.createChild(named: "child")
    child?.write(other.asStream(), to: ReactiveProperty(0.0))
    source.state(.active)
    source.state(.active)
    other.state(.active)
    source.state(.atRest)
    #expect(states == [.atRest, .active])
    child = nil
    #expect(states == [.atRest, .active, .atRest], "a child that is gone leaves no token behind")
    subscription.unsubscribe()
  }

  // Clauses: S7.12
  @Test func `a connection that is removed while active leaves no token`() {
    let runtime = MotionRuntime()
    var states: [MotionState] = []
    let subscription = runtime.aggregateState.subscribe { states.append($0) }
    let connection = runtime.write(source.asStream(), to: property)
    source.state(.active)
    connection.remove()
    #expect(states == [.atRest, .active, .atRest])
    subscription.unsubscribe()
  }

  // Clauses: S7.11
  @Test func `connections end with their runtime, even if they are retained`() {
    var runtime: MotionRuntime? = MotionRuntime()
    let connection = runtime?.write(source.asStream(), to: property)
    source.next(1)
    runtime = nil
    source.next(2)
    #expect(property.read() == 1 && source.observerCount == 0)
    connection?.remove()
  }

  // Clauses: S7.12
  @Test func `an observer of the activity gets a rest when the runtime is released`() {
    var runtime: MotionRuntime? = MotionRuntime()
    var states: [MotionState] = []
    let subscription = runtime?.aggregateState.subscribe { states.append($0) }
    runtime?.write(source.asStream(), to: property)
    source.state(.active)
    runtime = nil
    #expect(states == [.atRest, .active, .atRest])
    subscription?.unsubscribe()
  }

  @Test func `a parent has the final state of a child that is stopped at once`() {
    let (runtime, other) = (MotionRuntime(), MotionSubject<Double>())
    let child = runtime.createChild()
    let connection = child.write(other.asStream(), to: ReactiveProperty(0.0))
    let stopper = child.aggregateState.subscribe { if $0 == .active { connection.remove() } }
    var states: [MotionState] = []
    let subscription = runtime.aggregateState.subscribe { states.append($0) }
    other.state(.active)
    #expect(states.last == .atRest)
    stopper.unsubscribe()
    subscription.unsubscribe()
  }

  /// Writes a stream to a property.
  private struct Copy: Interaction {
    let stream: MotionObservable<Double>
    let property: ReactiveProperty<Double>
    func connect(with runtime: MotionRuntime) { runtime.write(stream, to: property) }
  }

  @Test func `an interaction's connections are returned, also if connecting removes another`() {
    let runtime = MotionRuntime()
    let earlier = runtime.write(MotionSubject<Double>().asStream(), to: ReactiveProperty(0.0))
    let remover = property.subscribe { if $0 == 5 { earlier.remove() } }
    let made = runtime.add(Copy(stream: ReactiveProperty(5.0).asStream(), property: property))
    #expect(made.count == 1)
    remover.unsubscribe()
  }

  // Clauses: S7.13
  @Test func `an interaction turned off while it is connected is off`() {
    let runtime = MotionRuntime()
    // A source that does not wait until all observers have received a value.
    var told: MotionObserver<Bool>?
    let isOn = MotionObservable<Bool>(Metadata("isOn")) { observer in
      told = observer
      return noopDisconnect
    }
    let switcher = property.subscribe { if $0 == 5 { told?.next(false) } }
    source.next(5)
    let toggle = runtime.toggle(Copy(stream: source.asStream(), property: property), inReactionTo: isOn)
    told?.next(true)
    #expect(source.observerCount == 0)
    toggle.remove()
    switcher.unsubscribe()
  }

  // Clauses: S7.13
  @Test func `an interaction can be toggled and removed`() {
    let (runtime, isOn) = (MotionRuntime(), ReactiveProperty(false))
    let toggle = runtime.toggle(Copy(stream: source.asStream(), property: property), inReactionTo: isOn.asStream())
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
    let made = runtime.add(Copy(stream: source.asStream(), property: property))
    #expect(made.count == 1 && source.observerCount == 1)
    made.remove()
    #expect(source.observerCount == 0)
  }

  // Clauses: S7.14
  @Test func `whenAllAtRest fires once when all are at rest`() {
    let runtime = MotionRuntime()
    var calls = 0
    let none = runtime.whenAllAtRest([MotionObservable<Double>]()) { calls += 1 }
    #expect(calls == 1)
    let (a, b) = (MotionSubject<Double>(), MotionSubject<Double>())
    a.state(.active)
    let both = runtime.whenAllAtRest([a.asStream(), b.asStream()]) { calls += 1 }
    b.state(.active)
    a.state(.atRest)
    #expect(calls == 1)
    b.state(.atRest)
    b.state(.active)
    b.state(.atRest)
    #expect(calls == 2)
    a.state(.active)
    let cancelled = runtime.whenAllAtRest([a.asStream()]) { calls += 1 }
    cancelled.unsubscribe()
    a.state(.atRest)
    #expect(calls == 2)
    _ = (none, both)
  }

  // Clauses: S7.14
  @Test func `whenAllAtRest ignores silent streams and leaves no subscription`() {
    let runtime = MotionRuntime()
    var calls = 0
    let silent = ReactiveProperty(0.0)
    source.state(.active)
    let watch = runtime.whenAllAtRest([silent.asStream(), source.asStream()]) { calls += 1 }
    #expect(calls == 0 && source.observerCount == 1)
    source.next(1)
    source.state(.atRest)
    #expect(calls == 1 && source.observerCount == 0, "it fires once")
    watch.unsubscribe()
  }

  @Test func `whenAllAtRest uses the values of streams of states`() {
    let runtime = MotionRuntime()
    runtime.write(source.asStream(), to: property)
    source.state(.active)
    var calls = 0
    let watch = runtime.whenAllAtRest([runtime.aggregateState]) { calls += 1 }
    #expect(calls == 0)
    source.state(.atRest)
    #expect(calls == 1)
    watch.unsubscribe()
  }

  // Clauses: S7.12
  @Test func `isActive reports the present activity of a runtime and its children`() {
    let runtime = MotionRuntime()
    let child = runtime.createChild()
    let subject = MotionSubject<Double>()
    child.write(subject.asStream(), to: createProperty(withInitialValue: 0.0))
    #expect(!runtime.isActive && !child.isActive)
    subject.state(.active)
    #expect(runtime.isActive && child.isActive)
    subject.state(.atRest)
    #expect(!runtime.isActive)
  }
}
