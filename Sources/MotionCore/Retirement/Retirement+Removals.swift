import MotionModel

extension Retirement {
  /// Forgets a target: its intentions, executors, tokens and properties.
  func forget(_ target: TargetName) {
    dropFailed(on: target) { _ in true }
    guard plans.targets[target] != nil else { return }
    for identity in plans.identities(on: target) { removeIntention(identity) }
    guard let record = plans.targets.removeValue(forKey: target) else { return }
    plans.targetOrder.remove(ordinal: record.ordinal)
    plans.checkpoints.touchGone(record)
    for handle in record.executors { removeExecutor(handle) }
    for slot in record.slots {
      activity.tellReaders(ofForgotten: slot)
      movement.properties.remove(slot)
    }
  }

  /// Removes an executor without plans and tokens, or whose target is forgotten.
  func removeExecutor(_ handle: ExecutorHandle) {
    guard let record = plans.executors.removeValue(forKey: handle) else { return }
    for token in record.tokens.keys.sorted() { log.note(.executors, .tokenEnded(token, record.key)) }
    activity.remove(record)
    record.tokens = [:]
    record.target.executors.removeAll { $0 == handle }
    if let worker = record.worker {
      workers.records[worker]?.executors.remove(handle)
      workers.records[worker]?.unacknowledged.remove(handle)
      workers.send(.removeExecutor(handle), to: worker)
    }
    record.physics?.letGo()
    log.note(.executors, .executorRemoved(record.key))
  }

  /// Removes the executors that have been idle for long enough or, when no frame follows, all idle ones.
  ///
  /// - Returns: whether there were any to check.
  func removeIdleExecutors() -> Bool {
    guard activity.hasIdle else { return false }
    for handle in activity.takeIdle() { removeExecutor(handle) }
    return true
  }
}
