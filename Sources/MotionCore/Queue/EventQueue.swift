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

  /// Keeps an event for the next frame.
  func append(_ event: RuntimeEvent) {
    if case .commit = event { commits += 1 }
    pending.append(event)
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
    return pending
  }

  /// Takes out the events of clients, in order; the others wait on.
  func takeEventsOfClients() -> [RuntimeEvent] {
    let events = pending.filter(\.isOfClient)
    pending.removeAll(where: \.isOfClient)
    commits = 0
    return events
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
