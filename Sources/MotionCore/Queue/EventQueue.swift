import MotionModel

/// The events and transactions that wait for a frame.
final class EventQueue {
  /// The events that the next frame applies, in order of arrival.
  private(set) var pending: [RuntimeEvent] = []
  /// The transactions that wait for their time.
  var waiting = WaitingTransactions()
  /// How many of the pending events are input.
  private var inputs = 0
  /// How many transactions the next frame applies, besides those whose time has come.
  private(set) var commits = 0
  /// The last transaction that was taken to be applied, besides those whose time had come.
  var lastApplied: UInt64 = 0
  /// The last transaction that another process accepted and did not apply: the pending ones up to it are stored
  /// (``FramePosition/Phase``).
  private(set) var lastStored: UInt64 = 0

  /// Keeps an event for the next frame.
  func append(_ event: RuntimeEvent) {
    if case .commit = event { commits += 1 }
    pending.append(event)
  }

  /// Keeps a transaction that another process accepted for the next frame.
  func append(stored transaction: Transaction, as sequence: UInt64) {
    lastStored = sequence
    append(.commit(sequence: sequence, transaction))
  }

  /// Whether another process accepted this event.
  func isStored(_ event: RuntimeEvent) -> Bool {
    if case .commit(let sequence, _) = event { sequence <= lastStored } else { false }
  }

  /// Keeps pointer input for the next frame.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when ``/MotionModel/Limits/waitingInputs`` wait already.
  func append(_ input: PointerInput) throws(Refusal) {
    guard inputs < Limits.waitingInputs else {
      throw Refusal(
        .limit, "\(Limits.waitingInputs) messages of input wait for the next frame",
        remedy: "Send no input until time runs again")
    }
    inputs += 1
    append(.input(input))
  }

  /// Takes out the events for a frame.
  func takePending() -> [RuntimeEvent] {
    defer { (pending, inputs, commits) = ([], 0, 0) }
    if commits > 0 { noteApplied(pending) }
    return pending
  }

  /// Takes out the events of clients, in order; the others wait on.
  func takeEventsOfClients() -> [RuntimeEvent] {
    let events = pending.filter(\.isOfClient)
    pending.removeAll(where: \.isOfClient)
    noteApplied(events)
    commits = 0
    return events
  }

  /// Takes out the transactions up to this one, in order, each with the withdrawals that follow it.
  func takeEventsOfClients(through sequence: UInt64) -> [RuntimeEvent] {
    let end = pending.firstIndex { if case .commit(let next, _) = $0 { next > sequence } else { false } }
    guard let end else { return takeEventsOfClients() }
    let later = pending[end...]
    pending.removeSubrange(end...)
    let events = takeEventsOfClients()
    for event in later { append(event) }
    return events
  }

  private func noteApplied(_ events: [RuntimeEvent]) {
    for case .commit(let sequence, _) in events.reversed() {
      lastApplied = sequence
      return
    }
  }

  /// Drops the updates of a worker that is lost: they must not count as updates of its successor.
  func dropUpdates(of worker: WorkerAddress) {
    pending.removeAll { if case .update(worker, _) = $0 { true } else { false } }
  }

  /// The plans that a worker has reported as ended in updates that wait for the next frame. The worker must not receive
  /// these plans again.
  func endedUnapplied(by worker: WorkerAddress) -> Set<IntentionIdentity> {
    var ended = Set<IntentionIdentity>()
    for case .update(worker, let update) in pending {
      for event in update.events {
        switch event.event {
        case .finished(_, let identity, _), .failed(_, let identity, _): ended.insert(identity)
        case .activity, .started, .ended, .emitted: break
        }
      }
    }
    return ended
  }

  /// Whether every commit is applied or waits for its time.
  var holdsNoCommit: Bool { pending.allSatisfy { !$0.isOfClient } }

  /// Calls `body` with each transaction, that of the next frame first.
  func forEachTransaction(_ body: (Transaction) -> Void) {
    for case .commit(_, let transaction) in pending { body(transaction) }
    waiting.forEach(body)
  }

  /// The sequences of all transactions in it.
  var sequences: Set<UInt64> {
    var sequences = waiting.sequences
    for case .commit(let sequence, _) in pending { sequences.insert(sequence) }
    return sequences
  }
}

extension RuntimeEvent {
  /// Whether it is a transaction or its withdrawal, and does not concern workers or everything.
  var isOfClient: Bool {
    switch self {
    case .commit, .withdraw: true
    case .update, .provisioned, .lost, .quarantined, .restored, .withheld, .planQuarantined, .stop, .input: false
    }
  }

  /// Whether it concerns workers; such events are applied before transactions, in the order in which they arrived.
  var concernsWorkers: Bool {
    switch self {
    case .update, .provisioned, .lost, .quarantined, .restored, .withheld, .planQuarantined: true
    case .commit, .stop, .withdraw, .input: false
    }
  }
}
