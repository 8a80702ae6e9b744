import MotionModel
import MotionPhysics

extension Runtime {
  /// The executor of a target that fulfils plans of a type, created if there is none.
  func findOrMakeExecutor(of reading: PlanReading, on target: TargetRecord) -> ExecutorRecord {
    let type = reading.entry.description.executor
    // A target has few executors: comparing their types costs less than hashing one.
    for handle in target.executors {
      if let record = executors[handle], record.type == type { return record }
    }
    lastExecutor += 1
    let handle = ExecutorHandle(lastExecutor)
    let record: ExecutorRecord
    if reading.isForce {
      record = ExecutorRecord(
        type: type, on: target, handle: handle, executor: PhysicsExecutor(handle: handle, runtime: self),
        abilities: PhysicsExecutor.abilities, worker: nil)
    } else {
      let (executor, worker) = makeExecutor(type, on: target.name, handle, provider: reading.entry.provider)
      record = ExecutorRecord(
        type: type, on: target, handle: handle, executor: executor, abilities: abilities(of: type, executor),
        worker: worker)
    }
    executors[handle] = record
    target.executors.append(handle)
    trace(.didCreateExecutor(record.key))
    return record
  }

  private func makeExecutor(
    _ type: ExecutorType, on target: TargetName, _ handle: ExecutorHandle, provider: IntentionCatalog.Provider
  ) -> (any Executor, WorkerAddress?) {
    if case .plugin(let plugin) = provider {
      let key = ExecutorKey(target, type)
      let worker = registry.worker(for: key, of: plugin)
      workers[worker, default: WorkerRecord()].executors.insert(handle)
      workerPort?.need(worker)
      return (RemoteExecutor(key: key, handle: handle, worker: worker, runtime: self), worker)
    }
    if let declaration = registry.declarations[type] {
      return (declaration.make(target, ExecutorContext(target: target, executor: handle, host: self)), nil)
    }
    return (PhysicsExecutor(handle: handle, runtime: self), nil)
  }

  /// The abilities of executors of a type, determined once from the first of them.
  private func abilities(of type: ExecutorType, _ executor: any Executor) -> ExecutorAbilities {
    if let known = abilities[type] { return known }
    let known = ExecutorAbilities(of: executor)
    abilities[type] = known
    return known
  }

  /// Removes an executor without plans and tokens, or whose target is forgotten.
  func removeExecutor(_ handle: ExecutorHandle) {
    guard let record = executors.removeValue(forKey: handle) else { return }
    count(record, as: ExecutorActivity())
    for token in record.tokens.keys.sorted() { trace(.didEnd(token, record.key)) }
    tokenCount -= record.tokens.count
    record.tokens = [:]
    record.target.executors.removeAll { $0 == handle }
    if let worker = record.worker {
      workers[worker]?.executors.remove(handle)
      workers[worker]?.unacknowledged.remove(handle)
      send(.removeExecutor(handle), to: worker)
    }
    record.physics?.letGo()
    trace(.didRemoveExecutor(record.key))
  }

  /// Notes since when an executor is empty, if it has no plans and tokens.
  func noteIfEmpty(_ record: ExecutorRecord) {
    guard record.isEmpty, record.idleSince == nil else { return }
    record.idleSince = frame.time
    emptied.append((record.handle, frame.time))
  }

  /// Removes the executors that have been idle for long enough or, when no frame follows, all idle ones: the longest
  /// idle first, and at most ``removalsPerFrame`` in one frame.
  func removeIdleExecutors() {
    guard !emptied.isEmpty else { return }
    let all = !isMoving
    let end = min(emptiedLooked + Runtime.removalsPerFrame, emptied.count)
    while emptiedLooked < end {
      let (handle, since) = emptied[emptiedLooked]
      guard all || frame.time - since >= Runtime.executorLinger else { break }
      emptiedLooked += 1
      // An executor that got a plan or token since, and lost it again, has a later entry.
      if let record = executors[handle], record.isEmpty, record.idleSince == since { removeExecutor(handle) }
    }
    // The front is cut off when it is the larger part, so that the amortised cost is small.
    if emptiedLooked * 2 >= emptied.count {
      emptied.removeFirst(emptiedLooked)
      emptiedLooked = 0
    }
    isTidying = all && emptiedLooked < emptied.count
    refreshActivity()
  }

  // MARK: Activity

  /// Notes whether an executor is active, after any change that may affect it.
  func refreshActivity(of record: ExecutorRecord) {
    if record.wantsUpdate, record.worker == nil, !record.isListed {
      record.isListed = true
      updating.append(record.handle)
      updatingIsSorted = false
    }
    let activity = activity(of: record)
    guard activity != record.counted, executors[record.handle] != nil else { return }
    count(record, as: activity)
  }

  /// A command that a worker has not acknowledged wants frames only while the worker is provisioned: an absent worker
  /// can answer none of them.
  func activity(of record: ExecutorRecord) -> ExecutorActivity {
    let isAnswerDue = record.unacknowledged != nil && record.worker.map { workers[$0]?.isProvisioned == true } ?? false
    return ExecutorActivity(isActive: record.isActive, wantsFrames: record.wantsUpdate || isAnswerDue)
  }

  private func count(_ record: ExecutorRecord, as activity: ExecutorActivity) {
    executorActivity.change(from: record.counted, to: activity)
    if let worker = record.worker { workers[worker]?.activity.change(from: record.counted, to: activity) }
    record.counted = activity
  }

  /// Whether anything will move in the next frame by itself.
  private var isMoving: Bool { executorActivity.wantingFrames > 0 || bank.movingCount > 0 || !watched.isEmpty }

  /// Whether the next frame has something to do.
  ///
  /// An active runtime may want no frame: while executors hold tokens, or plans are owed to absent workers, nothing
  /// moves until something is submitted. Work that a frame left to the next, so as not to be late itself, wants that
  /// frame.
  public var wantsFrames: Bool {
    isMoving || !pending.isEmpty || !arrivals.isEmpty || !superseded.isEmpty || isTidying
      || emptied.count - emptiedLooked > Runtime.removalsPerFrame
  }

  /// Notes whether the runtime is active, and traces a change.
  func refreshActivity() {
    let active = executorActivity.active > 0 || wantsFrames
    guard active != isActive else { return }
    isActive = active
    trace(.didChangeActivity(active))
  }
}
