import MotionModel

/// The executors that are active, those that need updates, and those that are idle.
///
/// Every command to an executor passes here, because it makes the executor active.
final class Activity {
  /// See ``Runtime/executorLinger``.
  static let linger = 0.5
  /// See ``Runtime/removalsPerFrame``.
  static let removalsPerFrame = 4_000

  let position: FramePosition
  let plans: Plans
  let reader: PlanReader
  let workers: WorkerLedger
  let log: EventLog
  let queue: EventQueue
  let staging: StagingArea
  /// Whether anything moves, or may move with the next frame, an executor holds a token, or a plan is owed to a worker.
  private(set) var isActive = false
  /// How many executors are active, and how many want frames.
  private(set) var executors = ActivityCount()
  /// How many tokens the executors hold: a status query must not cost a walk over a million of them.
  var tokens = 0
  /// The executors in this process that want updates.
  private var updating: [ExecutorHandle] = []
  private var updatingIsSorted = true
  private var idle = IdleExecutors()

  /// No executors yet.
  init(
    at position: FramePosition, of plans: Plans, _ reader: PlanReader, _ workers: WorkerLedger, _ log: EventLog,
    _ queue: EventQueue, _ staging: StagingArea
  ) {
    (self.position, self.plans, self.reader, self.workers) = (position, plans, reader, workers)
    (self.log, self.queue, self.staging) = (log, queue, staging)
  }

  // MARK: Frames

  /// Whether anything will move in the next frame by itself.
  var isMoving: Bool { executors.wantingFrames > 0 || plans.movement.isMoving }

  /// Whether the next frame has something to do; see ``Runtime/wantsFrames``.
  var wantsFrames: Bool {
    isMoving || queue.wantsFrame || plans.inputs.hasFollowedWaiting || plans.movement.hasArrivals
      || !staging.superseded.isEmpty
      || idle.wantsRemovals(atMost: Self.removalsPerFrame)
  }

  /// Notes whether the runtime is active, and logs a change.
  func refresh() {
    let active = executors.active > 0 || wantsFrames
    guard active != isActive else { return }
    isActive = active
    log.note(.activity, .activity(isActive: active))
  }

  // MARK: Counting

  /// Notes whether an executor is active, after any change that may affect it.
  func refresh(_ record: ExecutorRecord) {
    if record.wantsUpdate, record.worker == nil, !record.isListed {
      record.isListed = true
      updating.append(record.handle)
      updatingIsSorted = false
    }
    let needs = needs(of: record)
    guard needs != record.counted, plans.executors[record.handle] != nil else { return }
    count(record, as: needs)
  }

  /// A command that a worker has not acknowledged needs frames only while the worker is provisioned: an absent worker
  /// can answer none of them.
  func needs(of record: ExecutorRecord) -> ExecutorActivity {
    let isAnswerDue = record.unacknowledged != nil && record.worker.map(workers.isProvisioned) ?? false
    return ExecutorActivity(isActive: record.isActive, wantsFrames: record.wantsUpdate || isAnswerDue)
  }

  /// Counts an executor no longer, because it is removed, and ends its tokens.
  func remove(_ record: ExecutorRecord) {
    count(record, as: ExecutorActivity())
    tokens -= record.tokens.count
  }

  private func count(_ record: ExecutorRecord, as activity: ExecutorActivity) {
    executors.change(from: record.counted, to: activity)
    if let worker = record.worker { workers.records[worker]?.activity.change(from: record.counted, to: activity) }
    record.counted = activity
  }

  // MARK: Answers

  /// Makes an executor active until its worker has applied the last command. It needs frames if the worker is
  /// provisioned.
  func awaitAcknowledgement(of record: ExecutorRecord) {
    guard let worker = record.worker, plans.executors[record.handle] != nil else { return }
    if record.unacknowledged == nil {
      record.askedIn = position.frame.number
      if workers.records[worker]?.overdue.contains(record.handle) != true { record.silentSince = position.frame.time }
    }
    record.unacknowledged = workers.records[worker]?.commandsSent
    workers.records[worker]?.unacknowledged.insert(record.handle)
    refresh(record)
  }

  /// Notes that an executor received something on which it may act in the next frame.
  func expectAnswer(of record: ExecutorRecord) {
    if let worker = record.worker {
      if workers.isProvisioned(worker) { awaitAcknowledgement(of: record) }
      return
    }
    if record.abilities.contains(.updates) { record.wantsUpdate = true }
    refresh(record)
  }

  // MARK: Updates

  /// The executors that want this frame, target by target.
  func takeUpdating() -> [ExecutorHandle] {
    if !updatingIsSorted {
      updating.sort { order(of: $0) < order(of: $1) }
      updatingIsSorted = true
    }
    return updating
  }

  private func order(of handle: ExecutorHandle) -> (UInt64, UInt32) {
    (plans.executors[handle]?.target.ordinal ?? .max, handle.rawValue)
  }

  /// Drops the executors that want no further frame.
  func endUpdating() {
    updating.removeAll { handle in
      guard let record = plans.executors[handle] else { return true }
      record.isListed = record.wantsUpdate
      refresh(record)
      return !record.wantsUpdate
    }
  }

  // MARK: Idle executors

  /// Notes since when an executor is empty, if it has no plans and tokens.
  func noteIfEmpty(_ record: ExecutorRecord) {
    guard record.isEmpty, record.idleSince == nil else { return }
    record.idleSince = position.frame.time
    idle.append(record.handle, since: position.frame.time)
  }

  /// Notes that an executor has been idle in another runtime since then.
  func restore(idle executor: ExecutorHandle, since: Double) { idle.append(executor, since: since) }

  /// Whether there are executors that may have to be removed.
  var hasIdle: Bool { !idle.isEmpty }

  /// Takes out the executors that have been idle for long enough or, when no frame follows, all idle ones: the longest
  /// idle first, and at most ``removalsPerFrame``. The caller removes them.
  func takeIdle() -> [ExecutorHandle] {
    let taken = idle.take(all: !isMoving, at: position.frame.time, linger: Self.linger, atMost: Self.removalsPerFrame)
    return taken.compactMap { handle, since in
      // An executor that got a plan or token since, and lost it again, has a later entry.
      guard let record = plans.executors[handle], record.isEmpty, record.idleSince == since else { return nil }
      return handle
    }
  }
}

/// Executors without plans and tokens, with the time since when, in that order. Some may have got new plans since.
private struct IdleExecutors {
  private var entries: [(executor: ExecutorHandle, since: Double)] = []
  /// How many of these, from the first on, have been taken already.
  private var taken = 0
  /// Whether some of them have to be removed although nothing moves: they were too many for one frame.
  private var isTidying = false

  var isEmpty: Bool { entries.isEmpty }

  /// Whether more are left than one frame may remove, or some are to be removed although nothing moves.
  func wantsRemovals(atMost limit: Int) -> Bool { isTidying || entries.count - taken > limit }

  mutating func append(_ executor: ExecutorHandle, since: Double) { entries.append((executor, since)) }

  /// Takes out those that have been idle for so long, or all, the longest idle first.
  mutating func take(
    all: Bool, at time: Double, linger: Double, atMost limit: Int
  ) -> [(executor: ExecutorHandle, since: Double)] {
    let end = min(taken + limit, entries.count)
    var next = taken
    while next < end, all || time - entries[next].since >= linger { next += 1 }
    let due = Array(entries[taken..<next])
    taken = next
    // The front is cut off when it is the larger part, so that the amortised cost is small.
    if taken * 2 >= entries.count {
      entries.removeFirst(taken)
      taken = 0
    }
    isTidying = all && taken < entries.count
    return due
  }
}
