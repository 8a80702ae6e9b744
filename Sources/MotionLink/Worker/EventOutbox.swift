import MotionModel

/// Numbers a worker's events from 1 and keeps each until it is acknowledged.
struct EventOutbox: Sendable {
  /// The events that are not acknowledged, in order.
  private(set) var events: [WorkerUpdate.NumberedEvent] = []
  /// The plans that events have ended, with the numbers of these events, as long as a snapshot may come that does not
  /// reflect them.
  private var endings: [(number: UInt64, identity: IntentionIdentity)] = []
  /// The number of the last event.
  private(set) var last: UInt64 = 0
  /// The last event that was sent at least once.
  private(set) var lastSaid: UInt64 = 0

  /// Numbers an event and keeps it.
  mutating func record(_ event: WorkerEvent) {
    last += 1
    events.append(WorkerUpdate.NumberedEvent(last, event))
    if let identity = event.endedPlan { endings.append((last, identity)) }
  }

  /// Drops the events up to this one, which need not be resent. Linear in the number that remains.
  mutating func acknowledge(_ number: UInt64) {
    guard let first = events.first?.number, number >= first else { return }
    events.removeFirst(Int(min(number - first, UInt64(events.count - 1))) + 1)
  }

  /// All kept events have been sent.
  mutating func said() { lastSaid = last }

  /// Drops the ended plans whose events are acknowledged. A snapshot can only come in answer to a later request, so it
  /// reflects every acknowledged event.
  mutating func settle() {
    let acknowledged = events.first.map { $0.number - 1 } ?? last
    guard let first = endings.first, first.number <= acknowledged else { return }
    endings.removeFirst(endings.firstIndex { $0.number > acknowledged } ?? endings.count)
  }

  /// A snapshot without the plans that this worker has ended since: a plan that has ended here must not begin again.
  ///
  /// - Parameter number: the last event that the snapshot reflects.
  func withoutEnded(_ snapshot: WorkerSnapshot, asOf number: UInt64) -> WorkerSnapshot {
    let ended = Set(endings.lazy.filter { $0.number > number }.map(\.identity))
    guard !ended.isEmpty else { return snapshot }
    var snapshot = snapshot
    for index in snapshot.executors.indices {
      snapshot.executors[index].intentions.removeAll { ended.contains($0.identity) }
    }
    return snapshot
  }
}

extension WorkerEvent {
  /// The plan that ended with this event.
  fileprivate var endedPlan: IntentionIdentity? {
    switch self {
    case .finished(_, let identity, _), .failed(_, let identity, _): identity
    case .activity, .started, .ended, .emitted: nil
    }
  }
}
