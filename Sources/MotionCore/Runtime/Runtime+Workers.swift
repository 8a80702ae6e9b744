public import MotionModel

extension Runtime {
  /// Sends a command to a worker, if it has been told everything before.
  func send(_ command: WorkerCommand, to worker: WorkerAddress) {
    guard workers[worker]?.isProvisioned == true else { return }
    workers[worker]?.commandsSent += 1
    workerPort?.send(command, to: worker)
  }

  /// An executor in a worker is active until its worker has applied what was last sent.
  func awaitAcknowledgement(of handle: ExecutorHandle) {
    guard let record = executors[handle], let worker = record.worker else { return }
    record.unacknowledged = workers[worker]?.commandsSent
    workers[worker]?.unacknowledged.insert(handle)
    refreshActivity(of: record)
  }

  /// Whether a worker is to hear of the next frame: an executor in it is active.
  public func wantsFrames(_ worker: WorkerAddress) -> Bool { workers[worker]?.active.isEmpty == false }

  /// A worker is there: it is given all it has to know, and the time of what it is owed begins.
  func provision(_ worker: WorkerAddress, in frame: Frame) {
    workers[worker, default: WorkerRecord()].isProvisioned = true
    let handles = (workers[worker]?.executors ?? []).sorted()
    for handle in handles {
      guard let record = executors[handle] else { continue }
      for identity in record.intentions { beginOwed(identity, of: record, in: frame) }
      let owes = record.unacknowledged != nil
      if owes { awaitAcknowledgement(of: handle) }
    }
    workerPort?.provision(worker, with: snapshot(of: worker, after: frame))
  }

  private func beginOwed(_ identity: IntentionIdentity, of executor: ExecutorRecord, in frame: Frame) {
    guard var record = intentions[identity], record.state == .owed else { return }
    begin(&record, in: frame)
    record.state = .added
    intentions[identity] = record
    if let name = record.name {
      trace(.didAddNamed(identity, name, executor.key))
    } else {
      trace(.didAdd(identity, executor.key))
    }
  }

  /// Everything a worker has to know.
  func snapshot(of worker: WorkerAddress, after frame: Frame) -> WorkerSnapshot {
    let handles = (workers[worker]?.executors ?? []).sorted()
    let states = handles.compactMap { handle -> WorkerSnapshot.Executor? in
      guard let record = executors[handle] else { return nil }
      let slots = Set(record.intentions.flatMap { intentions[$0]?.slots ?? [] }).sorted()
      return WorkerSnapshot.Executor(
        handle: handle, key: record.key,
        intentions: record.intentions.compactMap { identity in
          guard let record = intentions[identity], record.state == .added else { return nil }
          return record.planned()
        },
        displaced: slots.filter { properties[$0].silent.contains(handle) }.map { properties[$0].reference.property },
        driven: slots.filter { properties[$0].stack.driver == handle }.map { slot in
          let entry = properties[slot]
          return PlannedIntention.Start(entry.reference.property, handle: entry.handle, state: entry.state)
        })
    }
    let reads = readers.filter { $0.value[worker] != nil }.keys.sorted()
    return WorkerSnapshot(
      frame: frame, executors: states, properties: reads.map { ReadProperty($0, state(of: $0)) })
  }

  /// A worker died or was fenced: its tokens end at once, and what it moved fades to a stand.
  ///
  /// Its plans are owed until it is provisioned again; those that were under way keep the runtime active until then.
  func lose(_ worker: WorkerAddress, in frame: Frame) {
    workers[worker]?.isProvisioned = false
    workers[worker]?.commandsSent = 0
    workers[worker]?.lastFrame = 0
    workers[worker]?.unacknowledged = []
    for handle in (workers[worker]?.executors ?? []).sorted() {
      guard let record = executors[handle] else { continue }
      let wasActive = record.isActive
      endTokens(of: record, in: frame)
      record.wantsUpdate = false
      for identity in record.intentions where intentions[identity]?.state == .added {
        intentions[identity]?.state = .owed
      }
      record.unacknowledged = wasActive && !record.intentions.isEmpty ? 0 : nil
      loseProperties(of: record)
      refreshActivity(of: record)
    }
    settle(in: frame)
  }

  /// Nobody moves what a lost executor moved, until its first word after it is back.
  private func loseProperties(of record: ExecutorRecord) {
    let slots = Set(record.intentions.flatMap { intentions[$0]?.slots ?? [] })
    for slot in slots.sorted() where properties[slot].actor == record.handle {
      properties[slot].actor = nil
      var motion = properties[slot].motion ?? PropertyMotion()
      motion.incoming = nil
      motion.blendsNext = true
      properties[slot].motion = motion
      if properties[slot].velocity != .zero { moving.insert(slot) }
    }
  }

  /// A plugin failed too often: what should end by itself fails, what stands is owed until the plugin is restored.
  func quarantine(_ plugin: PluginName, reason: String, in frame: Frame) {
    quarantined[plugin] = reason
    for worker in workers.keys.sorted() where worker.plugin == plugin {
      lose(worker, in: frame)
      for handle in (workers[worker]?.executors ?? []).sorted() {
        guard let record = executors[handle] else { continue }
        for identity in record.intentions where intentions[identity]?.kind == .oneShot {
          endIntention(identity, .failed, reason: "plugin \(plugin) is quarantined: \(reason)", in: frame)
        }
        record.unacknowledged = nil
        refreshActivity(of: record)
      }
    }
    settle(in: frame)
  }

  // MARK: Reads

  /// Notes that a plan in a worker reads properties, or reads them no more.
  func noteReads(of record: IntentionRecord, _ isReading: Bool) {
    guard let worker = executors[record.executor]?.worker else { return }
    for reference in reads(of: record) {
      let count = (readers[reference]?[worker] ?? 0) + (isReading ? 1 : -1)
      readers[reference, default: [:]][worker] = count > 0 ? count : nil
      if readers[reference]?.isEmpty == true { readers[reference] = nil }
    }
  }

  /// Tells a worker where the properties are that a plan reads.
  func sendReads(of identity: IntentionIdentity, to worker: WorkerAddress) {
    guard let record = intentions[identity] else { return }
    let references = reads(of: record)
    guard !references.isEmpty else { return }
    send(.properties(references.map { ReadProperty($0, state(of: $0)) }), to: worker)
  }

  private func reads(of record: IntentionRecord) -> [PropertyReference] {
    guard let entry = registry.catalog[record.intention.type] else { return [] }
    return entry.description.propertiesRead(by: record.intention).map { PropertyReference(record.target, $0) }
      + entry.description.references(of: record.intention)
  }

  /// Tells the workers where the properties are that changed in the frame and that they read.
  func tellReaders(in frame: Frame) {
    guard !readers.isEmpty else { return }
    var told: [WorkerAddress: [ReadProperty]] = [:]
    for slot in properties.changed {
      let entry = properties[slot]
      for worker in readers[entry.reference]?.keys.sorted() ?? [] {
        told[worker, default: []].append(ReadProperty(entry.reference, entry.state))
      }
    }
    for worker in told.keys.sorted() { send(.properties(told[worker] ?? []), to: worker) }
  }

  /// Tells the workers that read a property that it is somewhere else, or gone.
  func tellReaders(of reference: PropertyReference, _ state: PropertyState?) {
    for worker in readers[reference]?.keys.sorted() ?? [] {
      send(.properties([ReadProperty(reference, state)]), to: worker)
    }
  }
}
