import MotionModel

/// Numbers a worker's events from 1 and keeps each until it is acknowledged.
struct EventOutbox: Sendable {
  /// What is not acknowledged, in order.
  private(set) var events: [WorkerUpdate.NumberedEvent] = []
  /// The plans that events have ended, with the numbers of these, as long as a snapshot may come that does not know.
  private var endings: [(number: UInt64, identity: IntentionIdentity)] = []
  /// The number of the last event.
  private(set) var last: UInt64 = 0
  /// The last event that was said at least once.
  private(set) var lastSaid: UInt64 = 0

  /// Numbers an event and keeps it.
  mutating func record(_ event: WorkerEvent) {
    last += 1
    events.append(WorkerUpdate.NumberedEvent(last, event))
    if let identity = event.endedPlan { endings.append((last, identity)) }
  }

  /// The events up to this one need not be sent again. Linear in what remains.
  mutating func acknowledge(_ number: UInt64) {
    guard let first = events.first?.number, number >= first else { return }
    events.removeFirst(Int(min(number - first, UInt64(events.count - 1))) + 1)
  }

  /// All that is kept is said.
  mutating func said() { lastSaid = last }

  /// No snapshot can come but in answer to a request that is yet to be made: it will know of all that is acknowledged.
  mutating func settle() {
    let acknowledged = events.first.map { $0.number - 1 } ?? last
    guard let first = endings.first, first.number <= acknowledged else { return }
    endings.removeFirst(endings.firstIndex { $0.number > acknowledged } ?? endings.count)
  }

  /// A snapshot without the plans that this worker has ended since: what is over here must not begin anew.
  ///
  /// - Parameter number: the last event that the snapshot knows of.
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
  /// The plan that is over with it.
  fileprivate var endedPlan: IntentionIdentity? {
    switch self {
    case .finished(_, let identity, _), .failed(_, let identity, _): identity
    case .activity, .started, .ended, .emitted: nil
    }
  }
}
