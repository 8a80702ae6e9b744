import MotionModel

/// What a runtime knows of an intention that has been applied and has not ended.
final class IntentionRecord {
  let identity: IntentionIdentity
  let target: TargetName
  let executor: ExecutorHandle
  let intention: Intention
  let name: IntentionName?
  let kind: IntentionKind
  /// The properties it writes.
  let slots: [PropertyTable.Slot]
  /// Its place in the order of all additions.
  let order: UInt64
  /// Its executor has it, waits to get it, or is owed it.
  var state: IntentionRow.State
  /// When its time began; `nil` until then.
  var start: (frame: UInt64, time: Double)?
  /// Where its properties were when its time began; kept for those in workers, which may have to be told again.
  var starts: [PlannedIntention.Start] = []
  /// What it emitted so far, and which of it has not ended.
  var emitted = OrdinalSet()
  var children: Set<UInt32> = []

  init(
    identity: IntentionIdentity, target: TargetName, executor: ExecutorHandle, intention: Intention,
    name: IntentionName?, kind: IntentionKind, slots: [PropertyTable.Slot], order: UInt64, state: IntentionRow.State
  ) {
    self.identity = identity
    self.target = target
    self.executor = executor
    self.intention = intention
    self.name = name
    self.kind = kind
    self.slots = slots
    self.order = order
    self.state = state
  }

  /// The intention as its executor receives it, once its time has begun.
  func planned(from starts: [PlannedIntention.Start]) -> PlannedIntention? {
    guard let start else { return nil }
    return PlannedIntention(
      identity: identity, intention: intention, name: name, startFrame: start.frame, startTime: start.time,
      starts: starts)
  }
}

/// The ordinals of what a plan emitted, so that emitting again does nothing: small for whoever counts up from 0.
struct OrdinalSet {
  private var countedUp: UInt32 = 0
  private var others: Set<UInt32> = []

  /// - Returns: whether the ordinal is new.
  mutating func insert(_ ordinal: UInt32) -> Bool {
    guard ordinal >= countedUp, others.insert(ordinal).inserted else { return false }
    while others.remove(countedUp) != nil { countedUp += 1 }
    return true
  }
}

/// What a runtime knows of an executor.
final class ExecutorRecord {
  let key: ExecutorKey
  let handle: ExecutorHandle
  let targetOrdinal: UInt64
  let executor: any Executor
  /// What else the executor can do.
  let named: (any NamedExecutor)?
  let updating: (any UpdatingExecutor)?
  let yielding: (any YieldingExecutor)?
  let reading: (any ReadingExecutor)?
  let input: (any InputExecutor)?
  /// The worker it lives in; `nil` in this process.
  let worker: WorkerAddress?

  /// What a token moves.
  struct Token {
    var slots: [PropertyTable.Slot]
    /// Where these were when the executor saw them last; empty if its values do not count from there.
    var bases: [PropertyTable.Slot: Lanes] = [:]
    /// Whether it names no property: a hand then holds whatever it writes.
    var holdsWhatItWrites: Bool
  }

  /// The tokens it holds.
  var tokens: [TokenName: Token] = [:]
  /// Whether it wants the next frame.
  var wantsUpdate = false
  /// The number of the last command that its worker has to acknowledge; `nil` when it owes nothing.
  var unacknowledged: UInt64?
  /// Its intentions, in order of addition.
  var intentions: [IntentionIdentity] = []
  /// The properties that plans of it write, or wrote: for an executor in a worker, whose words may come later.
  var written: Set<PropertyTable.Slot> = []
  /// Since when it has nothing to do, in simulated seconds; `nil` while it has.
  var idleSince: Double?

  /// Whether it stands in the runtime's lists of executors to update and to remove, and in the count of active ones.
  var isListed = false
  var isEmptied = false
  var isCounted = false

  init(
    key: ExecutorKey, handle: ExecutorHandle, targetOrdinal: UInt64, executor: any Executor, worker: WorkerAddress?
  ) {
    self.key = key
    self.handle = handle
    self.targetOrdinal = targetOrdinal
    self.executor = executor
    self.worker = worker
    named = executor as? any NamedExecutor
    updating = executor as? any UpdatingExecutor
    yielding = executor as? any YieldingExecutor
    reading = executor as? any ReadingExecutor
    input = executor as? any InputExecutor
  }

  var isActive: Bool { wantsUpdate || !tokens.isEmpty || unacknowledged != nil }
  var isEmpty: Bool { intentions.isEmpty && tokens.isEmpty }
  /// Where the values of its hand on a property count from.
  func base(of slot: PropertyTable.Slot) -> Lanes? { tokens.values.lazy.compactMap { $0.bases[slot] }.first }
  /// Whether a token runs that names no property.
  var holdsWhatItWrites: Bool { tokens.values.contains(where: \.holdsWhatItWrites) }
}

/// What a runtime knows of a target.
struct TargetRecord {
  /// Its place in the order of first mention.
  var ordinal: UInt64
  var slots: [PropertyTable.Slot] = []
  var executors: [ExecutorHandle] = []
  var names: [IntentionName: IntentionIdentity] = [:]
  /// How many intentions it has.
  var intentions = 0
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
  /// How many of them are active.
  var activeExecutors = 0
  /// Those of them that owe an acknowledgement.
  var unacknowledged: Set<ExecutorHandle> = []
  /// How many of its writes were refused, in all its lives.
  var refusedWrites: UInt64 = 0
}
