import MotionModel
import MotionPhysics

extension Runtime {
  /// The executor of a target that fulfils plans of a type, created if there is none.
  func findOrMakeExecutor(of reading: PlanReading, on target: TargetRecord) -> ExecutorRecord {
    let type = reading.entry.description.executor
    // A target has few executors: comparing their types costs less than hashing one.
    for handle in target.executors {
      if let record = plans.executors[handle], record.type == type { return record }
    }
    plans.last.executor += 1
    let handle = ExecutorHandle(plans.last.executor)
    let record: ExecutorRecord
    if reading.isForce {
      record = ExecutorRecord(
        type: type, on: target, handle: handle, executor: PhysicsExecutor(handle: handle, runtime: self),
        abilities: PhysicsExecutor.abilities, worker: nil)
    } else {
      let (executor, worker) = makeExecutor(type, on: target.name, handle, provider: reading.entry.provider)
      record = ExecutorRecord(
        type: type, on: target, handle: handle, executor: executor,
        abilities: executor.map { reader.abilities(of: type, $0) } ?? [],
        worker: worker)
    }
    plans.executors[handle] = record
    target.executors.append(handle)
    reports.trace(.didCreateExecutor(record.key))
    return record
  }

  private func makeExecutor(
    _ type: ExecutorType, on target: TargetName, _ handle: ExecutorHandle, provider: IntentionCatalog.Provider
  ) -> ((any Executor)?, WorkerAddress?) {
    if case .plugin(let plugin) = provider {
      let worker = reader.registry.worker(for: ExecutorKey(target, type), of: plugin)
      workers.records[worker, default: WorkerRecord()].executors.insert(handle)
      workers.port?.need(worker)
      return (nil, worker)
    }
    if let declaration = reader.registry.declarations[type] {
      return (declaration.make(target, ExecutorContext(target: target, executor: handle, host: self)), nil)
    }
    return (PhysicsExecutor(handle: handle, runtime: self), nil)
  }

  /// Removes an executor without plans and tokens, or whose target is forgotten.
  func removeExecutor(_ handle: ExecutorHandle) {
    guard let record = plans.executors.removeValue(forKey: handle) else { return }
    for token in record.tokens.keys.sorted() { reports.trace(.didEnd(token, record.key)) }
    activity.remove(record)
    record.tokens = [:]
    record.target.executors.removeAll { $0 == handle }
    if let worker = record.worker {
      workers.records[worker]?.executors.remove(handle)
      workers.records[worker]?.unacknowledged.remove(handle)
      workers.send(.removeExecutor(handle), to: worker)
    }
    record.physics?.letGo()
    reports.trace(.didRemoveExecutor(record.key))
  }

  /// Removes the executors that have been idle for long enough or, when no frame follows, all idle ones.
  func removeIdleExecutors() {
    guard activity.hasEmptied else { return }
    activity.visitIdle(all: !isMoving) { removeExecutor($0) }
    refreshActivity()
  }

  /// Whether anything will move in the next frame by itself.
  private var isMoving: Bool { activity.executors.wantingFrames > 0 || movement.isMoving }

  /// Whether the next frame has something to do.
  ///
  /// An active runtime may want no frame: while executors hold tokens, or plans are owed to absent workers, nothing
  /// moves until something is submitted. Work that a frame left to the next, so as not to be late itself, wants that
  /// frame.
  public var wantsFrames: Bool {
    isMoving || !queue.pending.isEmpty || movement.hasArrivals || !staging.superseded.isEmpty
      || activity.wantsRemovals
  }

  /// Notes whether the runtime is active, and traces a change.
  func refreshActivity() {
    let active = activity.executors.active > 0 || wantsFrames
    guard active != isActive else { return }
    isActive = active
    reports.trace(.didChangeActivity(active))
  }
}
