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
    activeExecutors.remove(handle)
    if record.isListed { updating.removeAll { $0 == handle } }
    for token in record.tokens.keys.sorted() { trace(.didEnd(token, record.key)) }
    targets[record.key.target]?.executors.removeAll { $0 == handle }
    if let worker = record.worker {
      workers[worker]?.executors.remove(handle)
      workers[worker]?.unacknowledged.remove(handle)
      workers[worker]?.active.remove(handle)
      send(.removeExecutor(handle), to: worker)
    }
    (record.executor as? PhysicsExecutor)?.letGo()
    trace(.didRemoveExecutor(record.key))
  }

  /// Removes the executors that have had nothing to do for long enough, or, when nothing moves, all of them.
  func removeIdleExecutors(at time: Double, all: Bool) {
    guard !emptied.isEmpty else { return }
    var kept: [ExecutorHandle] = []
    for handle in emptied {
      guard let record = executors[handle], record.isEmpty else { continue }
      if record.idleSince == nil { record.idleSince = time }
      if all || time - (record.idleSince ?? time) >= Runtime.executorLinger {
        removeExecutor(handle)
      } else if !kept.contains(handle) {
        kept.append(handle)
      }
    }
    emptied = kept
  }

  /// Notes whether an executor is active, after anything that may have changed it.
  func refreshActivity(of record: ExecutorRecord) {
    if record.wantsUpdate, record.worker == nil, !record.isListed {
      record.isListed = true
      updating.append(record.handle)
      updatingIsSorted = false
    }
    if record.isActive { activeExecutors.insert(record.handle) } else { activeExecutors.remove(record.handle) }
    guard let worker = record.worker else { return }
    if record.isActive {
      workers[worker]?.active.insert(record.handle)
    } else {
      workers[worker]?.active.remove(record.handle)
    }
  }

  /// Notes whether the runtime is active, and says so when that has changed.
  func refreshActivity() {
    let active =
      !activeExecutors.isEmpty || bank.movingCount > 0 || !pending.isEmpty || !moving.isEmpty
    guard active != isActive else { return }
    isActive = active
    trace(.didChangeActivity(active))
  }

  // MARK: Tokens

  /// Remote execution started: the executor is active, and a manipulation holds what it moves.
  func start(_ token: TokenName, moving names: [PropertyName], of record: ExecutorRecord, in frame: Frame) {
    guard record.tokens[token] == nil, record.tokens.count < Limits.tokensPerExecutor else { return }
    let slots = names.compactMap { properties.slot(of: PropertyReference(record.key.target, $0)) }
    record.tokens[token] = slots
    record.idleSince = nil
    trace(.didStart(token, record.key))
    for slot in slots {
      properties[slot].stack.grip(record.handle, token: token)
      unsettled.append(slot)
    }
    refreshActivity(of: record)
  }

  /// Remote execution ended: what it held is let go, and the writer below goes on.
  func end(_ token: TokenName, of record: ExecutorRecord, in frame: Frame) {
    guard let slots = record.tokens.removeValue(forKey: token) else { return }
    trace(.didEnd(token, record.key))
    for slot in slots where properties[slot].stack.release(record.handle, token: token) { unsettled.append(slot) }
    if record.tokens.isEmpty { releaseUnnamedGrips(of: record) }
    if record.isEmpty { emptied.append(record.handle) }
    refreshActivity(of: record)
  }

  /// Ends every token of an executor whose worker is gone.
  func endTokens(of record: ExecutorRecord, in frame: Frame) {
    for token in record.tokens.keys.sorted() { end(token, of: record, in: frame) }
  }

  private func releaseUnnamedGrips(of record: ExecutorRecord) {
    for identity in record.intentions {
      for slot in intentions[identity]?.slots ?? []
      where properties[slot].stack.release(record.handle, token: nil) { unsettled.append(slot) }
    }
  }
}
