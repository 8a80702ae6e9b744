import MotionModel

extension Runtime {
  /// Adds a plan: a plan of its name goes first, its executor is found or made, and the writers are noted.
  ///
  /// What cannot be added although the commit was accepted (the world has changed since) is reported as failed.
  func add(
    _ intention: Intention, named name: IntentionName?, to target: TargetName, as identity: IntentionIdentity,
    in frame: Frame
  ) {
    guard intentions[identity] == nil else { return }
    guard let entry = registry.catalog[intention.type] else { return }
    let key = ExecutorKey(target, entry.description.executor)
    makeTarget(target)
    if let name { remove(named: name, from: target, in: frame) }
    let executor = findOrMakeExecutor(key, provider: entry.provider)
    lastOrder += 1
    var record = IntentionRecord(
      identity: identity, target: target, executor: executor.handle, intention: intention, name: name,
      kind: entry.description.kind, slots: [], order: lastOrder, state: .owed)
    do {
      record.slots = try makeSlots(of: intention, describedBy: entry.description, on: target)
    } catch {
      return report(record, failed: error.description, in: frame)
    }
    if case .plugin(let plugin) = entry.provider, let reason = quarantined[plugin] {
      return report(record, failed: "plugin \(plugin) is quarantined: \(reason)", in: frame)
    }
    let waits = claim(&record)
    intentions[identity] = record
    noteReads(of: record, true)
    executor.intentions.append(identity)
    executor.idleSince = nil
    if let name { targets[target]?.names[name] = identity }
    if !waits { handOver(identity, in: frame) }
  }

  /// Notes the plan as a claim on every property it writes.
  ///
  /// - Returns: whether it waits for a manipulation of any of them to end.
  private func claim(_ record: inout IntentionRecord) -> Bool {
    var waits = false
    for slot in record.slots {
      let waitsHere = properties[slot].stack.add(
        record.identity, kind: record.kind, executor: record.executor, order: record.order)
      waits = waits || waitsHere
      unsettled.append(slot)
    }
    if waits { record.state = .waiting }
    return waits
  }

  /// Gives a plan to its executor: its time begins with the frame, unless it began before.
  func handOver(_ identity: IntentionIdentity, in frame: Frame) {
    guard var record = intentions[identity], let executor = executors[record.executor] else { return }
    if let worker = executor.worker, workers[worker]?.isProvisioned != true {
      record.state = .owed
      intentions[identity] = record
      executor.unacknowledged = executor.unacknowledged ?? 0
      return refreshActivity(of: executor)
    }
    begin(&record, in: frame)
    record.state = .added
    intentions[identity] = record
    guard let planned = record.planned() else { return }
    do {
      if let name = record.name, let named = executor.executor as? any NamedExecutor {
        try named.add(planned, named: name)
      } else {
        try executor.executor.add(planned)
      }
    } catch {
      return endIntention(identity, .failed, reason: String(describing: error), in: frame)
    }
    if let name = record.name {
      trace(.didAddNamed(identity, name, executor.key))
    } else {
      trace(.didAdd(identity, executor.key))
    }
    if executor.executor is any UpdatingExecutor { executor.wantsUpdate = true }
    refreshActivity(of: executor)
  }

  /// Notes when the plan's time began and where its properties were, once.
  func begin(_ record: inout IntentionRecord, in frame: Frame) {
    guard record.start == nil else { return }
    record.start = (frame.number, frame.start)
    record.starts = record.slots.map { slot in
      let entry = properties[slot]
      return PlannedIntention.Start(entry.reference.property, handle: entry.handle, state: entry.state)
    }
  }

  /// Removes the plan of a name; without one, nothing happens.
  func remove(named name: IntentionName, from target: TargetName, in frame: Frame) {
    guard let identity = targets[target]?.names[name], let record = intentions[identity],
      let executor = executors[record.executor]
    else { return }
    removeIntention(identity, in: frame)
    trace(.didRemoveNamed(identity, name, executor.key))
  }

  /// Removes a plan and everything it emitted from their executors.
  func removeIntention(_ identity: IntentionIdentity, in frame: Frame) {
    guard let record = intentions[identity] else { return }
    for ordinal in record.children { removeIntention(identity.child(ordinal), in: frame) }
    drop(record)
    guard let executor = executors[record.executor], record.state == .added else { return }
    if let name = record.name, let named = executor.executor as? any NamedExecutor {
      named.remove(named: name)
    } else {
      executor.executor.remove(identity)
    }
  }

  /// A plan ended by itself or was displaced: it is retired and reported.
  func endIntention(_ identity: IntentionIdentity, _ outcome: Outcome, reason: String = "", in frame: Frame) {
    guard let record = intentions[identity] else { return }
    if outcome == .failed {
      for ordinal in record.children { removeIntention(identity.child(ordinal), in: frame) }
    }
    drop(record)
    if outcome == .failed { return report(record, failed: reason, in: frame) }
    ended.append(
      EndedIntention(
        identity: identity, target: record.target, type: record.intention.type, name: record.name,
        frame: frame.number, outcome: outcome))
    if let executor = executors[record.executor] { trace(.didFinish(identity, outcome, executor.key)) }
  }

  /// Forgets a plan: its name, its claims, its place in its executor.
  private func drop(_ record: IntentionRecord) {
    intentions[record.identity] = nil
    noteReads(of: record, false)
    if let name = record.name, targets[record.target]?.names[name] == record.identity {
      targets[record.target]?.names[name] = nil
    }
    for slot in record.slots {
      properties[slot].stack.remove(record.identity)
      unsettled.append(slot)
    }
    guard let executor = executors[record.executor] else { return }
    executor.intentions.removeAll { $0 == record.identity }
    if executor.isEmpty { emptied.append(executor.handle) }
  }

  /// Keeps a failed plan for queries, and says so.
  func report(_ record: IntentionRecord, failed reason: String, in frame: Frame) {
    let key = executors[record.executor]?.key ?? ExecutorKey(record.target, "Unknown")
    failures.append(
      IntentionRow(
        identity: record.identity, target: record.target, name: record.name, intention: record.intention,
        kind: record.kind, executor: key.type, state: .failed, reason: reason))
    if failures.count > Runtime.failuresKept { failures.removeFirst(failures.count - Runtime.failuresKept) }
    ended.append(
      EndedIntention(
        identity: record.identity, target: record.target, type: record.intention.type, name: record.name,
        frame: frame.number, outcome: .failed, reason: reason))
    trace(.didFail(record.identity, reason: reason, key))
  }

  /// The slots of the properties that a plan writes, made and with their lanes settled.
  private func makeSlots(
    of intention: Intention, describedBy description: IntentionDescription, on target: TargetName
  ) throws(Refusal) -> [PropertyTable.Slot] {
    let requirements = description.laneRequirements(of: intention)
    for requirement in requirements {
      let allowed = properties.lanes(of: PropertyReference(target, requirement.property))
      guard allowed.contains(requirement.lanes) else {
        throw Refusal(
          .lanes, field: requirement.field,
          "\(requirement.property) has \(allowed.lowerBound) lanes by now, the value has \(requirement.lanes)")
      }
    }
    let slots = description.propertiesWritten(by: intention).map { makeSlot(PropertyReference(target, $0)) }
    for requirement in requirements {
      properties.fixLanes(requirement.lanes, at: makeSlot(PropertyReference(target, requirement.property)))
    }
    for slot in slots { properties.fixLanes(1, at: slot) }
    return slots
  }
}
