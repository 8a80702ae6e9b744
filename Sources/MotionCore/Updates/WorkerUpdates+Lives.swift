import MotionModel

extension WorkerUpdates {
  /// Sends a snapshot to a worker that has connected, or has requested it again. The time of its waiting plans begins.
  func provision(_ worker: WorkerAddress) {
    applyEndings(of: worker)
    let hadSnapshot = workers.records[worker]?.isProvisioned == true
    workers.records[worker, default: WorkerRecord()].isProvisioned = true
    // The snapshot has the states of all that it reads.
    workers.records[worker]?.reads.held = []
    for handle in workers.executors(in: worker) {
      guard let record = plans.executors[handle] else { continue }
      let owed = record.intentions.compactMap { plans.intentions[$0] }.filter {
        $0.state == .owed && !workers.withholds($0.identity, from: worker)
      }
      let new = owed.filter { $0.start == nil }
      for intention in owed { drivers.begin(intention, of: record) }
      for intention in new { drivers.logAddition(of: intention, record) }
      // For plans that begin now no sample was requested before; for plans that have begun, samples were due all the
      // time. In a worker that requests its snapshot again, the plans that it had begin again: their samples do not
      // continue those before.
      if new.count < owed.count || hadSnapshot && record.intentions.count > owed.count {
        workers.records[worker]?.overdue.insert(handle)
      } else if !new.isEmpty {
        record.unacknowledged = nil
      }
      if !owed.isEmpty || record.unacknowledged != nil { activity.awaitAcknowledgement(of: record) }
    }
    workers.port?.provision(worker, with: snapshot(of: worker))
  }

  /// The complete state that a worker needs.
  func snapshot(of worker: WorkerAddress) -> WorkerSnapshot {
    let ended = queue.endedUnapplied(by: worker)
    return WorkerSnapshot(
      frame: position.moment,
      executors: workers.executors(in: worker).compactMap {
        plans.executors[$0].map { snapshot(of: $0, without: ended) }
      },
      properties: plans.reads(in: worker).map { ReadProperty($0, plans.state(of: $0)) })
  }

  private func snapshot(
    of record: ExecutorRecord, without ended: Set<IntentionIdentity>
  ) -> WorkerSnapshot.Executor {
    let slots = toldSlots(of: record)
    return WorkerSnapshot.Executor(
      handle: record.handle, key: record.key,
      intentions: record.intentions.compactMap { plans.intentions[$0] }
        .filter { $0.state == .added && !retirement.lingering.contains($0.identity) && !ended.contains($0.identity) }
        .compactMap { $0.planned(from: $0.starts) },
      displaced: slots.filter { movement.properties[$0].silent.contains(record.handle) }
        .map { movement.properties[$0].reference.property },
      driven: slots.filter { movement.properties[$0].stack.driver == record.handle }.map { slot in
        PlannedIntention.Start(
          movement.properties[slot].reference.property, handle: movement.properties.handle(at: slot),
          state: movement.properties.state(at: slot))
      })
  }

  /// Handles a worker that exited or was fenced: its tokens end at once, and the velocities of the properties it moved
  /// fade to zero.
  ///
  /// Its plans are owed until it is provisioned again; those that were under way keep the runtime active until then.
  func lose(_ worker: WorkerAddress) {
    applyEndings(of: worker)
    workers.records[worker]?.isProvisioned = false
    workers.records[worker]?.commandsSent = 0
    workers.records[worker]?.reads = ReadBacklog()
    workers.records[worker]?.lastFrame = 0
    workers.records[worker]?.unacknowledged = []
    let overdue = workers.records[worker]?.overdue ?? []
    workers.records[worker]?.overdue = []
    // Its updates that wait for the next frame must not count as updates of its successor.
    queue.dropUpdates(of: worker)
    for handle in workers.executors(in: worker) {
      guard let record = plans.executors[handle] else { continue }
      for identity in record.intentions
      where retirement.lingering.contains(identity) && !retirement.isArriving(identity) {
        if let completed = plans.intentions[identity] { retirement.end(completed, .completed, tellingExecutor: false) }
      }
      let wasActive = record.isActive
      activity.endTokens(of: record)
      record.wantsUpdate = false
      for identity in record.intentions {
        if let intention = plans.intentions[identity], intention.state == .added, !retirement.isArriving(identity) {
          intention.state = .owed
        }
      }
      if record.unacknowledged == nil, !overdue.contains(handle) { record.silentSince = frame.time }
      record.unacknowledged = wasActive && !record.intentions.isEmpty ? 0 : nil
      loseProperties(of: record)
      activity.refresh(record)
    }
    drivers.settle()
  }

  /// Leaves the properties of a lost executor without a mover until the executor's first sample after its worker has
  /// returned.
  private func loseProperties(of record: ExecutorRecord) {
    for slot in plans.writtenSlots(of: record) {
      movement.properties.motions.changeIfPresent(slot) { motion in
        if motion.firstSample?.executor == record.handle { motion.firstSample = nil }
        // Its successor's commands are numbered from the start, and every sample of the successor is a first sample.
        if motion.newPlan?.executor == record.handle { motion.newPlan = nil }
      }
      let stack = movement.properties[slot].stack
      guard movement.properties[slot].actor == record.handle,
        !stack.identities(of: record.handle).contains(where: retirement.isArriving)
      else { continue }
      movement.properties[slot].actor = nil
      movement.properties.motions.changeIfPresent(slot) { $0.word = nil }
      movement.unsettle(slot)
      if movement.properties.limits.lossRule(of: movement.properties[slot].reference) != nil {
        movement.lose(slot, of: record.handle)
      }
    }
  }

  /// Quarantines a plugin that failed too often: its one-shots fail, and its standing plans are owed until the plugin
  /// is restored.
  func quarantine(_ plugin: PluginName, reason: String) {
    workers.quarantined[plugin] = reason
    for worker in workers.records.keys.sorted() where worker.plugin == plugin {
      lose(worker)
      for handle in workers.executors(in: worker) {
        guard let record = plans.executors[handle] else { continue }
        for intention in record.intentions.compactMap({ plans.intentions[$0] }) where intention.kind == .oneShot {
          retirement.end(
            intention, .failed, reason: "plugin \(plugin) is quarantined: \(reason)", tellingExecutor: false)
        }
        record.unacknowledged = nil
        activity.refresh(record)
      }
    }
    drivers.settle()
  }

  /// Ends the quarantine of a plugin. Plans that were quarantined because its workers crashed on them are tried again,
  /// and the workers that are owed plans are needed again.
  func restore(_ plugin: PluginName) {
    let wasQuarantined = workers.quarantined.removeValue(forKey: plugin) != nil
    release(plugin)
    guard wasQuarantined else { return }
    for (worker, record) in workers.records.sorted(by: { $0.key < $1.key })
    where worker.plugin == plugin && !record.executors.isEmpty { workers.port?.need(worker) }
  }
}
