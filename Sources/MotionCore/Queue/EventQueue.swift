import MotionModel

/// The events and transactions that wait for a frame.
final class EventQueue {
  /// The events that the next frame applies, in order of arrival.
  private(set) var pending: [RuntimeEvent] = []
  /// The transactions that wait for their time.
  var waiting = WaitingTransactions()
  /// The transactions that were accepted for the next frame and are not in ``pending`` yet, in order.
  private var accepted: ArraySlice<(sequence: UInt64, transaction: Transaction)> = []
  /// How many of the pending events are input.
  private var inputs = 0
  /// How many transactions the next frame applies, besides those whose time has come.
  private(set) var commits = 0
  /// The last transaction that was taken to be applied, besides those whose time had come.
  var lastApplied: UInt64 = 0
  /// The last transaction that another process accepted and did not apply: the pending ones up to it are stored
  /// (``FramePosition/Phase``).
  var lastStored: UInt64 = 0

  /// Keeps an event for the next frame.
  func append(_ event: RuntimeEvent) {
    if case .commit = event { commits += 1 }
    pending.append(event)
  }

  /// A transaction is accepted for the next frame, and will be appended or dropped.
  func expect(_ transaction: Transaction, as sequence: UInt64) { accepted.append((sequence, transaction)) }

  /// A transaction that was accepted is appended, or is dropped.
  func settle(_ sequence: UInt64) {
    // Nearly always the first: thousands may be on their way to the disk.
    if accepted.first?.sequence == sequence {
      accepted = accepted.count == 1 ? [] : accepted.dropFirst()
    } else {
      accepted.removeAll { $0.sequence == sequence }
    }
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

  /// Whether something in it needs a frame.
  var wantsFrame: Bool { !pending.isEmpty }

  /// Takes out the events for a frame.
  func takePending() -> [RuntimeEvent] {
    defer { (pending, inputs, commits) = ([], 0, 0) }
    if commits > 0 { noteApplied(pending) }
    return pending
  }

  /// Takes out the transactions up to this one, in order; all other events wait on.
  func takeCommits(through last: UInt64 = .max) -> [RuntimeEvent] {
    let isTaken = { (event: RuntimeEvent) in event.sequence.map { $0 <= last } ?? false }
    let events = pending.filter(isTaken)
    pending.removeAll(where: isTaken)
    noteApplied(events)
    commits -= events.count
    return events
  }

  /// Takes out the transactions of these sequences, wherever they wait; they are not applied.
  ///
  /// - Returns: the sequences of those that waited.
  func withdraw(_ sequences: Set<UInt64>) -> Set<UInt64> {
    let withdrawn = self.sequences.intersection(sequences)
    guard !withdrawn.isEmpty else { return [] }
    waiting.withdraw(withdrawn)
    pending.removeAll { $0.sequence.map(withdrawn.contains) ?? false }
    commits = pending.count { $0.sequence != nil }
    return withdrawn
  }

  private func noteApplied(_ events: [RuntimeEvent]) {
    if let last = events.last(where: { $0.sequence != nil })?.sequence { lastApplied = last }
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

  /// The transactions that the next frame applies, and those that are accepted and not yet durable, in order.
  var unapplied: [(sequence: UInt64, transaction: Transaction)] {
    let next = pending.compactMap {
      if case .commit(let sequence, let transaction) = $0 { (sequence, transaction) } else { nil }
    }
    return next + accepted
  }

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
  /// The sequence of a transaction; `nil` for every other event.
  var sequence: UInt64? { if case .commit(let sequence, _) = self { sequence } else { nil } }

  /// Whether it concerns workers; such events are applied before transactions, in the order in which they arrived.
  var concernsWorkers: Bool {
    switch self {
    case .update, .provisioned, .lost, .quarantined, .restored, .withheld, .planQuarantined: true
    case .commit, .stop, .withdraw, .input, .inputValues: false
    }
  }
}
