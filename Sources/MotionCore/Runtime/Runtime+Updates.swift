import MotionModel

extension Runtime {
  /// Applies what a worker said, whole: what begins first, then the values, then what ends.
  func apply(_ update: WorkerUpdate, from worker: WorkerAddress, in frame: Frame) {
    guard workers[worker]?.isProvisioned == true else { return }
    acknowledge(update.commandsApplied, from: worker)
    let firstEnding = update.events.firstIndex { $0.event.endsSomething } ?? update.events.endIndex
    for numbered in update.events[..<firstEnding] { apply(numbered.event, from: worker, in: frame) }
    settle(in: frame)
    if update.frame >= workers[worker]?.lastFrame ?? 0 {
      workers[worker]?.lastFrame = update.frame
      for write in update.writes { apply(write, from: worker) }
      // What the update also ends has to find its last values applied.
      if firstEnding < update.events.endIndex { hearNow(update.writes, in: frame) }
    }
    for numbered in update.events[firstEnding...] { apply(numbered.event, from: worker, in: frame) }
    settle(in: frame)
  }

  private func apply(_ write: PropertyWrite, from worker: WorkerAddress) {
    guard let record = executors[write.executor], record.worker == worker,
      let slot = properties.slot(of: write.property)
    else {
      refusedWrites += 1
      return
    }
    let word = PropertyMotion.Incoming(
      executor: record.handle, state: write.state, imposes: write.imposes, remaining: write.remaining)
    guard admit(word, on: slot, of: record) else { return }
    if properties[slot].motion == nil { properties[slot].motion = PropertyMotion() }
    properties[slot].motion?.incoming = word
    moving.insert(slot)
  }

  private func apply(_ event: WorkerEvent, from worker: WorkerAddress, in frame: Frame) {
    guard let record = executors[event.executor], record.worker == worker else { return }
    switch event {
    case .activity(_, let isActive):
      record.wantsUpdate = isActive
      refreshActivity(of: record)
    case .started(_, let token, let properties): start(token, moving: properties, of: record, in: frame)
    case .ended(_, let token): end(token, of: record, in: frame)
    case .finished(let executor, let identity, let outcome): finish(identity, outcome, of: executor)
    case .failed(let executor, let identity, let reason): fail(identity, reason: reason, of: executor)
    case .emitted(let executor, let parent, let ordinal, let intention, let name):
      emit(intention, named: name, parent: parent, ordinal: ordinal, of: executor)
    }
  }

  /// The executors whose last command the worker has applied owe nothing any more.
  private func acknowledge(_ command: UInt64, from worker: WorkerAddress) {
    guard let owing = workers[worker]?.unacknowledged, !owing.isEmpty else { return }
    for handle in owing {
      guard let record = executors[handle], (record.unacknowledged ?? 0) <= command else { continue }
      record.unacknowledged = nil
      workers[worker]?.unacknowledged.remove(handle)
      refreshActivity(of: record)
    }
  }
}

extension WorkerEvent {
  /// The executor that it is about.
  var executor: ExecutorHandle {
    switch self {
    case .activity(let executor, _), .started(let executor, _, _), .ended(let executor, _),
      .finished(let executor, _, _), .failed(let executor, _, _), .emitted(let executor, _, _, _, _):
      executor
    }
  }

  /// Whether something is over with it, so that the values said with it have to be applied before.
  var endsSomething: Bool {
    switch self {
    case .ended, .finished, .failed: true
    case .activity(_, let isActive): !isActive
    case .started, .emitted: false
    }
  }
}
