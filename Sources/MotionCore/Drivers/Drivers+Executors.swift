import MotionModel

extension Drivers {
  /// The executor of a target that fulfils plans of a type, created if there is none.
  func findOrMakeExecutor(of reading: PlanReading, on target: TargetRecord) -> ExecutorRecord {
    let type = reading.entry.description.executor
    // A target has few executors: comparing their types costs less than hashing one.
    for handle in target.executors {
      if let record = plans.executors[handle], record.type == type { return record }
    }
    var worker: WorkerAddress?
    if case .plugin(let plugin) = reading.entry.provider {
      worker = reader.registry.worker(for: ExecutorKey(target.name, type), of: plugin)
    }
    return makeExecutor(type, on: target, in: worker)
  }

  /// Creates an executor with the next number: in a worker or, by its type, in this process.
  func makeExecutor(_ type: ExecutorType, on target: TargetRecord, in worker: WorkerAddress?) -> ExecutorRecord {
    plans.last.executor += 1
    let handle = ExecutorHandle(plans.last.executor)
    let record: ExecutorRecord
    if let worker {
      workers.records[worker, default: WorkerRecord()].executors.insert(handle)
      workers.port?.need(worker)
      record = ExecutorRecord(type: type, on: target, handle: handle, abilities: [], worker: worker)
    } else if let declaration = reader.registry.declarations[type] {
      let executor = declaration.make(target.name, ExecutorContext(target: target.name, executor: handle, host: self))
      record = ExecutorRecord(
        type: type, on: target, handle: handle, executor: executor, abilities: reader.abilities(of: type, executor))
    } else {
      record = ExecutorRecord(
        type: type, on: target, handle: handle, physics: PhysicsExecutor(handle: handle, in: movement),
        abilities: .ofPhysics)
    }
    plans.executors[handle] = record
    target.executors.append(handle)
    log.note(.executors, .executorCreated(record.key))
    return record
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
        try add(record, to: physics, reading ?? reader.read(record.intention), isNew: isNew)
      } else {
        try give(record, to: executor, reading)
      }
    } catch {
      return retirement.end(record, .failed, reason: String(describing: error), tellingExecutor: false)
    }
    if executor.worker != nil { noteNewPlan(record, of: executor, overdueSince: hasBegun ? withheldSince : nil) }
    noteGivenWhileSilent(executor, on: record.slots)
    logAddition(of: record, executor)
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

  /// Hands a force to its executor.
  ///
  /// - Parameter isNew: whether its time begins with that; a plan that has begun before does not set its velocity again.
  private func add(
    _ record: IntentionRecord, to physics: PhysicsExecutor, _ reading: PlanReading?, isNew: Bool
  ) throws {
    var law = if let reading { try reading.force() } else { try ForceLaw(record.intention) }
    if !isNew { law.initialVelocity = nil }
    guard let slot = record.slots.first else { return }
    let leader = law.follows.flatMap { plans.state(of: $0) }
    let displaced = try physics.add(law, as: record.identity, on: slot, following: leader, isNew: isNew)
    if let displaced { finish(displaced, .displaced, of: record.executor) }
  }

  private func give(_ record: IntentionRecord, to executor: ExecutorRecord, _ reading: PlanReading?) throws {
    guard let planned = record.planned(from: begin(record, of: executor)) else { return }
    if let parts = reading?.parts {
      emit(parts, from: record)
    } else if let worker = executor.worker {
      let reads = reader.reads(of: record).map { ReadProperty($0, plans.state(of: $0)) }
      if !reads.isEmpty { workers.send(.properties(reads), to: worker) }
      workers.send(.add(executor.handle, executor.key, planned), to: worker)
      activity.awaitAcknowledgement(of: executor)
    } else if let executor = executor.moves {
      try moves.begin(record, planned, by: executor)
    } else if let executor = executor.follows {
      try executor.add(planned) { plans.inputs[$0] }
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
    if executor.moves != nil, let slot = record.slots.first {
      record.limits = movement.properties.limits[movement.properties[slot].reference]
    }
    // A manipulation moves nothing yet: the one of its executor that is active goes on.
    if executor.worker == nil, record.kind != .manipulation, !movement.properties.governors.isEmpty {
      for slot in record.slots where movement.properties[slot].actor == executor.handle {
        movement.properties.governors.endFade(slot)
      }
    }
    let starts = record.slots.map { slot in
      PlannedIntention.Start(
        movement.properties[slot].reference.property, handle: movement.properties.handle(at: slot),
        state: movement.properties.state(at: slot),
        acceleration: executor.moves == nil ? nil : moves.startAcceleration(of: record, at: slot))
    }
    // The curve of a tween depends on its start: a move that displaces it needs that.
    if executor.worker != nil || executor.moves != nil || record.intention.type == TweenIntention.description.type {
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

  func logAddition(of record: IntentionRecord, _ executor: ExecutorRecord) {
    log.note(.plans, .added(record.identity, named: record.name, executor.key))
  }

  // MARK: Drivers

  /// Notifies an executor that another writer drives a property.
  func displace(_ record: ExecutorRecord, from property: PropertyName) {
    if let physics = record.physics {
      physics.displaced(property)
    } else if let worker = record.worker {
      workers.send(.displaced(record.handle, property), to: worker)
    } else {
      record.yielding?.displaced(property)
    }
  }

  /// Notifies an executor that it drives a property again.
  func resume(_ record: ExecutorRecord, _ property: PropertyName, from state: PropertyState) {
    if let physics = record.physics {
      physics.resumed(property) { fail($0, of: record.handle) }
    } else if let worker = record.worker {
      workers.send(.resumed(record.handle, property, state, time: position.moment.start), to: worker)
      activity.awaitAcknowledgement(of: record)
    } else {
      record.yielding?.resumed(property, from: state, at: position.moment.start)
    }
  }
}
