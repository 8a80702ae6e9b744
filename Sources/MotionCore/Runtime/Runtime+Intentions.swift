import MotionModel

extension Runtime {
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
    let placement: Placement
    do {
      placement = try admit(reading, named: name, to: target, known)
    } catch {
      return reports.report(
        EndedIntention(
          identity: identity, target: target, type: intention.type, name: name, frame: position.moment.number,
          outcome: .failed,
          reason: error.description),
        of: intention, kind: reading.kind, ExecutorKey(target, reading.entry.description.executor),
        by: common(of: identity)?.provenance?.model)
    }
    let record = known ?? makeTarget(target)
    if let name { remove(named: name, from: target) }
    add(reading, named: name, to: record, placement, as: identity)
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
    _ reading: PlanReading, named name: IntentionName?, to target: TargetName, _ known: TargetRecord?
  ) throws(Refusal) -> Placement {
    try workers.checkQuarantine(of: reading)
    if known == nil, plans.targets.count >= Limits.targets { throw .targets(plans.targets.count) }
    let isReplacing = name.map { known?.names[$0] != nil } ?? false
    return try plans.place(reading, on: target, known, isReplacing: isReplacing)
  }

  /// Enters a plan into all tables, with its claim on every property it writes.
  ///
  /// A one-shot waits as long as a manipulation holds any of them.
  func note(_ record: IntentionRecord, of executor: ExecutorRecord) {
    plans.intentions[record.identity] = record
    plans.checkpoints.touch(record)
    executor.intentions.append(record.identity)
    executor.idleSince = nil
    record.target.intentions += 1
    if let name = record.name { record.target.names[name] = record.identity }
    if let parent = record.identity.parent { plans.intentions[parent]?.children.insert(record.identity.path.last ?? 0) }
    if executor.worker != nil { executor.written.formUnion(record.slots) }
    if record.mayRead { noteReads(of: record, true) }
    if record.kind == .oneShot, record.slots.contains(where: { movement.properties[$0].stack.isHeld }) {
      record.state = .waiting
    }
    for slot in record.slots {
      movement.properties[slot].stack.add(
        record.identity, kind: record.kind, executor: record.executor, isWaiting: record.state == .waiting)
      movement.unsettle(slot)
      if record.kind == .manipulation { holdAgain(slot, executor) }
    }
  }

  /// Lets an active manipulation grip a property that its new plan lets it move.
  private func holdAgain(_ slot: PropertyTable.Slot, _ executor: ExecutorRecord) {
    for (name, token) in executor.tokens.sorted(by: { $0.key < $1.key }) where token.slots.contains(slot) {
      movement.properties[slot].stack.grip(executor.handle, token: name)
    }
  }

  /// Hands a plan to its executor: its time begins now, unless it began before.
  ///
  /// - Parameters:
  ///   - reading: the plan, where it has just been read.
  ///   - withheldSince: since when it was withheld from its worker, in simulated seconds, if it was.
  func handOver(
    _ record: IntentionRecord, to executor: ExecutorRecord, _ reading: PlanReading? = nil,
    withheldSince: Double? = nil
  ) {
    let hasBegun = record.start != nil
    if let worker = executor.worker, workers.keepsBack(record.identity, from: worker) {
      record.state = .owed
      if workers.records[worker]?.isProvisioned != true { executor.unacknowledged = executor.unacknowledged ?? 0 }
      return activity.refresh(executor)
    }
    do {
      if let physics = executor.physics {
        let isNew = beginTime(of: record)
        try physics.add(record, reading ?? reader.read(record.intention), isNew: isNew)
      } else {
        try give(record, to: executor)
      }
    } catch {
      return end(record, .failed, reason: String(describing: error), tellingExecutor: false)
    }
    if executor.worker != nil { noteNewPlan(record, of: executor, overdueSince: hasBegun ? withheldSince : nil) }
    noteGivenWhileSilent(executor, on: record.slots)
    traceAddition(of: record, executor)
    if executor.abilities.contains(.updates) { executor.wantsUpdate = true }
    activity.refresh(executor)
  }

  /// Notes an executor that was displaced from a property and now receives a plan for it: an added plan makes it move the property,
  /// so it is displaced again if another writer drives once the writers are settled.
  private func noteGivenWhileSilent(_ executor: ExecutorRecord, on slots: SmallList<PropertyTable.Slot>) {
    for slot in slots where movement.properties[slot].silent.contains(executor.handle) {
      movement.givenWhileSilent.append((slot, executor.handle))
      movement.unsettle(slot)
    }
  }

  private func give(_ record: IntentionRecord, to executor: ExecutorRecord) throws {
    guard let planned = record.planned(from: begin(record, of: executor)) else { return }
    if let worker = executor.worker {
      let reads = reader.reads(of: record).map { ReadProperty($0, plans.state(of: $0)) }
      if !reads.isEmpty { workers.send(.properties(reads), to: worker) }
      workers.send(.add(executor.handle, executor.key, planned), to: worker)
      activity.awaitAcknowledgement(of: executor)
    } else if let name = record.name, let named = executor.named {
      try named.add(planned, named: name)
    } else {
      try executor.executor?.add(planned)
    }
  }

  /// Begins the time of a plan that its executor has from now on, unless it began before.
  ///
  /// - Returns: the states of its properties when its time began.
  @discardableResult
  func begin(_ record: IntentionRecord, of executor: ExecutorRecord) -> [PlannedIntention.Start] {
    guard beginTime(of: record) else { return record.starts }
    let starts = record.slots.map { slot in
      PlannedIntention.Start(
        movement.properties[slot].reference.property, handle: movement.properties.handle(at: slot),
        state: movement.properties.state(at: slot))
    }
    if executor.worker != nil {
      record.starts = starts
      plans.checkpoints.touch(record)
    }
    return starts
  }

  /// - Returns: whether its time had not begun before.
  @discardableResult
  private func beginTime(of record: IntentionRecord) -> Bool {
    record.state = .added
    guard record.start == nil else { return false }
    record.start = (position.moment.number, position.moment.start)
    plans.checkpoints.touch(record)
    return true
  }

  func traceAddition(of record: IntentionRecord, _ executor: ExecutorRecord) {
    if let name = record.name {
      reports.trace(.didAddNamed(record.identity, name, executor.key))
    } else {
      reports.trace(.didAdd(record.identity, executor.key))
    }
  }
}
