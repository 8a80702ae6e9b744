public import MotionModel

extension Runtime {
  /// The last frame that was run.
  public var frame: Frame { position.frame }
  /// The hash of the last frame: its number, time and dt, and every property that changed in it, bit for bit.
  public var frameHash: UInt64 { recorder.hash }
  /// The plans that ended in the last frame or since, in order.
  public var ended: [EndedIntention] { reports.ended }
  /// The latest failed plans, the newest last; at least the last ``failuresKept``, at most twice as many.
  public var failures: [IntentionRow] { reports.failures }
  /// How many writes were refused because they were not finite, or because the executor may not write the property.
  public var refusedWrites: UInt64 { reports.refusedWrites }
  /// How many starts of tokens were refused because their executor held ``/MotionModel/Limits/tokensPerExecutor``.
  public var refusedTokens: UInt64 { reports.refusedTokens }
  /// How many times a driver was late for a frame.
  public var lateUpdates: UInt64 { reports.lateUpdates }

  /// A property that changed in the last frame, or between it and now.
  public struct Change {
    /// The property's short name.
    public let handle: PropertyHandle
    /// The property.
    public let reference: PropertyReference
    /// Its value and velocity.
    public let state: PropertyState
    /// Whether its driver is late or dead.
    public let isLate: Bool

    init(_ slot: PropertyTable.Slot, in table: PropertyTable) {
      (handle, reference) = (table.handle(at: slot), table[slot].reference)
      (state, isLate) = (table.state(at: slot), table.isLate(slot))
    }
  }

  /// Properties in the state that they had when this sequence was read.
  ///
  /// A type of its own and not a lazy map and filter: those are not specialised beyond this module. A published frame
  /// of 20,000 properties took 7.0 ms of processor time with them and takes 5.6 with this, on a busy machine.
  public struct Changes: Sequence {
    fileprivate let table: PropertyTable
    fileprivate let slots: ArraySlice<UInt32>

    /// Iterates over the properties.
    public struct Iterator: IteratorProtocol {
      fileprivate let changes: Changes
      fileprivate var index = 0

      /// The next property.
      public mutating func next() -> Change? {
        while index < changes.slots.count {
          let slot = Int(changes.slots[index])
          index += 1
          if changes.table.isOccupied(slot) { return Change(slot, in: changes.table) }
        }
        return nil
      }
    }

    /// Begins with the first.
    public func makeIterator() -> Iterator { Iterator(changes: self) }
  }

  /// The properties that changed in the last frame, new ones included, each once, in the order of their first change.
  public var changes: Changes { Changes(table: movement.properties, slots: movement.properties.changes.slots) }

  /// The properties that were forgotten in the last frame or between it and now, in order. Their names may be in use
  /// again, their handles never are.
  public var forgotten: [ForgottenProperty] { movement.properties.forgotten }

  /// Every property, in the order of slots.
  public var allProperties: Changes {
    Changes(table: movement.properties, slots: movement.properties.occupied.map { UInt32($0) }[...])
  }

  /// Takes out the plans that ended since the last call, in order; at most ``endedKept`` are kept.
  public func takeEnded() -> [EndedIntention] { reports.takeEnded() }

  /// Takes out the changes of drivers since the last call, in order: empty unless ``keepsDriverChanges``.
  public func takeDriverChanges() -> [DriverChange] { reports.takeDriverChanges() }

  /// Takes out the record of the last frame: the events applied since the one before, and the hash of the result.
  ///
  /// Call it after each frame while ``isRecording``; otherwise the kept events grow.
  public func takeRecord(skipped: UInt64 = 0) -> RecordedFrame { recorder.take(frame, skipped: skipped) }

  /// The simulated time for which the earliest transaction with an `at` waits.
  public var nextDueTime: Double? { queue.waiting.earliest }
}

/// A property that no longer exists, because its target was forgotten.
public struct ForgottenProperty: Hashable, Sendable {
  /// The short name that it had.
  public let handle: PropertyHandle
  /// The property.
  public let reference: PropertyReference
}
