/// An observer whose values and states go to everybody who subscribed to it.
///
/// Who subscribes later hears the last value at once, if there was one, and the last state before it. What an observer
/// causes to be said comes after what is being said, for everybody.
public final class MotionSubject<Value>: Observer {
  /// Hands a value to everybody.
  public let next: (Value) -> Void
  /// Hands a state to everybody.
  public let state: (MotionState) -> Void

  @usableFromInline let core: Core
  /// What it is called.
  public let metadata: Metadata

  /// A subject that has heard nothing.
  @inlinable public init(_ metadata: Metadata = Metadata("subject")) {
    let core = Core()
    self.core = core
    self.metadata = metadata
    next = { core.hand($0) }
    state = { core.hand($0) }
  }

  /// How many listen.
  public var observerCount: Int { core.announcer.count }

  /// Everything that is said from now on, after the last of before.
  public func asStream() -> MotionObservable<Value> {
    MotionObservable(metadata) { [core] in core.add($0) }
  }

  /// Hears values and states as ``asStream()`` says them.
  public func subscribe(next: @escaping (Value) -> Void, state: @escaping (MotionState) -> Void = { _ in })
    -> Subscription
  {
    asStream().subscribe(next: next, state: state)
  }

  /// What subject and streams share.
  @usableFromInline
  final class Core {
    @usableFromInline let announcer = Announcer<Value>()
    // What was said last, for those who come later; one thread loads and stores it, and no two accesses overlap.
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
