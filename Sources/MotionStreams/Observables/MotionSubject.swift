/// An observer whose values and states go to everybody who subscribed to it.
///
/// Who subscribes later hears the last value at once, if there was one, and the last state before it.
public final class MotionSubject<Value>: Observer {
  /// What it has heard last, for those who come later.
  private var lastValue: Value?
  private var lastState: MotionState?
  private var observers = ObserverList<Value>()
  private let metadata: Metadata

  /// A subject that has heard nothing.
  public init(_ metadata: Metadata = Metadata("subject")) { self.metadata = metadata }

  /// Hands a value to everybody.
  public var next: (Value) -> Void { { [unowned self] value in hand(value) } }

  /// Hands a state to everybody.
  public var state: (MotionState) -> Void { { [unowned self] state in hand(state) } }

  /// How many listen.
  public var observerCount: Int { observers.count }

  /// Everything that is said from now on, after the last of before. It keeps the subject alive.
  public var stream: MotionObservable<Value> {
    MotionObservable(metadata) { [self] observer in
      let id = observers.add(observer)
      if let lastState { observer.state(lastState) }
      if let lastValue { observer.next(lastValue) }
      return { [self] in observers.remove(id) }
    }
  }

  private func hand(_ value: Value) {
    lastValue = value
    round { $0.next(value) }
  }

  private func hand(_ state: MotionState) {
    lastState = state
    round { $0.state(state) }
  }

  private func round(_ hand: (MotionObserver<Value>) -> Void) {
    observers.beginRound()
    for index in 0..<observers.endIndex {
      if let observer = observers.observer(at: index) { hand(observer) }
    }
    observers.endRound()
  }
}
