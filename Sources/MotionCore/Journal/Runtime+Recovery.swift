package import MotionModel

extension Runtime {
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
    for target in checkpoint.targets { restore(target) }
    var failed: Set<IntentionIdentity> = []
    for plan in checkpoint.plans where !restore(plan, unlessOf: failed) { failed.insert(plan.identity) }
    settle()
    for handover in checkpoint.handovers { restore(handover) }
    for entry in checkpoint.waiting {
      plans.provenances.accept(entry.provenance, as: entry.sequence)
      queue.waiting.insert(
        .init(
          at: entry.at, sequence: entry.sequence, transaction: entry.transaction, by: entry.provenance,
          isStored: true))
    }
    movement.properties.end()
    position.phase = .idle
    refreshActivity()
  }

  /// Replays an entry that was accepted after the checkpoint; call it for each entry, oldest first.
  ///
  /// Transactions that waited for a time that had come by then are applied before. Clock commands and voids do not
  /// concern a runtime.
  package func recover(_ entry: JournalEntry) {
    if entry.frame.number > frame.number {
      position.resume(at: Frame(number: entry.frame.number, time: max(frame.time, entry.frame.time), dt: 0))
    }
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
        apply(.commit(sequence: sequence, commit.transaction), isStored: true)
      }
    case .stop(let stop): apply(.stop(stop), isStored: true)
    case .withdraw(let sequences): apply(.withdraw(sequences), isStored: true)
    case .clock, .void: break
    }
  }

  private func restore(_ target: RuntimeCheckpoint.Target) {
    guard plans.targets[target.name] == nil else { return }
    let record = makeTarget(target.name)
    for property in target.properties {
      let slot = plans.makeSlot(property.name, lanes: property.state.value.count, on: record)
      movement.properties.set(slot, value: property.state.value.storage, velocity: property.state.velocity.storage)
    }
  }

  /// Continues the fade of a hand-over for a property that a worker is to move. A property that this process moves
  /// continues from its present state, and a property without a driver stands.
  private func restore(_ handover: RuntimeCheckpoint.Handover) {
    guard let slot = plans.find(handover.property), movement.properties[slot].actor == nil,
      movement.properties[slot].stack.driver != nil,
      movement.properties.lanes(at: slot) == handover.difference.value.count
    else { return }
    movement.properties.motions[slot, default: PropertyMotion()].resume(
      handover.difference, for: handover.remaining, from: movement.properties.state(at: slot), at: frame.time)
    movement.watch(slot)
  }

  /// - Returns: whether the plan continues.
  private func restore(_ plan: RuntimeCheckpoint.Plan, unlessOf failed: Set<IntentionIdentity>) -> Bool {
    guard plans.intentions[plan.identity] == nil else { return true }
    if let parent = plan.identity.parent, failed.contains(parent) {
      reportLost(
        plan.intention, named: plan.name, on: plan.target, as: plan.identity, "what emitted it cannot go on",
        by: plan.provenance)
      return false
    }
    guard
      let reading = readAgain(
        plan.intention, named: plan.name, on: plan.target, as: plan.identity, by: plan.provenance)
    else { return false }
    let target = plans.targets[plan.target] ?? makeTarget(plan.target)
    let placement: Placement
    do {
      placement = try plans.place(reading, on: plan.target, target, hasBegun: plan.start != nil)
    } catch {
      reportLost(
        plan.intention, named: plan.name, on: plan.target, as: plan.identity, error.description, by: plan.provenance)
      return false
    }
    let executor = findOrMakeExecutor(of: reading, on: target)
    var slots = SmallList<PropertyTable.Slot>()
    for (index, property) in placement.properties.enumerated() {
      let slot = plans.makeSlot(property.name, lanes: property.lanes, on: target)
      if index < placement.written { slots.append(slot) }
    }
    plans.last.order += 1
    let record = IntentionRecord(
      reading, as: plan.identity, named: plan.name, on: target, executor: executor.handle, slots: slots,
      order: plans.last.order, sharing: plans.provenances.restore(plan))
    record.start = plan.start.map { ($0.frame, $0.time) }
    record.starts = plan.places.compactMap { onThisTarget($0, target) }
    if plan.emittedBelow > 0 || !plan.emitted.isEmpty {
      record.emitted = OrdinalSet(below: plan.emittedBelow, and: plan.emitted)
    }
    note(record, of: executor)
    if record.state != .waiting { handOver(record, to: executor, reading) }
    return plans.intentions[plan.identity] != nil
  }

  /// The state of a property under the handle that it has here; `nil` if there is no such property, or it has other
  /// lanes.
  private func onThisTarget(_ start: PlannedIntention.Start, _ target: TargetRecord) -> PlannedIntention.Start? {
    guard let slot = plans.slot(of: start.property, on: target),
      movement.properties.lanes(at: slot) == start.state.value.count
    else { return nil }
    var start = start
    start.handle = movement.properties.handle(at: slot)
    return start
  }

  /// Reads a plan that another process accepted, and checks it as if it were committed now. A plan that does not pass
  /// is reported as failed.
  func readAgain(
    _ intention: Intention, named name: IntentionName?, on target: TargetName, as identity: IntentionIdentity,
    by provenance: Provenance? = nil
  ) -> PlanReading? {
    if let reason = intention.reasonUnreadable {
      reportLost(
        Intention(intention.type), named: name, on: target, as: identity, "it cannot be read: \(reason)", by: provenance
      )
      return nil
    }
    do {
      return try check(intention, isNamed: name != nil)
    } catch {
      reportLost(intention, named: name, on: target, as: identity, error.description, by: provenance)
      return nil
    }
  }

  private func reportLost(
    _ intention: Intention, named name: IntentionName?, on target: TargetName, as identity: IntentionIdentity,
    _ reason: String, by provenance: Provenance?
  ) {
    let entry = reader.registry.catalog[intention.type]
    // An unknown type has no known executor: the executor gets the name of the type.
    guard let executor = entry?.description.executor ?? (try? ExecutorType(intention.type.text)) else { return }
    reports.report(
      EndedIntention(
        identity: identity, target: target, type: intention.type, name: name, frame: position.moment.number,
        outcome: .failed,
        reason: "it cannot go on after the restart: \(reason)"),
      of: intention, kind: entry?.description.kind ?? .oneShot, ExecutorKey(target, executor),
      by: provenance ?? plans.provenances.current?.provenance?.model)
  }
}
