import MotionModel

/// What a worker said in a frame that takes effect at its end: something is over, and what follows on it.
struct WorkerEndings {
  var worker: WorkerAddress
  /// The frame for which it was said.
  var frame: UInt64
  /// The last command that the worker had applied.
  var commands: UInt64
  var events: [WorkerEvent]
  var writes: [PropertyWrite]
  /// Whose words came late, and by how many simulated seconds.
  var late: [ExecutorHandle: Double]

  /// Whether something begins in it.
  var begins: Bool { events.contains { if case .started = $0 { true } else { false } } }
}

extension Runtime {
  /// Applies what a worker said, whole: what begins now, at the frame's start; then its values; and what ends, with all
  /// that was said after it, at the frame's end, so that whatever follows goes on from the last value.
  func apply(_ update: WorkerUpdate, from worker: WorkerAddress) {
    guard let record = workers[worker], record.isProvisioned else { return }
    acknowledge(update.commandsApplied, from: worker)
    let late = late(in: update, of: worker, since: record.lastFrame)
    let hasEnded = endings.contains { $0.worker == worker }
    let events = update.events.map(\.event)
    let firstEnding = hasEnded ? 0 : events.firstIndex(where: \.endsSomething) ?? events.endIndex
    for event in events[..<firstEnding] { apply(event, from: worker) }
    settle()
    let isNewest = update.frame >= record.lastFrame
    if isNewest {
      workers[worker]?.lastFrame = update.frame
      // Who has said for this frame, but behind an end, that it wants frames, owes words for them already.
      let kept = endings.filter { $0.worker == worker }.flatMap(\.events) + events[firstEnding...]
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
    endings.append(after)
  }

  /// The executors that speak now, and had to for earlier frames of which nothing was heard: they have answered late what
  /// they were told, or frames between the last and this one are lost. For how many seconds each had been silent.
  private func late(
    in update: WorkerUpdate, of worker: WorkerAddress, since last: UInt64
  ) -> [ExecutorHandle: Double] {
    let overdue = workers[worker]?.overdue ?? []
    let hasGap = update.frame > last && update.frame - last > 1
    guard hasGap || !overdue.isEmpty || workers[worker]?.unacknowledged.isEmpty == false else { return [:] }
    let late = Set(update.writes.map(\.executor)).filter { handle in
      guard let record = executors[handle] else { return false }
      if overdue.contains(handle) { return true }
      return record.wantsUpdate && hasGap
        ? update.frame > record.owesSince + 1 : record.isAnsweringLate(in: frame.number)
    }
    workers[worker]?.overdue.subtract(late)
    return Dictionary(
      uniqueKeysWithValues: late.map { handle in
        (handle, executors[handle]?.silentSince.map { max(0, frame.time - $0) } ?? 0)
      })
  }

  /// Notes how a plan is about to end, for whoever removes or displaces it in this frame.
  private func noteEnding(_ event: WorkerEvent) {
    switch event {
    case .finished(let executor, let identity, let outcome) where intentions[identity]?.executor == executor:
      ending[identity] = (outcome, "")
    case .failed(let executor, let identity, let reason) where intentions[identity]?.executor == executor:
      ending[identity] = (.failed, reason)
    default: break
    }
  }

  /// Applies what ends with the frame.
  func applyEndings() {
    guard !endings.isEmpty else { return }
    let last = endings
    endings = []
    ending = ending.filter { lingering.contains($0.key) }
    let begins = last.contains(where: \.begins)
    for end in last { apply(end, begins: begins) }
  }

  /// Applies what a worker ended in this frame already now, because the worker itself changes.
  func applyEndings(of worker: WorkerAddress) {
    let last = endings.filter { $0.worker == worker }
    guard !last.isEmpty else { return }
    endings.removeAll { $0.worker == worker }
    let begins = last.contains(where: \.begins)
    for end in last {
      for write in end.writes {
        if let slot = properties.slot(of: write.property) { moveOn(slot) }
      }
      settle()
      apply(end, begins: begins)
    }
  }

  /// - Parameter begins: whether anything began in this frame after something had ended: it has words, too, before it ends
  ///   in its turn, or now.
  private func apply(_ end: WorkerEndings, begins: Bool) {
    let writes = begins ? Dictionary(grouping: end.writes, by: \.executor) : [:]
    for event in end.events {
      if begins, event.endsSomething { speak(writes[event.executor] ?? [], of: end) }
      apply(event, from: end.worker)
    }
    settle()
    speak(end.writes, of: end)
    settle()
  }

  /// Lets those take over, with these words, that drive by now and do not move what they drive.
  private func speak(_ writes: [PropertyWrite], of end: WorkerEndings) {
    for write in writes {
      guard let slot = properties.slot(of: write.property), properties[slot].actor != write.executor,
        properties[slot].stack.driver == write.executor, executors[write.executor]?.worker == end.worker
      else { continue }
      apply(
        write, for: end.frame, after: end.commands, from: end.worker, late: end.late[write.executor])
      handOver(slot)
    }
  }

  /// - Parameter waking: executors that want frames from now on, which is not yet applied.
  private func apply(
    _ write: PropertyWrite, for frame: UInt64, after commands: UInt64, from worker: WorkerAddress,
    waking: Set<ExecutorHandle> = [], late: Double?
  ) {
    guard let record = executors[write.executor] else {
      // The words of an executor that is gone may still be under way.
      if write.executor.rawValue > lastExecutor { refuseWrite(from: worker) }
      return
    }
    guard record.worker == worker, let slot = properties.slot(of: write.property) else {
      if record.worker != worker || write.property.rawValue > properties.lastHandle { refuseWrite(from: worker) }
      return
    }
    guard write.remaining.map({ $0 >= 0 }) ?? true else {
      refuseWrite(from: worker)
      return
    }
    record.silentSince = nil
    // Who wants no frames says what it says when it likes.
    let owesFrames = record.wantsUpdate || waking.contains(record.handle)
    let word = PropertyMotion.Sample(
      executor: record.handle, state: write.state, imposes: write.imposes, remaining: write.remaining,
      framesBehind: owesFrames && frame < self.frame.number ? self.frame.number - frame : 0, cameLate: late != nil,
      waited: late ?? 0)
    if admit(write.state, on: slot, of: record) { keep(word, after: commands, on: slot) }
  }

  private func refuseWrite(from worker: WorkerAddress) {
    refusedWrites += 1
    workers[worker]?.refusedWrites += 1
  }

  private func apply(_ event: WorkerEvent, from worker: WorkerAddress) {
    guard let record = executors[event.executor], record.worker == worker else { return }
    switch event {
    case .activity(_, let isActive): wantUpdates(isActive, of: record)
    case .started(_, let token, let properties, let places):
      start(token, moving: properties, from: places, of: record)
    case .ended(_, let token): end(token, of: record)
    case .finished(let executor, let identity, let outcome): finish(identity, outcome, of: executor)
    case .failed(let executor, let identity, let reason): fail(identity, reason: reason, of: executor)
    case .emitted(let executor, let parent, let ordinal, let intention, let name):
      emit(intention, named: name, parent: parent, ordinal: ordinal, of: executor)
    }
  }

  /// An executor in a worker wants the next frames: from now on it owes a word for each, for what it moves; or it does
  /// not any more.
  private func wantUpdates(_ isActive: Bool, of record: ExecutorRecord) {
    if isActive, record.isAnsweringLate(in: frame.number), let worker = record.worker {
      workers[worker]?.overdue.insert(record.handle)
    }
    if isActive, !record.wantsUpdate {
      // An executor that wakes up by itself was sent no tick for the frames before.
      record.owesSince = record.isAnswering(in: frame.number) ? record.askedIn : frame.number
    }
    record.wantsUpdate = isActive
    refreshActivity(of: record)
    guard !isActive else { return }
    for slot in writtenSlots(of: record) where properties[slot].actor == record.handle {
      properties.owesNothing(slot)
    }
  }

  /// The properties that plans of an executor write, in order.
  func writtenSlots(of record: ExecutorRecord) -> [PropertyTable.Slot] {
    Set(record.intentions.flatMap { intentions[$0].map { Array($0.slots) } ?? [] }).sorted()
  }

  /// The executors whose last command the worker has applied owe nothing any more.
  private func acknowledge(_ command: UInt64, from worker: WorkerAddress) {
    guard let owing = workers[worker]?.unacknowledged, !owing.isEmpty else { return }
    for handle in owing {
      guard let record = executors[handle], (record.unacknowledged ?? 0) <= command else { continue }
      if record.isAnsweringLate(in: frame.number) { workers[worker]?.overdue.insert(handle) }
      (record.unacknowledged, record.answeredIn) = (nil, frame.number)
      workers[worker]?.unacknowledged.remove(handle)
      refreshActivity(of: record)
    }
  }
}

extension WorkerEvent {
  /// The executor that it is about.
  var executor: ExecutorHandle {
    switch self {
    case .activity(let executor, _), .started(let executor, _, _, _), .ended(let executor, _),
      .finished(let executor, _, _), .failed(let executor, _, _), .emitted(let executor, _, _, _, _):
      executor
    }
  }

  /// Whether an executor wants frames from it on.
  fileprivate var wakes: Bool {
    if case .activity(_, true) = self { true } else { false }
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
