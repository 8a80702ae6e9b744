import MotionModel

/// Applies the events of workers and of their lives: their updates, their starts and losses, and which plans are
/// withheld from them.
final class WorkerUpdates {
  let position: FramePosition
  let movement: Movement
  let plans: Plans
  let reader: PlanReader
  let workers: WorkerLedger
  let activity: Activity
  let log: EventLog
  let queue: EventQueue
  let retirement: Retirement
  let drivers: Drivers

  init(_ drivers: Drivers) {
    self.drivers = drivers
    (position, movement, plans, reader) = (drivers.position, drivers.movement, drivers.plans, drivers.reader)
    (workers, activity, log) = (drivers.workers, drivers.activity, drivers.log)
    (queue, retirement) = (drivers.activity.queue, drivers.retirement)
  }

  /// The last frame that was run, or the frame under way.
  var frame: Frame { position.frame }

  /// Applies a worker's update in three steps:
  ///
  /// - Events before the worker's first ending in this frame take effect at the frame's start.
  /// - The samples follow.
  /// - The first ending, and all events after it, take effect at the frame's end, so that the next driver continues
  ///   from the last sample.
  func apply(_ update: WorkerUpdate, from worker: WorkerAddress) {
    guard let record = workers.records[worker], record.isProvisioned else { return }
    acknowledge(update.commandsApplied, from: worker)
    let late = late(in: update, of: worker, since: record.lastFrame)
    let hasEnded = workers.endings.contains { $0.worker == worker }
    let events = update.events.map(\.event)
    let firstEnding = hasEnded ? 0 : events.firstIndex(where: \.endsSomething) ?? events.endIndex
    for event in events[..<firstEnding] { apply(event, from: worker) }
    drivers.settle()
    let isNewest = update.frame >= record.lastFrame
    if isNewest {
      workers.records[worker]?.lastFrame = update.frame
      // An executor whose activity event is queued behind an ending already owes samples for this frame.
      let kept = workers.endings.filter { $0.worker == worker }.flatMap(\.events) + events[firstEnding...]
      let waking = Set(kept.filter(\.wakes).map(\.executor))
      for write in update.writes {
        apply(
          write, for: update.frame, after: update.commandsApplied, from: worker, waking: waking,
          late: late[write.executor])
      }
    }
    guard firstEnding < events.endIndex else { return }
    let after = WorkerEndings(
      worker: worker, frame: update.frame, commands: update.commandsApplied, events: Array(events[firstEnding...]),
      writes: isNewest ? update.writes : [], late: late)
    for event in after.events { noteEnding(event) }
    workers.endings.append(after)
  }

  /// The executors of this update that owed samples for earlier frames of which none arrived. They answered a command
  /// late, or the frames between the last update and this one are lost. For each, how many seconds its samples were
  /// overdue.
  private func late(
    in update: WorkerUpdate, of worker: WorkerAddress, since last: UInt64
  ) -> [ExecutorHandle: Double] {
    let overdue = workers.records[worker]?.overdue ?? []
    let hasGap = update.frame > last && update.frame - last > 1
    guard hasGap || !overdue.isEmpty || workers.records[worker]?.unacknowledged.isEmpty == false else { return [:] }
    let late = Set(update.writes.map(\.executor)).filter { handle in
      guard let record = plans.executors[handle] else { return false }
      if overdue.contains(handle) { return true }
      return record.wantsUpdate && hasGap
        ? update.frame > record.owesSince + 1 : record.isAnsweringLate(in: frame.number)
    }
    workers.records[worker]?.overdue.subtract(late)
    return Dictionary(
      uniqueKeysWithValues: late.map { handle in
        (handle, plans.executors[handle]?.silentSince.map { max(0, frame.time - $0) } ?? 0)
      })
  }

  /// Notes how a plan is about to end, for a removal or displacement in this frame.
  private func noteEnding(_ event: WorkerEvent) {
    switch event {
    case .finished(let executor, let identity, let outcome) where plans.intentions[identity]?.executor == executor:
      retirement.note(identity, outcome)
    case .failed(let executor, let identity, let reason) where plans.intentions[identity]?.executor == executor:
      retirement.note(identity, .failed, reason: reason)
    default: break
    }
  }

  /// Applies the events that end with the frame.
  func applyEndings() {
    guard !workers.endings.isEmpty else { return }
    let last = workers.takeEndings()
    retirement.endFrame()
    let begins = last.contains(where: \.begins)
    for end in last { apply(end, begins: begins) }
  }

  /// Applies a worker's endings in this frame at once, because the worker's own state changes.
  func applyEndings(of worker: WorkerAddress) {
    let last = workers.takeEndings(of: worker)
    guard !last.isEmpty else { return }
    let begins = last.contains(where: \.begins)
    for end in last {
      for write in end.writes {
        if let slot = movement.properties.slot(of: write.property) { drivers.moveOn(slot) }
      }
      drivers.settle()
      apply(end, begins: begins)
    }
  }

  /// - Parameter begins: whether a token started in this frame after an ending. Its samples are applied before it ends
  ///   in its turn, or now.
  private func apply(_ end: WorkerEndings, begins: Bool) {
    let writes = begins ? Dictionary(grouping: end.writes, by: \.executor) : [:]
    for event in end.events {
      if begins, event.endsSomething { speak(writes[event.executor] ?? [], of: end) }
      apply(event, from: end.worker)
    }
    drivers.settle()
    speak(end.writes, of: end)
    drivers.settle()
  }

  /// Applies these samples for executors that drive by now and do not move the property yet, so that they take over.
  private func speak(_ writes: [PropertyWrite], of end: WorkerEndings) {
    for write in writes {
      guard let slot = movement.properties.slot(of: write.property), movement.properties[slot].actor != write.executor,
        movement.properties[slot].stack.driver == write.executor, plans.executors[write.executor]?.worker == end.worker
      else { continue }
      apply(
        write, for: end.frame, after: end.commands, from: end.worker, late: end.late[write.executor])
      drivers.handOver(slot)
    }
  }

  /// - Parameter waking: executors whose event that they want frames is not applied yet.
  private func apply(
    _ write: PropertyWrite, for frame: UInt64, after commands: UInt64, from worker: WorkerAddress,
    waking: Set<ExecutorHandle> = [], late: Double?
  ) {
    guard let record = plans.executors[write.executor] else {
      // Samples of a removed executor may still be under way.
      if write.executor.rawValue > plans.last.executor { refuseWrite(from: worker) }
      return
    }
    guard record.worker == worker, let slot = movement.properties.slot(of: write.property) else {
      if record.worker != worker || write.property.rawValue > movement.properties.lastHandle {
        refuseWrite(from: worker)
      }
      return
    }
    guard (write.remaining ?? 0) >= 0, (write.carry ?? 0) >= 0 else {
      refuseWrite(from: worker)
      return
    }
    record.silentSince = nil
    // An executor that needs no frames may send samples at any time.
    let owesFrames = record.wantsUpdate || waking.contains(record.handle)
    let word = PropertyMotion.Sample(
      executor: record.handle, state: write.state, imposes: write.imposes, remaining: write.remaining,
      carry: write.carry,
      framesBehind: owesFrames && frame < self.frame.number ? self.frame.number - frame : 0, cameLate: late != nil,
      waited: late ?? 0)
    if drivers.admit(write.state, on: slot, of: record) { drivers.keep(word, after: commands, on: slot) }
  }

  private func refuseWrite(from worker: WorkerAddress) {
    log.refusals.writes += 1
    log.note(.refusals, .workerWriteRefused(worker))
    workers.records[worker]?.refusedWrites += 1
  }

  private func apply(_ event: WorkerEvent, from worker: WorkerAddress) {
    guard let record = plans.executors[event.executor], record.worker == worker else { return }
    switch event {
    case .activity(_, let isActive): wantUpdates(isActive, of: record)
    case .started(_, let token, let properties, let places):
      activity.start(token, moving: properties, from: places, of: record)
    case .ended(_, let token): activity.end(token, of: record)
    case .finished(let executor, let identity, let outcome): drivers.finish(identity, outcome, of: executor)
    case .failed(let executor, let identity, let reason): drivers.fail(identity, reason: reason, of: executor)
    case .emitted(let executor, let parent, let ordinal, let intention, let name):
      drivers.emit(intention, named: name, parent: parent, ordinal: ordinal, of: executor)
    }
  }

  /// Notes whether an executor in a worker needs the next frames. As long as it does, it owes a sample per frame for
  /// each property that it moves.
  private func wantUpdates(_ isActive: Bool, of record: ExecutorRecord) {
    if isActive, record.isAnsweringLate(in: frame.number), let worker = record.worker {
      workers.records[worker]?.overdue.insert(record.handle)
    }
    if isActive, !record.wantsUpdate {
      // An executor that becomes active by itself was sent no tick for the frames before.
      record.owesSince = record.isAnswering(in: frame.number) ? record.askedIn : frame.number
    }
    record.wantsUpdate = isActive
    activity.refresh(record)
    guard !isActive else { return }
    for slot in plans.writtenSlots(of: record) where movement.properties[slot].actor == record.handle {
      movement.properties.owesNothing(slot)
    }
  }

  /// Clears the outstanding acknowledgements of the executors whose last command the worker has applied.
  private func acknowledge(_ command: UInt64, from worker: WorkerAddress) {
    workers.records[worker]?.reads.acknowledge(command)
    guard let owing = workers.records[worker]?.unacknowledged, !owing.isEmpty else { return }
    for handle in owing {
      guard let record = plans.executors[handle], (record.unacknowledged ?? 0) <= command else { continue }
      if record.isAnsweringLate(in: frame.number) { workers.records[worker]?.overdue.insert(handle) }
      (record.unacknowledged, record.answeredIn) = (nil, frame.number)
      workers.records[worker]?.unacknowledged.remove(handle)
      activity.refresh(record)
    }
  }
}
