public import MotionModel

extension Runtime {
  /// Sends a command to a worker, if the worker is provisioned.
  func send(_ command: WorkerCommand, to worker: WorkerAddress) {
    guard workers[worker]?.isProvisioned == true else { return }
    workers[worker]?.commandsSent += 1
    workerPort?.send(command, to: worker)
  }

  /// Makes an executor active until its worker has applied the last command. It wants frames if the worker is
  /// provisioned.
  func awaitAcknowledgement(of handle: ExecutorHandle) {
    guard let record = executors[handle], let worker = record.worker else { return }
    if record.unacknowledged == nil {
      record.askedIn = frame.number
      if workers[worker]?.overdue.contains(handle) != true { record.silentSince = frame.time }
    }
    record.unacknowledged = workers[worker]?.commandsSent
    workers[worker]?.unacknowledged.insert(handle)
    refreshActivity(of: record)
  }

  /// Whether a worker needs the next tick: an executor in it wants updates, or has not acknowledged a command.
  public func wantsFrames(_ worker: WorkerAddress) -> Bool { workers[worker]?.activity.wantingFrames ?? 0 > 0 }

  /// Whether an executor in a worker is active: it wants frames, holds a token, or is owed something.
  public func isActive(_ worker: WorkerAddress) -> Bool { workers[worker]?.activity.active ?? 0 > 0 }

  /// Sends a snapshot to a worker that has connected, or asks again; the time of the plans that it is owed begins.
  func provision(_ worker: WorkerAddress) {
    applyEndings(of: worker)
    workers[worker, default: WorkerRecord()].isProvisioned = true
    for handle in executors(in: worker) {
      guard let record = executors[handle] else { continue }
      let owed = record.intentions.compactMap { intentions[$0] }.filter {
        $0.state == .owed && !isWithheld($0.identity, from: worker)
      }
      let new = owed.filter { $0.start == nil }
      for intention in owed { begin(intention, of: record) }
      for intention in new { traceAddition(of: intention, record) }
      // For plans that begin now no sample was requested before; for plans that have begun, samples were due all the
      // time.
      if new.count < owed.count {
        workers[worker]?.overdue.insert(handle)
      } else if !new.isEmpty {
        record.unacknowledged = nil
      }
      if !owed.isEmpty || record.unacknowledged != nil { awaitAcknowledgement(of: handle) }
    }
    workerPort?.provision(worker, with: snapshot(of: worker))
  }

  /// The executors in a worker, in order of creation.
  func executors(in worker: WorkerAddress) -> [ExecutorHandle] {
    (workers[worker]?.executors ?? []).sorted()
  }

  /// The complete state that a worker needs.
  func snapshot(of worker: WorkerAddress) -> WorkerSnapshot {
    let ended = endedUnapplied(by: worker)
    return WorkerSnapshot(
      frame: moment,
      executors: executors(in: worker).compactMap { executors[$0].map { snapshot(of: $0, without: ended) } },
      properties: reads(in: worker).map { ReadProperty($0, state(of: $0)) })
  }

  /// The plans that a worker has reported as ended in updates that wait for the next frame. The worker must not receive
  /// these plans again.
  private func endedUnapplied(by worker: WorkerAddress) -> Set<IntentionIdentity> {
    var ended = Set<IntentionIdentity>()
    for case .update(worker, let update) in pending {
      for event in update.events {
        switch event.event {
        case .finished(_, let identity, _), .failed(_, let identity, _): ended.insert(identity)
        case .activity, .started, .ended, .emitted: break
        }
      }
    }
    return ended
  }

  private func snapshot(
    of record: ExecutorRecord, without ended: Set<IntentionIdentity>
  ) -> WorkerSnapshot.Executor {
    let slots = toldSlots(of: record)
    return WorkerSnapshot.Executor(
      handle: record.handle, key: record.key,
      intentions: record.intentions.compactMap { intentions[$0] }
        .filter { $0.state == .added && !lingering.contains($0.identity) && !ended.contains($0.identity) }
        .compactMap { $0.planned(from: $0.starts) },
      displaced: slots.filter { properties[$0].silent.contains(record.handle) }
        .map { properties[$0].reference.property },
      driven: slots.filter { properties[$0].stack.driver == record.handle }.map { slot in
        PlannedIntention.Start(
          properties[slot].reference.property, handle: properties.handle(at: slot), state: properties.state(at: slot))
      })
  }

  /// Handles a worker that exited or was fenced: its tokens end at once, and the velocities of the properties it moved
  /// fade to zero.
  ///
  /// Its plans are owed until it is provisioned again; those that were under way keep the runtime active until then.
  func lose(_ worker: WorkerAddress) {
    applyEndings(of: worker)
    workers[worker]?.isProvisioned = false
    workers[worker]?.commandsSent = 0
    workers[worker]?.lastFrame = 0
    workers[worker]?.unacknowledged = []
    let overdue = workers[worker]?.overdue ?? []
    workers[worker]?.overdue = []
    // Its updates that wait for the next frame must not count as updates of its successor.
    pending.removeAll { if case .update(worker, _) = $0 { true } else { false } }
    for handle in executors(in: worker) {
      guard let record = executors[handle] else { continue }
      for identity in record.intentions where lingering.contains(identity) {
        if let completed = intentions[identity] { end(completed, .completed, tellingExecutor: false) }
      }
      let wasActive = record.isActive
      endTokens(of: record)
      record.wantsUpdate = false
      for identity in record.intentions {
        if let intention = intentions[identity], intention.state == .added { intention.state = .owed }
      }
      if record.unacknowledged == nil, !overdue.contains(handle) { record.silentSince = frame.time }
      record.unacknowledged = wasActive && !record.intentions.isEmpty ? 0 : nil
      loseProperties(of: record)
      refreshActivity(of: record)
    }
    settle()
  }

  /// Leaves the properties of a lost executor without a mover until the executor's first sample after its worker has
  /// returned.
  private func loseProperties(of record: ExecutorRecord) {
    for slot in writtenSlots(of: record) {
      if properties.motions[slot]?.firstSample?.executor == record.handle {
        properties.motions[slot]?.firstSample = nil
      }
      // Its successor's commands are numbered from the start, and every sample of the successor is a first sample.
      if properties.motions[slot]?.newPlan?.executor == record.handle { properties.motions[slot]?.newPlan = nil }
      guard properties[slot].actor == record.handle else { continue }
      properties[slot].actor = nil
      properties.motions[slot]?.word = nil
      unsettle(slot)
    }
  }

  /// Quarantines a plugin that failed too often: its one-shots fail, and its standing plans are owed until the plugin
  /// is restored.
  func quarantine(_ plugin: PluginName, reason: String) {
    quarantined[plugin] = reason
    for worker in workers.keys.sorted() where worker.plugin == plugin {
      lose(worker)
      for handle in executors(in: worker) {
        guard let record = executors[handle] else { continue }
        for intention in record.intentions.compactMap({ intentions[$0] }) where intention.kind == .oneShot {
          end(
            intention, .failed, reason: "plugin \(plugin) is quarantined: \(reason)", tellingExecutor: false)
        }
        record.unacknowledged = nil
        refreshActivity(of: record)
      }
    }
    settle()
  }

  /// Ends the quarantine of a plugin. Plans that were quarantined because its workers crashed on them are tried again,
  /// and the workers that are owed plans are needed again.
  func restore(_ plugin: PluginName) {
    let wasQuarantined = quarantined.removeValue(forKey: plugin) != nil
    release(plugin)
    guard wasQuarantined else { return }
    for (worker, record) in workers.sorted(by: { $0.key < $1.key })
    where worker.plugin == plugin && !record.executors.isEmpty { workerPort?.need(worker) }
  }
}
