public import MotionModel

/// A gesture that streams can follow: a recogniser and its observers.
///
/// The caller passes the events of the pointers to ``handle(_:)``. Observers are notified after each event that changed
/// the gesture, in the order of subscription, while ``state`` and the recogniser are as the event left them. Events
/// that an observer causes meanwhile wait until all observers have been notified; their number is limited, see
/// ``mostCaused``. The return to `possible`, which follows an end, is not reported.
public final class Gesture<Recognizer: GestureRecognizer>: Inspectable {
  /// The name in metadata: the given name, or else the type of its recogniser.
  public let inspected: String

  /// The most events and cancellations that observers may cause during one notification. Observers that answer each
  /// event with another one never end; events beyond the limit are dropped.
  public static var mostCaused: Int { 1000 }

  private enum Input {
    case event(PointerEvent)
    case cancellation
  }

  private final class Observer {
    var onChange: ((Gesture) -> Void)?
    init(_ onChange: @escaping (Gesture) -> Void) { self.onChange = onChange }
  }

  /// The recogniser, with its settings and measurements.
  public var recognizer: Recognizer
  /// The state of the gesture; while observers are notified, also the instantaneous states `ended` and `recognized`.
  public private(set) var state: GestureState
  private var observers: [Observer] = []
  private var waiting: [Input] = []
  private var isTelling = false
  /// How many events observers have caused during the present notification.
  private var caused = 0

  /// Creates a gesture that `recognizer` finds, called `name` in descriptions; without a name it is called by the type
  /// of its recogniser.
  public init(_ recognizer: Recognizer, named name: String? = nil) {
    inspected = name ?? "\(Recognizer.self)"
    self.recognizer = recognizer
    state = recognizer.state
  }

  /// Handles an event of a pointer.
  public func handle(_ event: PointerEvent) { take(.event(event)) }

  /// Removes all pointers; see ``GestureRecognizer/cancel()``.
  public func cancel() { take(.cancellation) }

  /// Calls `onChange` for each change from now on, until the subscription ends.
  public func subscribe(_ onChange: @escaping (Gesture) -> Void) -> Subscription {
    let observer = Observer(onChange)
    observers.append(observer)
    return Subscription { [weak self] in
      observer.onChange = nil
      self?.observers.removeAll { $0 === observer }
    }
  }

  private func take(_ input: Input) {
    if isTelling {
      caused += 1
      if caused <= Self.mostCaused { waiting.append(input) }
      return
    }
    waiting.append(input)
    isTelling = true
    defer { (isTelling, caused) = (false, 0) }
    while !waiting.isEmpty {
      let reached =
        switch waiting.removeFirst() {
        case .event(let event): recognizer.handle(event)
        case .cancellation: recognizer.cancel()
        }
      if let reached { tell(reached) }
      state = recognizer.state
    }
  }

  private func tell(_ reached: GestureState) {
    state = reached
    // An observer whose subscription ends meanwhile is not notified any more.
    for observer in observers { observer.onChange?(self) }
  }
}
