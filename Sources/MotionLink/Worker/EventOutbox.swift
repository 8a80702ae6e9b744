import MotionModel

/// Numbers a worker's events from 1 and keeps each until it is acknowledged.
struct EventOutbox: Hashable, Sendable {
  /// What is not acknowledged, in order.
  private(set) var events: [WorkerUpdate.NumberedEvent] = []
  /// The number of the last event.
  private(set) var last: UInt64 = 0
  /// The last event that was said at least once.
  private(set) var lastSaid: UInt64 = 0

  /// Numbers an event and keeps it.
  mutating func record(_ event: WorkerEvent) {
    last += 1
    events.append(WorkerUpdate.NumberedEvent(last, event))
  }

  /// The events up to this one need not be said again. Linear in what remains.
  mutating func acknowledge(_ number: UInt64) {
    guard let first = events.first?.number, number >= first else { return }
    events.removeFirst(min(events.count, Int(clamping: number - first) + 1))
  }

  /// All that is kept is said.
  mutating func said() { lastSaid = last }
}
