/// An observer that passes its values and states on to all its subscribers.
///
/// A later subscriber receives the last value at once, if there was one, and the last state before it. Events that an
/// observer causes follow the present one, for every subscriber.
public final class MotionSubject<Value>: Observer {
  /// Sends a value to every subscriber.
  public let next: (Value) -> Void
  /// Sends a state to every subscriber.
  public let state: (MotionState) -> Void

  @usableFromInline let core: Core
  /// The name of the subject.
  public let metadata: Metadata

  /// Creates a subject that has received nothing.
  @inlinable public init(_ metadata: Metadata = Metadata("subject")) {
    let core = Core()
    self.core = core
    self.metadata = metadata
    next = { core.hand($0) }
    state = { core.hand($0) }
  }

  /// The number of subscribers.
  public var observerCount: Int { core.announcer.count }

  /// All values and states from now on, after the last previous ones.
  public func asStream() -> MotionObservable<Value> {
    MotionObservable(metadata) { [core] in core.add($0) }
  }

  /// Calls `next` and `state` for the values and states of ``asStream()``.
  public func subscribe(next: @escaping (Value) -> Void, state: @escaping (MotionState) -> Void = { _ in })
    -> Subscription
  {
    asStream().subscribe(next: next, state: state)
  }

  /// The state that the subject and its streams share.
  @usableFromInline
  final class Core {
    @usableFromInline let announcer = Announcer<Value>()
    // The last value and state, for later subscribers; one thread loads and stores them, and no two accesses overlap.
    @exclusivity(unchecked) @usableFromInline var lastValue: Value?
    @exclusivity(unchecked) @usableFromInline var lastState: MotionState?

    @inlinable init() {}

    @inlinable func hand(_ value: Value) {
      lastValue = value
      announcer.next(value)
    }

    @inlinable func hand(_ state: MotionState) {
      lastState = state
      announcer.state(state)
    }

    func add(_ observer: MotionObserver<Value>) -> Disconnect {
      let receiver = announcer.add(observer)
      if let lastState { observer.state(lastState) }
      if let lastValue { observer.next(lastValue) }
      return { [announcer] in announcer.remove(receiver) }
    }
  }
}
