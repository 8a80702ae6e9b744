public import MotionModel

extension Runtime {
  /// Sends a command to a worker, if it has been told everything before.
  func send(_ command: WorkerCommand, to worker: WorkerAddress) {
    guard workers[worker]?.isProvisioned == true else { return }
    workers[worker]?.commandsSent += 1
    workerPort?.send(command, to: worker)
  }

  /// An executor in a worker is active until its worker has applied what was last sent, and wants frames if that is there.
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

  /// Whether a worker is to hear of the next frame: an executor in it wants updates, or has not acknowledged a command.
  public func wantsFrames(_ worker: WorkerAddress) -> Bool { workers[worker]?.activity.wantingFrames ?? 0 > 0 }

  /// Whether an executor in a worker is active: it wants frames, holds a token, or is owed something.
  public func isActive(_ worker: WorkerAddress) -> Bool { workers[worker]?.activity.active ?? 0 > 0 }

  /// A worker is there, or asks again: it is given all it has to know, and the time of what it is owed begins.
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
      // Of what begins now nothing was asked before; of what has begun, words were due all the time.
      if new.count < owed.count {
        workers[worker]?.overdue.insert(handle)
      } else if !new.isEmpty {
        record.unacknowledged = nil
      }
      if !owed.isEmpty || record.unacknowledged != nil { awaitAcknowledgement(of: handle) }
    }
    workerPort?.provision(worker, with: snapshot(of: worker))
  }

  /// The executors that live in a worker, in order of creation.
  func executors(in worker: WorkerAddress) -> [ExecutorHandle] {
    (workers[worker]?.executors ?? []).sorted()
  }

  /// Everything a worker has to know.
  func snapshot(of worker: WorkerAddress) -> WorkerSnapshot {
    let ended = endedUnapplied(by: worker)
    return WorkerSnapshot(
      frame: moment,
      executors: executors(in: worker).compactMap { executors[$0].map { snapshot(of: $0, without: ended) } },
      properties: reads(in: worker).map { ReadProperty($0, state(of: $0)) })
  }

  /// The plans of which a worker has said that they are over, in words that wait for the next frame: what is over for
  /// the worker, and was heard, must not be given to it again.
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

  /// A worker died or was fenced: its tokens end at once, and what it moved fades to a stand.
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
    // What it said and was not heard yet must not count as said by its successor.
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

  /// Nobody moves what a lost executor moved, until its first word after it is back.
  private func loseProperties(of record: ExecutorRecord) {
    for slot in writtenSlots(of: record) {
      if properties.motions[slot]?.firstSample?.executor == record.handle {
        properties.motions[slot]?.firstSample = nil
      }
      // Its successor's commands are counted anew, and whatever it says is a first word.
      if properties.motions[slot]?.newPlan?.executor == record.handle { properties.motions[slot]?.newPlan = nil }
      guard properties[slot].actor == record.handle else { continue }
      properties[slot].actor = nil
      properties.motions[slot]?.word = nil
      unsettle(slot)
    }
  }

  /// A plugin failed too often: what should end by itself fails, what stands is owed until the plugin is restored.
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

  /// The quarantine of a plugin is over: what its workers died on is tried again, and the workers that are owed something
  /// are needed again.
  func restore(_ plugin: PluginName) {
    let wasQuarantined = quarantined.removeValue(forKey: plugin) != nil
    release(plugin)
    guard wasQuarantined else { return }
    for (worker, record) in workers.sorted(by: { $0.key < $1.key })
    where worker.plugin == plugin && !record.executors.isEmpty { workerPort?.need(worker) }
  }
}
