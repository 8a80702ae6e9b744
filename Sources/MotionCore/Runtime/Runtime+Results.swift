public import MotionModel

extension Runtime {
  /// A property that changed in the last frame, or between it and now.
  public struct Change {
    /// The property's short name.
    public let handle: PropertyHandle
    /// The property.
    public let reference: PropertyReference
    /// Where it is and how fast it moves.
    public let state: PropertyState
    /// Whether its driver is late or dead.
    public let isLate: Bool

    init(_ slot: PropertyTable.Slot, in table: PropertyTable) {
      let entry = table[slot]
      (handle, reference, state, isLate) = (entry.handle, entry.reference, entry.state, table.isLate(slot))
    }
  }

  /// The properties that changed in the last frame, new ones included, each once, in the order of their first change.
  public var changes: some Sequence<Change> {
    properties.changed.lazy.map { [properties] in Change($0, in: properties) }
  }

  /// The properties that were forgotten in the last frame or between it and now, in order. Their names may be in use
  /// again, their handles never are.
  public var forgotten: [ForgottenProperty] { properties.forgotten }

  /// Every property, in the order of slots.
  public var allProperties: some Sequence<Change> {
    properties.occupied.lazy.map { [properties] in Change($0, in: properties) }
  }

  /// Takes out the plans that ended since the last call, in order; at most ``endedKept`` are kept.
  public func takeEnded() -> [EndedIntention] {
    defer { ended = [] }
    return ended
  }

  /// Takes out who took which property over since the last call, in order: nothing unless ``keepsDriverChanges``.
  public func takeDriverChanges() -> [DriverChange] {
    defer { driverChanges = [] }
    return driverChanges
  }

  /// Takes out the record of the last frame: what was applied since the one before, and the hash of what came out.
  ///
  /// Call it after each frame while ``isRecording``; otherwise what is kept grows.
  public func takeRecord(skipped: UInt64 = 0) -> RecordedFrame {
    defer { (applied, appliedBetween) = ([], []) }
    return RecordedFrame(
      frame: frame, betweenFrames: appliedBetween, events: applied, skipped: skipped, hash: frameHash)
  }

  /// The simulated time for which the earliest transaction with an `at` waits.
  public var nextDueTime: Double? { waiting.earliest }
}

/// A property that is no more, because its target was forgotten.
public struct ForgottenProperty: Hashable, Sendable {
  /// The short name that it had.
  public let handle: PropertyHandle
  /// The property.
  public let reference: PropertyReference
}
