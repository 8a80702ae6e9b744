public import MotionModel

extension Runtime {
  /// The last frame that was run.
  public var frame: Frame { position.frame }
  /// The hash of the last frame: its number, time and dt, and every property that changed in it, bit for bit.
  public var frameHash: UInt64 { log.hasher.hash }
  /// The latest failed plans, the newest last; at least the last ``failuresKept``, at most twice as many.
  public var failures: [IntentionRow] { log.failed.rows }
  /// How many writes were refused because they were not finite, or because the executor may not write the property.
  public var refusedWrites: UInt64 { log.refusals.writes }
  /// How many starts of tokens were refused because their executor held ``/MotionModel/Limits/tokensPerExecutor``.
  public var refusedTokens: UInt64 { log.refusals.tokens }
  /// How many times a driver was late for a frame.
  public var lateUpdates: UInt64 { log.refusals.late }
  /// How many times limits began to hold a property back from its driver.
  public var limitEntries: UInt64 { movement.properties.governors.entries }
  /// In how many seconds a hold slows down everything, as far as the limits of what moves ask for it.
  public var rampSeconds: Double { movement.properties.governors.rampSeconds }
  /// How many properties their limits hold back.
  public var heldBack: Int { movement.properties.governors.held }

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

  /// The simulated time for which the earliest of these waits: a transaction with an `at`, a plan that begins later, a list
  /// of cues that goes on by itself.
  public var nextDueTime: Double? {
    [queue.waiting.earliest, plans.delayed.earliest, cues.nextDueTime].lazy.compactMap(\.self).min()
  }
}

/// The data of a frame that a publisher reads in place: slots and columns, and names only when they are new.
extension Runtime {
  /// The values and velocities of properties; a slot is the number of a row.
  ///
  /// A copy that a caller keeps beyond the next frame makes that frame copy all of it.
  package var columns: PropertyColumns { movement.properties.columns }

  /// The slots that changed in the last frame, or between it and now, each once, in the order of their first change;
  /// some may be empty again.
  package var changedSlots: ArraySlice<UInt32> { movement.properties.changes.slots }

  /// The slots of properties that are late.
  package var lateSlots: Set<Int> { movement.properties.motions.late }

  /// The newest handle; handles grow.
  package var lastHandle: UInt32 { movement.properties.lastHandle }

  /// How many properties were forgotten so far, and how many of them before those in ``forgotten``.
  package var forgottenCounts: (all: Int, before: Int) {
    (
      movement.properties.removed,
      movement.properties.removed - movement.properties.waitingForgotten - movement.properties.forgotten.count
    )
  }

  /// The slots in use, in order.
  package var occupiedSlots: [UInt32] { movement.properties.occupied.map { UInt32($0) } }

  /// The slots of a target's properties, in order.
  package func slots(of target: TargetName) -> [UInt32] {
    (plans.targets[target]?.slots ?? []).map { UInt32($0) }.sorted()
  }

  /// The slot of a property, if there is one of that name.
  package func slot(of reference: PropertyReference) -> UInt32? { plans.find(reference).map { UInt32($0) } }

  /// The property at a slot in use.
  package func reference(at slot: UInt32) -> PropertyReference { movement.properties[Int(slot)].reference }
}

/// The exact state, and its continuation from there.
extension Runtime {
  /// Whether a snapshot can be taken now: no frame is under way, and the last one left nothing over. It is after nearly
  /// every frame: only those that leave work to the next, so as not to be late themselves, are not.
  public var canSnapshot: Bool {
    !position.isBusy && movement.isSettled && drivers.moves.begun.isEmpty && workers.endings.isEmpty
      && staging.runs.isEmpty && staging.superseded.isEmpty
  }

  /// The complete state after the last frame, without the events that wait for the next one; `nil` while there is none
  /// (``canSnapshot``). Linear in the size of the runtime: a microsecond for each plan with its property.
  public func snapshot() -> RuntimeSnapshot? {
    canSnapshot ? SnapshotCapture.capture(self) : nil
  }

  /// Continues another runtime from its snapshot, in an unused one: to the bit, with the same later events in the same
  /// frames. Executors of an embedding program begin again from the starts of their plans.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when the snapshot is damaged, was written by another version, or has plans of
  ///   types that this runtime does not know. The runtime is of no use then.
  public func restore(_ snapshot: RuntimeSnapshot) throws(Refusal) {
    precondition(isPristine, "a runtime goes on from a snapshot at first")
    do {
      var restoration = SnapshotRestoration(snapshot, in: self)
      try restoration.run()
    } catch {
      throw Refusal(.malformed, "\(error)", remedy: "Begin at another snapshot, or with another version.")
    }
  }
}

/// The state from which another process continues.
extension Runtime {
  /// The complete state from which another process can continue. Linear in the size of the runtime. A caller that needs
  /// one each second uses ``EventLog/takeChanges(atMost:)``, ``checkpointHead()`` and ``columns``. A copy of the columns
  /// costs nothing until the next frame writes, and then 16 bytes for each lane.
  ///
  /// It lacks the transactions that wait for the next frame: see ``pendingCommits``.
  package func checkpoint() -> RuntimeCheckpoint {
    var checkpoint = checkpointHead()
    checkpoint.targets = plans.targets.map(\.value).sorted { $0.ordinal < $1.ordinal }.map { target in
      RuntimeCheckpoint.Target(
        target.name,
        target.slots.map { slot in
          let reference = movement.properties[slot].reference
          return .init(
            reference.property, movement.properties.state(at: slot), limits: movement.properties.limits[reference])
        })
    }
    checkpoint.plans = plans.intentions.map(\.value).sorted { $0.order < $1.order }.map(\.checkpointed)
    return checkpoint
  }

  /// For how many properties a checkpoint contains the fades of hand-overs, and likewise the demands of properties that
  /// limits hold back: a millisecond of work. After a restart at that moment, properties beyond that number continue
  /// with their present velocity, and drivers begin where these are.
  private static let mostHandovers = 4096

  /// The part of a checkpoint besides targets and plans: the frame, the waiting transactions, and the fades of
  /// hand-overs. Linear in these.
  package func checkpointHead() -> RuntimeCheckpoint {
    var checkpoint = RuntimeCheckpoint()
    checkpoint.frame = frame
    checkpoint.clock.time = frame.time
    checkpoint.lastSequence = plans.last.sequence
    checkpoint.waiting = waitingForTheirTime
    checkpoint.handovers = movement.properties.motions.handovers(at: frame.time, atMost: Self.mostHandovers).map {
      let difference = $0.difference ?? PropertyState(Lanes(.zero, count: movement.properties.lanes(at: $0.slot)))
      return .init(movement.properties[$0.slot].reference, difference, remaining: $0.remaining)
    }
    if !movement.properties.limits.isEmpty {
      checkpoint.limits = movement.properties.limits.ofMissingProperties.map { .init($0, $1) }
    }
    checkpoint.groups = plans.groups.rows
    checkpoint.governed = movement.governed(atMost: Self.mostHandovers)
    return checkpoint
  }

  /// Whether these limits are set for a property, or will be by what waits for the next frame. Limits without any number
  /// are those of a property that has none.
  ///
  /// - Parameter waiting: ``waitingLimits``.
  package func hasLimits(
    _ setting: LimitSetting, of reference: PropertyReference, after waiting: [PropertyReference: LimitSetting]
  ) -> Bool {
    (waiting[reference] ?? movement.properties.limits[reference] ?? .limits(PropertyLimits())) == setting
  }

  /// The limits that the transactions which wait for the next frame set. Linear in their operations.
  package var waitingLimits: [PropertyReference: LimitSetting] {
    var settings: [PropertyReference: LimitSetting] = [:]
    for case .commit(_, let transaction) in queue.pending {
      for case .limit(let property, let target, let setting) in transaction.log {
        settings[PropertyReference(target, property)] = setting
      }
    }
    return settings
  }

  /// Whether the runtime is unused: no frame, target or commit yet.
  package var isPristine: Bool { frame.number == 0 && plans.targets.count == 0 && plans.last.sequence == 0 }

  /// The last transaction that was applied without having waited for its time; 0 before the first. Entries of the journal
  /// contain it (``JournalEntry/applied``).
  package var lastApplied: UInt64 { queue.lastApplied }

  /// The last sequence that was given out.
  package var lastSequence: UInt64 { plans.last.sequence }

  /// The sequences of the transactions that wait for their time or for the next frame.
  package var waitingSequences: Set<UInt64> { queue.sequences }

  /// The transactions that wait for the next frame, at its earliest time. A process that continues from a checkpoint
  /// with them lets them wait for its next frame (``restore(_:)``). Linear in the waiting events.
  package var pendingCommits: [RuntimeCheckpoint.Waiting] {
    queue.pending.compactMap { event in
      guard case .commit(let sequence, let transaction) = event else { return nil }
      return .init(at: frame.time, sequence: sequence, transaction, by: plans.provenances[sequence])
    }
  }

  private var waitingForTheirTime: [RuntimeCheckpoint.Waiting] {
    queue.waiting.inOrder.map {
      .init(at: $0.at, sequence: $0.sequence, $0.transaction, by: plans.provenances[$0.sequence])
    }
  }

  /// The transactions that wait for the next frame or for their time. Linear in these.
  package var waitingCommits: [RuntimeCheckpoint.Waiting] { pendingCommits + waitingForTheirTime }

  /// The input values that wait for the next frame, as events.
  package var waitingInputs: [RuntimeEvent] { plans.inputs.waitingEvents }
}
