/// The observers of a shared source, in order of subscription.
///
/// Observers may subscribe and unsubscribe while a value is delivered. A removed observer receives nothing more, a new
/// one receives the next value. Delivery allocates nothing, except once after the list has changed.
///
/// Streams belong to one thread, and no access to a variable marked as unchecked spans a call to an observer. Unchecked
/// accesses and rounds without reference counting make a value 40 ns cheaper.
@usableFromInline
final class ObserverList<Value> {
  @exclusivity(unchecked) private var receivers: [Receiver<Value>] = []
  /// The list as it was when the last round began. It is empty after a change of the list, so that it keeps no observer
  /// alive.
  @exclusivity(unchecked) @usableFromInline var round: Round<Value>
  @exclusivity(unchecked) @usableFromInline var isOutdated = false
  private let nobody = Round<Value>([])
  /// The number of nested rounds in progress.
  @exclusivity(unchecked) @usableFromInline var depth = 0
  /// Lists that a round in progress may still be iterating.
  @exclusivity(unchecked) @usableFromInline var retired: [Round<Value>] = []

  @usableFromInline init() { round = nobody }

  var isEmpty: Bool { receivers.isEmpty }
  var count: Int { receivers.count }

  func add(_ observer: MotionObserver<Value>) -> Receiver<Value> {
    let receiver = Receiver(observer)
    willChange()
    receivers.append(receiver)
    return receiver
  }

  func remove(_ receiver: Receiver<Value>) {
    guard let index = receivers.firstIndex(where: { $0 === receiver }) else { return }
    receiver.isListening = false
    willChange()
    receivers.remove(at: index)
  }

  /// Sends a value to every observer.
  @inlinable @inline(__always) func next(_ value: Value) { goRound { $0.next(value) } }

  /// Sends a state to every observer.
  @inlinable func state(_ state: MotionState) { goRound { $0.state(state) } }

  /// The receivers of an event that is sent now.
  @usableFromInline func presentRound() -> Round<Value> {
    if isOutdated { renewRound() }
    return round
  }

  @inlinable @inline(__always) func goRound(_ tell: (Receiver<Value>) -> Void) {
    if isOutdated { renewRound() }
    depth &+= 1
    // The round stays alive until the depth is zero again: in `round`, or among the retired.
    Unmanaged.passUnretained(round)._withUnsafeGuaranteedRef { $0.forEach(tell) }
    depth &-= 1
    if depth == 0, !retired.isEmpty { endRetired() }
  }

  @usableFromInline func endRetired() { retired.removeAll() }

  @usableFromInline func renewRound() {
    round = Round(receivers)
    isOutdated = false
  }

  private func willChange() {
    if depth > 0 { retired.append(round) }
    round = nobody
    isOutdated = true
  }
}

/// The receivers of a value: the list as it was at some time.
@usableFromInline
final class Round<Value> {
  @usableFromInline let receivers: [Receiver<Value>]

  init(_ receivers: [Receiver<Value>]) { self.receivers = receivers }

  /// Calls `tell` for each receiver that has not been removed meanwhile.
  @inlinable @inline(__always) func forEach(_ tell: (Receiver<Value>) -> Void) {
    for index in receivers.indices {
      // The list keeps them alive.
      Unmanaged.passUnretained(receivers[index])._withUnsafeGuaranteedRef { receiver in
        if receiver.isListening { tell(receiver) }
      }
    }
  }
}

/// One observer of a shared source.
@usableFromInline
final class Receiver<Value> {
  @usableFromInline let next: (Value) -> Void
  @usableFromInline let state: (MotionState) -> Void
  /// Whether it has not been removed.
  @exclusivity(unchecked) @usableFromInline var isListening = true

  init(_ observer: MotionObserver<Value>) { (next, state) = (observer.next, observer.state) }
}
