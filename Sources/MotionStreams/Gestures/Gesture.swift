public import MotionModel

/// A gesture that streams can follow: a recogniser, and who wants to hear of it.
///
/// Give it the events of the pointers; observers are told after each that made something of the gesture, in the order in
/// which they came, while ``state`` and the recogniser are as the event left them. Events that arrive meanwhile, because an
/// observer caused them, wait until all have heard; there is an end to that, see ``mostCaused``. Nobody hears of the return
/// to `possible`, which follows an end.
public final class Gesture<Recognizer: GestureRecognizer>: Inspectable {
  /// What it is called in metadata: its name, or else the type of its recogniser.
  public let inspected: String

  /// How many events and cancellations observers may cause while one is told. Observers that answer each event with another
  /// one never end, so that those beyond are not taken.
  public static var mostCaused: Int { 1000 }

  private enum Input {
    case event(PointerEvent)
    case cancellation
  }

  private final class Observer {
    var onChange: ((Gesture) -> Void)?
    init(_ onChange: @escaping (Gesture) -> Void) { self.onChange = onChange }
  }

  /// What recognises the gesture, with its settings and what it measured.
  public var recognizer: Recognizer
  /// Where the gesture is; while observers are told also what is over in an instant: ended, or recognized.
  public private(set) var state: GestureState
  private var observers: [Observer] = []
  private var waiting: [Input] = []
  private var isTelling = false
  /// How many observers have caused by now, while one is told.
  private var caused = 0

  /// A gesture that `recognizer` finds, and that is called `name` in descriptions; without a name, as the type of its
  /// recogniser.
  public init(_ recognizer: Recognizer, named name: String? = nil) {
    inspected = name ?? "\(Recognizer.self)"
    self.recognizer = recognizer
    state = recognizer.state
  }

  /// Takes what a pointer did.
  public func handle(_ event: PointerEvent) { take(.event(event)) }

  /// Takes all pointers away; see ``GestureRecognizer/cancel()``.
  public func cancel() { take(.cancellation) }

  /// Tells `onChange` of each change from now on, until the subscription ends.
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
    // Of those that are told now, one that ends meanwhile hears nothing more.
    for observer in observers { observer.onChange?(self) }
  }
}
