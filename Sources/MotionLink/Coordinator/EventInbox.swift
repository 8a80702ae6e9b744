import MotionModel

/// Takes each event of a worker once and in order, however often and in whatever order it is said.
struct EventInbox: Hashable, Sendable {
  /// The last event that was taken.
  private(set) var lastApplied: UInt64 = 0

  /// The events that follow the last one taken, without a gap.
  ///
  /// - Returns: the new events, and whether nothing is missing: what lies behind a gap is left, as it is sent again.
  mutating func take(
    _ events: [WorkerUpdate.NumberedEvent]
  ) -> (new: [WorkerUpdate.NumberedEvent], isComplete: Bool) {
    var new: [WorkerUpdate.NumberedEvent] = []
    for event in events where event.number > lastApplied {
      guard event.number == lastApplied + 1 else { return (new, false) }
      lastApplied = event.number
      new.append(event)
    }
    return (new, true)
  }
}
