import MotionModel

/// What a runtime knows of an intention that has been applied and has not ended.
struct IntentionRecord {
  var identity: IntentionIdentity
  var target: TargetName
  var executor: ExecutorHandle
  var intention: Intention
  var name: IntentionName?
  var kind: IntentionKind
  /// The properties it writes.
  var slots: [PropertyTable.Slot]
  /// Its place in the order of all additions.
  var order: UInt64
  /// Its executor has it, waits to get it, or is owed it.
  var state: IntentionRow.State
  /// When its time began; `nil` until then.
  var start: (frame: UInt64, time: Double)?
  /// Where its properties were when its time began.
  var starts: [PlannedIntention.Start] = []
  /// The ordinals of what it emitted, so that emitting again does nothing.
  var children: [UInt32] = []

  /// The intention as its executor receives it.
  func planned() -> PlannedIntention? {
    guard let start else { return nil }
    return PlannedIntention(
      identity: identity, intention: intention, name: name, startFrame: start.frame, startTime: start.time,
      starts: starts)
  }
}

/// What a runtime knows of an executor.
final class ExecutorRecord {
  let key: ExecutorKey
  let handle: ExecutorHandle
  let targetOrdinal: UInt64
  let executor: any Executor
  /// The worker it lives in; `nil` in this process.
  let worker: WorkerAddress?

  /// The tokens it holds, each with the properties that it moves.
  var tokens: [TokenName: [PropertyTable.Slot]] = [:]
  /// Whether it wants the next frame.
  var wantsUpdate = false
  /// Whether it stands in the runtime's list of executors to update.
  var isListed = false
  /// The number of the last command that its worker has to acknowledge; `nil` when it owes nothing.
  var unacknowledged: UInt64?
  /// Its intentions, in order of addition.
  var intentions: [IntentionIdentity] = []
  /// Since when it has nothing to do, in simulated seconds; `nil` while it has.
  var idleSince: Double?

  init(
    key: ExecutorKey, handle: ExecutorHandle, targetOrdinal: UInt64, executor: any Executor, worker: WorkerAddress?
  ) {
    self.key = key
    self.handle = handle
    self.targetOrdinal = targetOrdinal
    self.executor = executor
    self.worker = worker
  }

  var isActive: Bool { wantsUpdate || !tokens.isEmpty || unacknowledged != nil }
  var isEmpty: Bool { intentions.isEmpty && tokens.isEmpty }
}

/// What a runtime knows of a target.
struct TargetRecord {
  /// Its place in the order of first mention.
  var ordinal: UInt64
  var slots: [PropertyTable.Slot] = []
  var executors: [ExecutorHandle] = []
  var names: [IntentionName: IntentionIdentity] = [:]
}

/// What a runtime knows of a worker.
struct WorkerRecord {
  var isProvisioned = false
  /// How many commands were sent since it was first provisioned in this life.
  var commandsSent: UInt64 = 0
  /// The last frame whose values it sent.
  var lastFrame: UInt64 = 0
  /// Its executors.
  var executors: Set<ExecutorHandle> = []
  /// Those of them that are active.
  var active: Set<ExecutorHandle> = []
  /// Those of them that owe an acknowledgement.
  var unacknowledged: Set<ExecutorHandle> = []
}
