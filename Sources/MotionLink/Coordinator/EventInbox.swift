import MotionModel

/// Takes each event of a worker once and in order, however often and in whatever order it is received.
struct EventInbox: Hashable, Sendable {
  /// The last event that was taken.
  private(set) var lastApplied: UInt64 = 0

  /// The events that follow the last one taken, without a gap.
  ///
  /// - Returns: the new events, and whether nothing is missing. Events behind a gap are not taken, because they are
  ///   resent.
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
