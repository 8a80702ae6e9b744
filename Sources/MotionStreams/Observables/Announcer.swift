/// Sends the same events to all observers of a shared source, in the same order.
///
/// An event that an observer causes during a notification waits until all observers have received the present one. So
/// every observer ends with the newest event. An observer that subscribes meanwhile receives only the events sent after
/// that. Notification allocates nothing unless an event has to wait.
///
/// Streams belong to one thread, and no access to a variable marked as unchecked spans a call to an observer.
@usableFromInline
final class Announcer<Value> {
  /// The most events that one event may cause by way of observers. A longer chain would not end, and is cut off.
  @usableFromInline static var mostCaused: Int { 1000 }

  @usableFromInline
  enum Event {
    case next(Value)
    case state(MotionState)
  }

  @usableFromInline let observers = ObserverList<Value>()
  /// The waiting events, each with its receivers: the observers that were subscribed when it was sent.
  @exclusivity(unchecked) @usableFromInline var waiting: [(event: Event, round: Round<Value>)] = []
  @exclusivity(unchecked) @usableFromInline var isTelling = false

  @inlinable init() {}

  var isEmpty: Bool { observers.isEmpty }
  var count: Int { observers.count }

  func add(_ observer: MotionObserver<Value>) -> Receiver<Value> { observers.add(observer) }

  func remove(_ receiver: Receiver<Value>) { observers.remove(receiver) }

  @inlinable func next(_ value: Value) {
    guard !isTelling else { return wait(.next(value)) }
    isTelling = true
    observers.next(value)
    tellWaiting()
  }

  @inlinable func state(_ state: MotionState) {
    guard !isTelling else { return wait(.state(state)) }
    isTelling = true
    observers.state(state)
    tellWaiting()
  }

  @usableFromInline func wait(_ event: Event) { waiting.append((event, observers.presentRound())) }

  @inlinable @inline(__always) func tellWaiting() {
    if !waiting.isEmpty { handWaiting() }
    isTelling = false
  }

  @usableFromInline func handWaiting() {
    var index = 0
    while index < waiting.count, index < Self.mostCaused {
      let (event, round) = waiting[index]
      switch event {
      case .next(let value): round.forEach { $0.next(value) }
      case .state(let state): round.forEach { $0.state(state) }
      }
      index += 1
    }
    waiting.removeAll()
  }
}
