public import MotionModel

extension Runtime {
  /// Accepts an event from outside; it is applied at the beginning of the next frame, in order.
  public func submit(_ event: RuntimeEvent) {
    queue.append(event)
    activity.refresh()
  }

  /// Keeps the provenance of transactions that are submitted afterwards as events.
  package func accept(_ provenances: [UInt64: Provenance]) {
    for (sequence, provenance) in provenances { plans.provenances.accept(provenance, as: sequence) }
  }

  /// Applies an event at once, between frames, even while time stands: a stop, a withdrawal, or the start or loss of a
  /// worker.
  ///
  /// Its changes are to be published after the last frame's values; a recording holds the event before the next frame.
  /// The update of a worker waits for the next frame in any case, because it belongs to a frame. The changes of a
  /// commit are published, and tidied up, with the next frame or event.
  public func applyNow(_ event: RuntimeEvent) {
    apply(event, isStored: false)
  }

  /// Applies an event at once.
  ///
  /// - Parameter isStored: whether another process accepted it: plans that are not valid here are reported as failed.
  func apply(_ event: RuntimeEvent, isStored: Bool) {
    if case .update = event { return submit(event) }
    position.phase = .changing(isStored: isStored)
    defer { position.phase = .idle }
    // A stop applies these itself; a replay, which applies them one by one, must have the same result.
    if case .commit = event {
      apply(event)
      return activity.refresh()
    }
    movement.properties.begin(frame.number)
    if case .stop = event { applyPending() }
    apply(event)
    drivers.tellReaders()
    movement.properties.end()
    activity.refresh()
    removeIdleExecutors()
  }

  /// Applies the transactions that wait for the next frame, in order.
  private func applyPending() {
    let isStored = position.isStored
    for event in queue.takeCommits() {
      position.phase = .changing(isStored: isStored || queue.isStored(event))
      apply(event)
    }
    position.phase = .changing(isStored: isStored)
  }

  func apply(_ event: RuntimeEvent) {
    log.beginEvent(event)
    defer { log.endEvent() }
    switch event {
    case .commit(let sequence, let transaction): transactions.apply(transaction, sequence: sequence)
    case .update(let worker, let update): updates.apply(update, from: worker)
    case .provisioned(let worker): updates.provision(worker)
    case .lost(let worker): updates.lose(worker)
    case .quarantined(let plugin, let reason): updates.quarantine(plugin, reason: reason)
    case .restored(let plugin): updates.restore(plugin)
    case .withheld(let worker, let identities): updates.withhold(identities, from: worker)
    case .planQuarantined(let identity, let reason): updates.quarantine(identity, reason: reason)
    case .stop(let request):
      transactions.stop(request)
      if request.targets.isEmpty { cues.stopAll() }
    case .withdraw(let sequences): transactions.withdraw(Set(sequences))
    case .input(let input): apply(input)
    case .inputValues(let input): apply(input)
    }
  }

  /// Accepts pointer input; it is applied at the beginning of the next frame, after earlier commits.
  ///
  /// Input is dropped if no executor could receive it, because nothing is under way and no manipulation is on the
  /// target. Thus an idle runtime stays idle under an idle pointer.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when ``/MotionModel/Limits/waitingInputs`` wait already, because time stands or
  ///   frames are late.
  public func submit(_ input: PointerInput) throws(Refusal) {
    guard isActive || takesInput(input.target) else { return }
    try queue.append(input)
    activity.refresh()
  }

  /// Whether an executor of the target has a manipulation.
  public func takesInput(_ target: TargetName) -> Bool {
    plans.targets[target]?.executors.contains { plans.executors[$0].map(takesInput) ?? false } ?? false
  }

  private func takesInput(_ record: ExecutorRecord) -> Bool {
    (record.abilities.contains(.takesInput) || record.worker != nil)
      && record.intentions.contains { identity in
        plans.intentions[identity].map { $0.kind == .manipulation && $0.state == .added } ?? false
      }
  }

  /// Passes input to every executor of the target that has a manipulation there.
  func apply(_ input: PointerInput) {
    for handle in plans.targets[input.target]?.executors ?? [] {
      guard let record = plans.executors[handle], takesInput(record) else { continue }
      if let worker = record.worker {
        workers.send(.input(handle, input, over: whatMayBeTaken(by: record)), to: worker)
      } else {
        record.input?.receive(input)
      }
      activity.expectAnswer(of: record)
    }
    drivers.settle()
  }

  /// Accepts values of an input device; of each name the newest is applied at the beginning of the next frame, after
  /// commits and pointer input. They need no frame by themselves unless a plan follows one of them.
  ///
  /// - Throws: ``/MotionModel/Refusal`` when a value is out of range, or there would be more than
  ///   ``/MotionModel/Limits/inputValues`` names; none of them is taken over then.
  public func submit(_ input: InputValues) throws(Refusal) {
    try plans.inputs.keep(input)
    activity.refresh()
  }

  /// Takes over input values, and passes them to the executors that follow them.
  func apply(_ input: InputValues) {
    for value in input.values where value.isWellFormed {
      let (row, followers) = plans.inputs.take(value, from: input.device, at: frame.time)
      // Their order does not matter: each only keeps the value until it is updated.
      for handle in followers {
        guard let record = plans.executors[handle] else { continue }
        record.follows?.receive(row, of: value.name)
        activity.expectAnswer(of: record)
      }
    }
  }

  /// The input values, by name.
  public var inputs: [InputRow] { plans.inputs.sorted }

  /// The members of a group; `nil` if there is no such group.
  public func members(of group: GroupName) -> [TargetName]? { plans.groups[group] }

  /// The groups of targets, by name. Linear in their members.
  public var groups: [GroupRow] { plans.groups.rows }

  /// The states of the properties that a manipulation may be about to take: it begins from there.
  private func whatMayBeTaken(by record: ExecutorRecord) -> [ReadProperty] {
    plans.writtenSlots(of: record).filter { movement.properties[$0].stack.driver != record.handle }
      .map { ReadProperty(movement.properties[$0].reference, movement.properties.state(at: $0)) }
  }

  /// Whether a transaction of so many operations is worth staging, and there is room.
  func stages(_ operations: Int) -> Bool {
    operations >= staging.fewest && staging.operations + operations <= StagingArea.operationsStaged
      && plans.hasNumbers(executors: operations, properties: operations)
  }

  /// Drops the staged part of an accepted transaction that will not be applied.
  package func discard(_ accepted: AcceptedTransaction) {
    queue.settle(accepted.sequence)
    cues.settle(accepted.sequence)
    transactions.leave(CollectionOfOne(accepted.sequence))
  }

  // MARK: Recovery

  /// Continues from a checkpoint, in an unused runtime.
  ///
  /// Springs continue from value and velocity, plans with their elapsed time. Manipulations have ended, and properties
  /// without a driver stand. Plans that this process cannot fulfil (a plugin is gone, a type has other fields by now)
  /// are reported as failed. So are the plans that they had emitted.
  package func restore(_ checkpoint: RuntimeCheckpoint) {
    precondition(
      frame.number == 0 && plans.targets.count == 0 && plans.last.sequence == 0,
      "a runtime goes on from a checkpoint at first")
    position.resume(at: checkpoint.frame)
    plans.last.sequence = checkpoint.lastSequence
    position.phase = .changing(isStored: true)
    movement.properties.begin(frame.number)
    for limit in checkpoint.limits { transactions.restore(limit) }
    for row in checkpoint.groups { plans.groups.set(row.group, row.members) }
    for target in checkpoint.targets { transactions.restore(target) }
    var failed: Set<IntentionIdentity> = []
    let delayed = checkpoint.plansBeforeHigherPriorities
    for plan in checkpoint.plans
    where !transactions.restore(plan, unlessOf: failed, waits: delayed.contains(plan.identity)) {
      failed.insert(plan.identity)
      transactions.loseWorker(of: plan)
    }
    drivers.settle()
    for slot in Array(movement.properties.ranges.slots) { movement.properties.holdDriven(slot) }
    for handover in checkpoint.handovers { transactions.restore(handover) }
    for governed in checkpoint.governed { transactions.restore(governed) }
    transactions.restoreRest(besides: checkpoint.governed)
    // All workers of before are lost.
    for reference in movement.properties.limits.withLossRule { transactions.loseWorker(of: reference) }
    wait(for: checkpoint.waiting)
    movement.properties.end()
    position.phase = .idle
    activity.refresh()
  }

  /// Lets transactions wait that another process accepted, for their time or for the next frame.
  private func wait(for entries: [RuntimeCheckpoint.Waiting]) {
    for entry in entries.sorted(by: { ($0.at, $0.sequence) < ($1.at, $1.sequence) }) {
      plans.provenances.accept(entry.provenance, as: entry.sequence)
      guard entry.at > frame.time else {
        queue.append(stored: entry.transaction, as: entry.sequence)
        continue
      }
      queue.waiting.insert(
        .init(
          at: entry.at, sequence: entry.sequence, transaction: entry.transaction, by: entry.provenance,
          isStored: true))
    }
  }

  /// Continues a process that has ended, in a runtime that was brought to its last frame: with transactions that it had
  /// accepted and not applied. What was running in that process is lost: the caller applies ``lossesOfStart`` before.
  ///
  /// - Parameter lastSequence: the last sequence that was given out.
  package func resume(with waiting: [RuntimeCheckpoint.Waiting], lastSequence: UInt64) {
    plans.last.sequence = max(plans.last.sequence, lastSequence)
    wait(for: waiting)
    queue.lastApplied = queue.pending.compactMap(\.sequence).min().map { $0 - 1 } ?? plans.last.sequence
    activity.refresh()
  }

  /// The events by which the end of a process ends what depended on it: its workers are gone, what they were suspected of
  /// is tried again, and the input values that belonged to connected clients are withdrawn.
  package var lossesOfStart: [RuntimeEvent] {
    var events: [RuntimeEvent] = []
    for (worker, record) in workers.records.sorted(by: { $0.key < $1.key }) {
      events.append(.lost(worker))
      if record.bisection != nil { events.append(.withheld(worker, nil)) }
    }
    events += workers.quarantined.keys.sorted().map { .restored($0) }
    let values = inputs.filter { !$0.isHeld }.map { InputValue($0.name, nil) }
    if !values.isEmpty { events.append(.inputValues(InputValues(from: "motiond", values))) }
    return events
  }

  /// Requests the workers whose executors have plans.
  package func needWorkers() {
    for (worker, record) in workers.records.sorted(by: { $0.key < $1.key }) where !record.executors.isEmpty {
      workers.port?.need(worker)
    }
  }

  /// Replays an entry that was accepted after the checkpoint; call it for each entry, oldest first, then
  /// ``applyRecovered()`` unless time was paused, and at last ``endRecovery()``.
  ///
  /// A transaction is applied before the next entry that states this (``JournalEntry/applied``). Entries of former versions
  /// do not; there a later frame shows it. Transactions that waited for a time that had come by then are applied before
  /// that entry, too. Clock commands and voids do not concern a runtime.
  package func recover(_ entry: JournalEntry) {
    if let applied = entry.applied {
      for event in queue.takeCommits(through: applied) { apply(event, isStored: true) }
    } else if entry.frame.number > frame.number {
      applyRecovered()
    }
    if entry.frame.number > frame.number {
      position.resume(at: Frame(number: entry.frame.number, time: max(frame.time, entry.frame.time), dt: 0))
    }
    beginRecovered(dueAt: entry.frame.time)
    for due in queue.waiting.take(dueAt: entry.frame.time) {
      apply(.commit(sequence: due.sequence, due.transaction), isStored: true)
    }
    switch entry.event {
    case .commit(let sequence, let commit, _):
      plans.last.sequence = max(plans.last.sequence, sequence)
      plans.provenances.accept(entry.provenance, as: sequence)
      if let at = commit.at, at > entry.frame.time {
        queue.waiting.insert(
          .init(
            at: at, sequence: sequence, transaction: commit.transaction, by: entry.provenance, isStored: true))
      } else {
        queue.append(stored: commit.transaction, as: sequence)
        activity.refresh()
      }
    case .stop(let stop): apply(.stop(stop), isStored: true)
    case .withdraw(let sequences): apply(.withdraw(sequences), isStored: true)
    case .clock, .void: break
    }
  }

  /// Lets the recovered plans begin whose time had come by the present entry.
  private func beginRecovered(dueAt time: Double) {
    guard plans.delayed.isDue(at: time) else { return }
    position.phase = .changing(isStored: true)
    movement.properties.begin(frame.number)
    drivers.beginDelayed(dueAt: time, atMost: .max)
    drivers.moves.settle()
    movement.properties.end()
    position.phase = .idle
    activity.refresh()
  }

  /// Applies the recovered transactions that wait for the next frame: after the end of the process that accepted them, it
  /// is unknown whether that frame was run.
  package func applyRecovered() {
    for event in queue.takeCommits() { apply(event, isStored: true) }
  }

  /// Ends a recovery, after all entries. What nothing moves any more stands.
  package func endRecovery() {
    drivers.moves.endRecovery()
    movement.properties.begin(frame.number)
    movement.properties.forgetDriverTimes()
    movement.standUndriven()
    movement.properties.end()
  }

  /// Continues from the present state of another runtime, in an unused one: as from its checkpoint, with what waits for
  /// its next frame, its input values, and the bits of the motions of forces, which a checkpoint rounds. Linear in the
  /// size of the other runtime, which does not change.
  ///
  /// - Parameter lastSequence: the last sequence that is in use.
  package func restore(_ original: Runtime, lastSequence: UInt64) {
    var checkpoint = original.checkpoint()
    checkpoint.lastSequence = max(checkpoint.lastSequence, lastSequence)
    checkpoint.waiting += original.pendingCommits
    restore(checkpoint)
    transactions.restoreForces(of: original.movement)
    for row in original.inputs {
      let value = InputValue(row.name, row.value, time: row.time, isHeld: row.isHeld)
      apply(InputValues(from: row.device, [value]))
    }
  }

  /// A runtime that continues from a checkpoint of this one, which is not used any more: it is in the state in which the
  /// replay of a recording begins that has this checkpoint in its header. Linear in the size of the checkpoint.
  package func successor(from checkpoint: RuntimeCheckpoint) -> Runtime {
    let next = Runtime(registry: registry, ratePerSecond: ratePerSecond)
    next.workerPort = workerPort
    next.log.keeps = log.keeps
    next.log.failed = log.failed
    next.show = show
    next.restore(checkpoint)
    // Time goes on until its first frame, as after the recovery of this one.
    next.endRecovery()
    next.queue.lastApplied = queue.lastApplied
    for event in queue.pending {
      guard case .commit(let sequence, let transaction) = event else {
        next.queue.append(event)
        continue
      }
      next.plans.provenances.accept(plans.provenances[sequence], as: sequence)
      next.queue.append(stored: transaction, as: sequence)
    }
    next.activity.refresh()
    return next
  }
}

extension RuntimeCheckpoint {
  /// The plans that had not begun, and after which a plan of a higher priority was added to their target.
  fileprivate var plansBeforeHigherPriorities: Set<IntentionIdentity> {
    var found: Set<IntentionIdentity> = []
    var highest: [TargetName: Int8] = [:]
    for plan in plans.reversed() {
      let priority = plan.intention.rank
      let later = highest[plan.target]
      if plan.start == nil, let later, priority < later { found.insert(plan.identity) }
      highest[plan.target] = max(priority, later ?? priority)
    }
    return found
  }
}
