/// Tells all observers of something shared the same, in the same order.
///
/// What is to be told while something is being told, because an observer caused it, waits until all have heard that: so
/// everybody ends with the newest. Who comes meanwhile hears what is told after that. Telling allocates nothing unless
/// something has to wait.
@usableFromInline
final class Announcer<Value> {
  /// How much one event may cause by way of observers. What goes on for longer has no end, and is cut off.
  @usableFromInline static var mostCaused: Int { 1000 }

  @usableFromInline
  enum Event {
    case next(Value)
    case state(MotionState)
  }

  @usableFromInline var observers = ObserverList<Value>()
  @usableFromInline var waiting: [(event: Event, end: Int)] = []
  @usableFromInline var isTelling = false

  @inlinable init() {}

  var isEmpty: Bool { observers.isEmpty }
  var count: Int { observers.count }

  func add(_ observer: MotionObserver<Value>) -> ObserverList<Value>.ID { observers.add(observer) }

  func remove(_ id: ObserverList<Value>.ID) { observers.remove(id) }

  @inlinable func next(_ value: Value) { tell(.next(value)) }

  @inlinable func state(_ state: MotionState) { tell(.state(state)) }

  @inlinable func tell(_ event: Event) {
    // Who is on the list by now; during a round it only grows.
    let end = observers.endIndex
    guard !isTelling else { return waiting.append((event, end)) }
    isTelling = true
    observers.beginRound()
    hand(event, to: end)
    if !waiting.isEmpty { handWaiting() }
    observers.endRound()
    isTelling = false
  }

  @usableFromInline func handWaiting() {
    var index = 0
    while index < waiting.count, index < Self.mostCaused {
      let (event, end) = waiting[index]
      hand(event, to: end)
      index += 1
    }
    waiting.removeAll()
  }

  @inlinable func hand(_ event: Event, to end: Int) {
    switch event {
    case .next(let value): for index in 0..<end { observers.observer(at: index)?.next(value) }
    case .state(let state): for index in 0..<end { observers.observer(at: index)?.state(state) }
    }
  }
}
