import MotionModel
import MotionPhysics

extension Runtime {
  /// The executor of a key, made if there is none.
  func findOrMakeExecutor(_ key: ExecutorKey, provider: IntentionCatalog.Provider) -> ExecutorRecord {
    if let handle = executorOfKey[key], let record = executors[handle] { return record }
    lastExecutor += 1
    let handle = ExecutorHandle(lastExecutor)
    let context = ExecutorContext(target: key.target, executor: handle, host: self)
    var worker: WorkerAddress?
    let executor: any Executor
    if case .plugin(let plugin) = provider {
      let address = registry.worker(for: key, of: plugin)
      worker = address
      workers[address, default: WorkerRecord()].executors.insert(handle)
      executor = RemoteExecutor(key: key, handle: handle, worker: address, runtime: self)
      workerPort?.need(address)
    } else if let declaration = registry.declarations[key.type] {
      executor = declaration.make(key.target, context)
    } else {
      executor = PhysicsExecutor(target: key.target, handle: handle, runtime: self)
    }
    let record = ExecutorRecord(
      key: key, handle: handle, targetOrdinal: targets[key.target]?.ordinal ?? 0, executor: executor, worker: worker)
    executors[handle] = record
    executorOfKey[key] = handle
    targets[key.target]?.executors.append(handle)
    trace(.didCreateExecutor(key))
    return record
  }

  /// Removes an executor that has nothing left, or whose target is forgotten.
  func removeExecutor(_ handle: ExecutorHandle) {
    guard let record = executors.removeValue(forKey: handle) else { return }
    executorOfKey[record.key] = nil
    if record.isCounted { count(record, -1) }
    for token in record.tokens.keys.sorted() { trace(.didEnd(token, record.key)) }
    targets[record.key.target]?.executors.removeAll { $0 == handle }
    if let worker = record.worker {
      workers[worker]?.executors.remove(handle)
      workers[worker]?.unacknowledged.remove(handle)
      send(.removeExecutor(handle), to: worker)
    }
    (record.executor as? PhysicsExecutor)?.letGo()
    trace(.didRemoveExecutor(record.key))
  }

  /// Notes an executor that has nothing left, if it has nothing left.
  func noteIfEmpty(_ record: ExecutorRecord) {
    guard record.isEmpty, !record.isEmptied else { return }
    record.isEmptied = true
    emptied.append(record.handle)
  }

  /// Removes the executors that have had nothing to do for long enough, or, when nothing moves, all of them.
  func removeIdleExecutors() {
    guard !emptied.isEmpty else { return }
    let all = !isMoving
    emptied.removeAll { handle in
      guard let record = executors[handle] else { return true }
      guard record.isEmpty else {
        record.isEmptied = false
        return true
      }
      let since = record.idleSince ?? frame.time
      record.idleSince = since
      guard all || frame.time - since >= Runtime.executorLinger else { return false }
      removeExecutor(handle)
      return true
    }
    refreshActivity()
  }

  // MARK: Activity

  /// Notes whether an executor is active, after anything that may have changed it.
  func refreshActivity(of record: ExecutorRecord) {
    if record.wantsUpdate, record.worker == nil, !record.isListed {
      record.isListed = true
      updating.append(record.handle)
      updatingIsSorted = false
    }
    guard record.isActive != record.isCounted, executors[record.handle] != nil else { return }
    record.isCounted = record.isActive
    count(record, record.isCounted ? 1 : -1)
  }

  private func count(_ record: ExecutorRecord, _ change: Int) {
    activeExecutors += change
    if let worker = record.worker { workers[worker]?.activeExecutors += change }
  }

  /// Whether anything will move in the next frame by itself.
  private var isMoving: Bool { activeExecutors > 0 || bank.movingCount > 0 || !watched.isEmpty }

  /// Notes whether the runtime is active, and says so when that has changed.
  func refreshActivity() {
    let active = isMoving || !pending.isEmpty
    guard active != isActive else { return }
    isActive = active
    trace(.didChangeActivity(active))
  }
}
