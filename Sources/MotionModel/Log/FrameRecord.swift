/// What happened in one frame of a runtime, or between two frames: the events that were applied, and what changed.
///
/// The records of a runtime follow each other in order. A record contains only what the log keeps, and a frame in which
/// nothing of that happened has no record.
public struct FrameRecord: Sendable {
  /// The version of the format of records: of this type and all types in it. Until release 0.1.0 it stays 1, and the
  /// types may change with each commit.
  public static let formatVersion = 1

  /// The frame or, for a record between two frames, the earlier of the two.
  public var frame: Frame
  /// Whether all this happened between two frames.
  public var isBetweenFrames: Bool
  /// Whether older entries were dropped directly before these, because no reader took them.
  public var isAfterGap = false
  /// The events that were applied, in order.
  public var events: [AppliedEvent] = []
  /// What changed, in order.
  public var changes: [CausedChange] = []
  /// The hash of the frame, if the runtime computes it.
  public var hash: UInt64?
  /// Objects that are no longer used, and whose release takes milliseconds. The reader that takes them releases them on
  /// another thread.
  package var remains: [any Sendable] = []

  /// Creates a record without entries.
  public init(frame: Frame, isBetweenFrames: Bool) { (self.frame, self.isBetweenFrames) = (frame, isBetweenFrames) }

  /// The plans that ended, in order.
  public var ended: [EndedIntention] {
    changes.compactMap { entry in if case .ended(let plan, _) = entry.change { plan } else { nil } }
  }

  /// The limits that could not be set, in order.
  public var failedLimits: [FailedLimits] {
    changes.compactMap { entry in if case .limitsFailed(let limits) = entry.change { limits } else { nil } }
  }

  /// The changes of drivers, in order.
  public var drivers: [DriverChange] {
    changes.compactMap { entry in if case .driver(let change) = entry.change { change } else { nil } }
  }
}

/// An event that was applied to a runtime.
public struct AppliedEvent: Hashable, Sendable {
  /// The event.
  public var event: RuntimeEvent
  /// The client that committed it, and when and why; `nil` if it is not a transaction, or the client is unknown.
  public var provenance: Provenance?

  /// Creates an event with its origin.
  public init(_ event: RuntimeEvent, by provenance: Provenance? = nil) {
    (self.event, self.provenance) = (event, provenance)
  }
}

/// A change in a runtime, with its cause.
public struct CausedChange: Hashable, Sendable {
  /// The cause.
  public var cause: ChangeCause
  /// The change.
  public var change: RuntimeChange

  /// Creates a change with its cause.
  public init(_ change: RuntimeChange, by cause: ChangeCause) { (self.change, self.cause) = (change, cause) }
}

/// The cause of a change in a runtime: the event that was being applied.
public enum ChangeCause: Hashable, Sendable {
  /// An operation of a transaction. Without an operation, it is the transaction as a whole: drivers are settled after
  /// its last operation.
  case transaction(sequence: UInt64, operation: UInt32?)
  /// Pointer input on a target.
  case input(TargetName)
  /// Values of an input device.
  case inputValues(DeviceName)
  /// An update of a worker, its start or its loss, or that plans were withheld from it.
  case worker(WorkerAddress)
  /// A plugin was quarantined or restored.
  case plugin(PluginName)
  /// A plan was quarantined.
  case quarantine(IntentionIdentity)
  /// A stop.
  case stop
  /// The plans of a client that disconnected were withdrawn.
  case withdrawal
  /// The frame: something moved, arrived or was updated, or time passed.
  case frame
  /// A call between frames, by the program or by an executor in its process. A restored checkpoint is one, too.
  case call
}

extension ChangeCause {
  /// The cause that an event is while it is applied.
  package init(_ event: RuntimeEvent) {
    self =
      switch event {
      case .commit(let sequence, _): .transaction(sequence: sequence, operation: nil)
      case .update(let worker, _), .provisioned(let worker), .lost(let worker), .withheld(let worker, _):
        .worker(worker)
      case .quarantined(let plugin, _), .restored(let plugin): .plugin(plugin)
      case .planQuarantined(let identity, _): .quarantine(identity)
      case .stop: .stop
      case .withdraw: .withdrawal
      case .input(let input): .input(input.target)
      case .inputValues(let input): .inputValues(input.device)
      }
  }
}
