import MotionModel

extension Drivers {
  /// Creates a target at its first mention.
  func makeTarget(_ name: TargetName) -> TargetRecord {
    let hash = NameHash(name)
    let target = plans.makeTarget(name, hash)
    if !staging.isEmpty { staging.targetWasMade(name, hash) }
    return target
  }

  /// Adds a plan: an existing plan of its name is removed first, its executor is found or created, and the writers are
  /// noted.
  ///
  /// A plan that cannot be added although its commit was accepted, because the runtime has changed since, is reported
  /// as failed. An existing plan of its name stays then.
  ///
  /// - Parameter reading: the plan, where it was read before.
  func add(
    _ intention: Intention, named name: IntentionName?, to target: TargetName, as identity: IntentionIdentity,
    _ reading: PlanReading? = nil
  ) {
    guard plans.intentions[identity] == nil,
      let reading = position.isStored
        ? readAgain(intention, named: name, on: target, as: identity) : reading ?? reader.read(intention)
    else { return }
    let known = plans.targets[target]
    // A plan that begins later replaces that of its name then.
    let isReplacing = reading.delay == 0 && name.map { known?.names[$0] != nil } ?? false
    let placement: Placement
    do {
      placement = try admit(reading, isReplacing: isReplacing, on: target, known)
    } catch {
      return log.end(
        EndedIntention(
          identity: identity, target: target, type: intention.type, name: name, frame: position.moment.number,
          outcome: .failed,
          reason: error.description),
        .failed, of: intention, kind: reading.kind, reading.entry.description.executor,
        provenance: common(of: identity)?.provenance?.model)
    }
    let record = known ?? makeTarget(target)
    if reading.isMove, isReplacing, let property = reading.written.first,
      let slot = plans.slot(of: property, on: record)
    {
      moves.willReplace(on: slot)
    }
    if let name, reading.delay == 0 { retirement.remove(named: name, from: target) }
    add(reading, named: name, to: record, placement, as: identity)
    moves.replaced = nil
  }

  /// Adds a plan that has its place.
  private func add(
    _ reading: PlanReading, named name: IntentionName?, to target: TargetRecord, _ placement: Placement,
    as identity: IntentionIdentity
  ) {
    let executor = findOrMakeExecutor(of: reading, on: target)
    var slots = SmallList<PropertyTable.Slot>()
    for (index, property) in placement.properties.enumerated() {
      let slot = plans.makeSlot(property.name, lanes: property.lanes, on: target)
      if index < placement.written { slots.append(slot) }
    }
    plans.last.order += 1
    let record = IntentionRecord(
      reading, as: identity, named: name, on: target, executor: executor.handle, slots: slots, order: plans.last.order,
      sharing: common(of: identity))
    if reading.delay != 0 { record.begins = position.frame.time + reading.delay }
    note(record, of: executor)
    if record.state != .waiting { handOver(record, to: executor, reading) }
  }

  /// The part that a plan that is added now shares with others: those of its transaction, or of its first ancestor's.
  private func common(of identity: IntentionIdentity) -> IntentionRecord.Common? {
    guard let parent = identity.parent else { return plans.provenances.current }
    return plans.intentions[parent]?.commonOfChildren
  }

  /// Whether a plan can be added now.
  private func admit(
    _ reading: PlanReading, isReplacing: Bool, on target: TargetName, _ known: TargetRecord?
  ) throws(Refusal) -> Placement {
    try workers.checkQuarantine(of: reading)
    if known == nil, plans.targets.count >= Limits.targets { throw .targets(plans.targets.count) }
    return try plans.place(reading, on: target, known, isReplacing: isReplacing)
  }

  /// Enters a plan into all tables, with its claim on every property it writes.
  ///
  /// It waits for its time, and as long as a manipulation or a plan of a higher priority delays it on any of them.
  ///
  /// - Parameter waits: whether it waits in any case until the next settling.
  func note(_ record: IntentionRecord, of executor: ExecutorRecord, waits: Bool = false) {
    plans.intentions[record.identity] = record
    plans.checkpoints.touch(record)
    executor.intentions.append(record.identity)
    executor.idleSince = nil
    record.target.intentions += 1
    if let name = record.name, let former = record.target.names.updateValue(record.identity, forKey: name) {
      if former != record.identity { record.target.hasNamesakes = true }
    }
    if let parent = record.identity.parent { plans.intentions[parent]?.children.insert(record.identity.path.last ?? 0) }
    if executor.worker != nil { executor.written.formUnion(record.slots) }
    if record.mayRead { activity.noteReads(of: record, true) }
    if executor.abilities.contains(.follows) { plans.inputs.note(record, isFollowing: true) }
    let (kind, priority) = (record.kind, record.intention.rank)
    if priority != 0 { plans.ranked += 1 }
    if record.begins != nil || waits
      || record.slots.contains(where: {
        movement.properties[$0].stack.delays(kind, of: record.executor, priority: priority)
      })
    {
      record.state = .waiting
    }
    if let begins = record.begins { plans.delayed.insert(record.identity, order: record.order, at: begins) }
    for slot in record.slots {
      movement.properties[slot].stack.add(
        record.identity, kind: kind, executor: record.executor, isWaiting: record.state == .waiting,
        isDelayed: record.begins != nil, priority: priority)
      movement.unsettle(slot)
      if record.kind == .manipulation { holdAgain(slot, executor) }
    }
  }

  /// Lets the plans begin whose time has come, the earliest first, as if each were added now; at most so many.
  func beginDelayed(dueAt time: Double, atMost count: Int = arrivalsPerFrame) {
    for _ in 0..<count {
      guard let identity = plans.delayed.take(dueAt: time) else { return }
      guard let record = plans.intentions[identity], let executor = plans.executors[record.executor] else { continue }
      let namesakes = retirement.namesakes(before: record)
      plans.begin(record, of: executor)
      if executor.moves != nil, !namesakes.isEmpty, let slot = record.slots.first { moves.willReplace(on: slot) }
      for former in namesakes { retirement.removeIntention(former) }
      let waits = record.slots.count { !movement.properties[$0].stack.begin(identity) } > 0
      for slot in record.slots {
        if !waits { movement.properties[slot].stack.wake(identity) }
        movement.unsettle(slot)
        if record.kind == .manipulation { holdAgain(slot, executor) }
      }
      if !waits { handOver(record, to: executor) }
      moves.replaced = nil
      settle()
    }
  }

  /// Lets an active manipulation grip a property that its new plan lets it move.
  private func holdAgain(_ slot: PropertyTable.Slot, _ executor: ExecutorRecord) {
    for (name, token) in executor.tokens.sorted(by: { $0.key < $1.key }) where token.slots.contains(slot) {
      movement.properties[slot].stack.grip(executor.handle, token: name)
    }
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

  /// Reports a plan that cannot continue after a restart.
  func reportLost(
    _ intention: Intention, named name: IntentionName?, on target: TargetName, as identity: IntentionIdentity,
    _ reason: String, by provenance: Provenance?
  ) {
    let entry = reader.registry.catalog[intention.type]
    // An unknown type has no known executor: the executor gets the name of the type.
    guard let executor = entry?.description.executor ?? (try? ExecutorType(intention.type.text)) else { return }
    log.end(
      EndedIntention(
        identity: identity, target: target, type: intention.type, name: name, frame: position.moment.number,
        outcome: .failed,
        reason: "it cannot continue after the restart: \(reason)"),
      .failed, of: intention, kind: entry?.description.kind ?? .oneShot, executor,
      provenance: provenance ?? plans.provenances.current?.provenance?.model)
  }

  /// Checks a plan by itself: its type, its fields, whether it may have a name, whether its plugin serves.
  func check(_ intention: Intention, isNamed: Bool) throws(Refusal) -> PlanReading {
    let reading = try reader.check(intention)
    try reading.entry.check(isNamed: isNamed)
    try workers.checkQuarantine(of: reading)
    return reading
  }
}
