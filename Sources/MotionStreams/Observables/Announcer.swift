/// Tells all observers of something shared the same, in the same order.
///
/// What is to be told while something is being told, because an observer caused it, waits until all have heard that: so
/// everybody ends with the newest. Who comes meanwhile hears what is told after that. Telling allocates nothing unless
/// something has to wait.
///
/// Streams belong to one thread, and no access to what is marked as unchecked spans a call to an observer.
@usableFromInline
final class Announcer<Value> {
  /// How much one event may cause by way of observers. What goes on for longer has no end, and is cut off.
  @usableFromInline static var mostCaused: Int { 1000 }

  @usableFromInline
  enum Event {
    case next(Value)
    case state(MotionState)
  }

  @usableFromInline let observers = ObserverList<Value>()
  /// What has to wait, and who is to hear it: those who were there when it was said.
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
