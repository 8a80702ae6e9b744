import MotionModel

extension Runtime {
  /// Adds a plan: a plan of its name goes first, its executor is found or made, and the writers are noted.
  ///
  /// What cannot be added although the commit was accepted (the world has changed since) is reported as failed; a plan
  /// of its name stays then.
  func add(
    _ intention: Intention, named name: IntentionName?, to target: TargetName, as identity: IntentionIdentity
  ) {
    guard intentions[identity] == nil, let entry = registry.catalog[intention.type] else { return }
    let key = ExecutorKey(target, entry.description.executor)
    let placement: Placement
    do {
      placement = try admit(intention, named: name, to: target, as: entry)
    } catch {
      return report(
        EndedIntention(
          identity: identity, target: target, type: intention.type, name: name, frame: moment.number, outcome: .failed,
          reason: error.description),
        of: intention, kind: entry.description.kind, key)
    }
    makeTarget(target)
    if let name { remove(named: name, from: target) }
    let executor = findOrMakeExecutor(key, provider: entry.provider)
    let slots = placement.properties.map { makeSlot(PropertyReference(target, $0.name), lanes: $0.lanes) }
    lastOrder += 1
    let record = IntentionRecord(
      identity: identity, target: target, executor: executor.handle, intention: intention, name: name,
      kind: entry.description.kind, slots: Array(slots.prefix(placement.written)), order: lastOrder, state: .owed)
    note(record, of: executor)
    if record.state != .waiting { handOver(record, to: executor) }
  }

  /// Whether a plan can be added now.
  private func admit(
    _ intention: Intention, named name: IntentionName?, to target: TargetName, as entry: IntentionCatalog.Entry
  ) throws(Refusal) -> Placement {
    if case .plugin(let plugin) = entry.provider, let reason = quarantined[plugin] {
      throw .quarantined(plugin, reason)
    }
    if targets[target] == nil, targets.count >= Limits.targets { throw .targets(targets.count) }
    var outlook = TargetOutlook()
    if let name, targets[target]?.names[name] != nil { outlook.addedIntentions = -1 }
    return try place(intention, describedBy: entry.description, on: target, after: outlook)
  }

  /// Takes a plan into the books, and its claim on every property it writes.
  ///
  /// A one-shot waits as long as a manipulation holds any of them.
  private func note(_ record: IntentionRecord, of executor: ExecutorRecord) {
    intentions[record.identity] = record
    executor.intentions.append(record.identity)
    executor.idleSince = nil
    targets[record.target]?.intentions += 1
    if let name = record.name { targets[record.target]?.names[name] = record.identity }
    if let parent = record.identity.parent { intentions[parent]?.children.insert(record.identity.path.last ?? 0) }
    if executor.worker != nil { executor.written.formUnion(record.slots) }
    noteReads(of: record, true)
    if record.kind == .oneShot, record.slots.contains(where: { properties[$0].stack.isHeld }) {
      record.state = .waiting
    }
    for slot in record.slots {
      properties[slot].stack.add(
        record.identity, kind: record.kind, executor: record.executor, isWaiting: record.state == .waiting)
      unsettle(slot)
      if record.kind == .manipulation { holdAgain(slot, executor) }
    }
  }

  /// A hand that is down already holds what its new plan lets it move.
  private func holdAgain(_ slot: PropertyTable.Slot, _ executor: ExecutorRecord) {
    for (name, token) in executor.tokens.sorted(by: { $0.key < $1.key }) where token.slots.contains(slot) {
      properties[slot].stack.grip(executor.handle, token: name)
    }
  }

  /// Gives a plan to its executor: its time begins now, unless it began before.
  func handOver(_ record: IntentionRecord, to executor: ExecutorRecord) {
    if let worker = executor.worker, workers[worker]?.isProvisioned != true {
      record.state = .owed
      executor.unacknowledged = executor.unacknowledged ?? 0
      return refreshActivity(of: executor)
    }
    let starts = begin(record, of: executor)
    guard let planned = record.planned(from: starts) else { return }
    do {
      if let name = record.name, let named = executor.named {
        try named.add(planned, named: name)
      } else {
        try executor.executor.add(planned)
      }
    } catch {
      return end(record, .failed, reason: String(describing: error), tellingExecutor: false)
    }
    noteNewPlan(record, of: executor)
    traceAddition(of: record, executor)
    if executor.updating != nil { executor.wantsUpdate = true }
    refreshActivity(of: executor)
  }

  /// The executor has the plan from now on: its time begins, unless it began before.
  ///
  /// - Returns: where its properties were when its time began.
  @discardableResult
  func begin(_ record: IntentionRecord, of executor: ExecutorRecord) -> [PlannedIntention.Start] {
    record.state = .added
    guard record.start == nil else { return record.starts }
    record.start = (moment.number, moment.start)
    let starts = record.slots.map { slot in
      PlannedIntention.Start(
        properties[slot].reference.property, handle: properties.handle(at: slot), state: properties.state(at: slot))
    }
    if executor.worker != nil { record.starts = starts }
    return starts
  }

  func traceAddition(of record: IntentionRecord, _ executor: ExecutorRecord) {
    if let name = record.name {
      trace(.didAddNamed(record.identity, name, executor.key))
    } else {
      trace(.didAdd(record.identity, executor.key))
    }
  }
}
