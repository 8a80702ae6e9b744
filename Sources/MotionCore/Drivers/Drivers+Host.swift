import MotionModel

extension Drivers: ExecutorHost {
  /// Writes on behalf of an executor in this process; see ``ExecutorContext/write(_:_:imposing:remaining:carry:)``.
  func write(
    _ property: PropertyName, _ state: PropertyState, imposing: Imposed, remaining: Double?, carry: Double?,
    by executor: ExecutorHandle
  ) {
    guard let record = plans.executors[executor] else { return }
    guard let slot = plans.slot(of: property, on: record.target) else {
      return refuseWrite(property, of: record, "no intention of it writes this property")
    }
    guard admit(state, on: slot, of: record) else { return }
    let acceleration =
      movement.properties.governors.contains(slot)
      ? record.moves?.acceleration(of: property, in: state, at: frame.time) : nil
    movement.properties.set(slot, to: state, acceleration: acceleration)
    settleUnlessBusy()
  }

  /// Whether an executor may write this to the property now; a manipulation grips the property with its first write.
  ///
  /// The mover of a property may write it, and so may its driver, which is about to become its mover.
  func admit(_ state: PropertyState, on slot: PropertyTable.Slot, of record: ExecutorRecord) -> Bool {
    let (reference, lanes) = (movement.properties[slot].reference, movement.properties.lanes(at: slot))
    guard state.isWellFormed, state.value.count == lanes else {
      refuseWrite(reference.property, of: record, "the value is not finite, or has another number of lanes")
      return false
    }
    guard
      movement.properties[slot].stack.hasClaim(of: record.handle)
        || movement.properties[slot].stack.isHeld(by: record.handle)
    else {
      // A worker's samples may still be under way when its plan has ended.
      if record.worker == nil || !record.written.contains(slot) {
        refuseWrite(reference.property, of: record, "no intention of it writes this property")
      }
      return false
    }
    if record.holdsWhatItWrites, movement.properties[slot].stack.mayManipulate(record.handle),
      !movement.properties[slot].stack.isHeld(by: record.handle)
    {
      movement.properties[slot].stack.grip(record.handle, token: nil)
      movement.unsettle(slot)
      settle()
    }
    return movement.properties[slot].stack.driver == record.handle || movement.properties[slot].actor == record.handle
  }

  private func refuseWrite(_ property: PropertyName, of record: ExecutorRecord, _ reason: String) {
    log.refusals.writes += 1
    if let worker = record.worker { workers.records[worker]?.refusedWrites += 1 }
    log.note(.refusals, .writeRefused(record.key, property, reason: reason))
  }

  /// The state of a property; see ``ExecutorContext/state(of:)-(PropertyReference)``.
  func state(of reference: PropertyReference, for executor: ExecutorHandle) -> PropertyState? {
    plans.state(of: reference)
  }

  /// Remote execution is about to start; see ``ExecutorContext/remoteExecutionWillStart(_:moving:from:)``.
  func remoteExecutionWillStart(
    _ name: TokenName, moving properties: [PropertyName], from places: [Lanes], of executor: ExecutorHandle
  ) {
    // An executor in this process has missed no movement.
    guard let record = plans.executors[executor] else { return }
    activity.start(name, moving: properties, of: record)
    settleUnlessBusy()
  }

  /// Remote execution ended; see ``ExecutorContext/remoteExecutionDidEnd(_:)``.
  func remoteExecutionDidEnd(_ name: TokenName, of executor: ExecutorHandle) {
    guard let record = plans.executors[executor] else { return }
    activity.end(name, of: record)
    settleUnlessBusy()
  }

  /// Ends a plan; see ``ExecutorContext/finish(_:_:)``.
  func finish(_ identity: IntentionIdentity, _ outcome: Outcome, of executor: ExecutorHandle) {
    guard let record = plans.intentions[identity], record.executor == executor else { return }
    if outcome == .completed, retirement.linger(record) { return }
    retirement.end(record, outcome, tellingExecutor: false)
    settleUnlessBusy()
  }

  /// Fails a plan; see ``ExecutorContext/fail(_:reason:)``.
  func fail(_ identity: IntentionIdentity, reason: String, of executor: ExecutorHandle) {
    guard let record = plans.intentions[identity], record.executor == executor else { return }
    retirement.end(record, .failed, reason: reason, tellingExecutor: false)
    settleUnlessBusy()
  }

  /// Emits a plan; see ``ExecutorContext/emit(_:named:from:ordinal:)-(Intention,_,_,_)``.
  func emit(
    _ intention: Intention, named name: IntentionName?, parent: IntentionIdentity, ordinal: UInt32,
    of executor: ExecutorHandle
  ) {
    guard let record = plans.intentions[parent], record.executor == executor else { return }
    var intention = intention
    intention.priority = record.intention.priority
    if record.intention.after != 0, reader.isComposition(record.intention.type) {
      intention.after += record.intention.after
    }
    emit(named: name, from: record, ordinal: ordinal) { () throws(Refusal) in
      try check(intention, isNamed: name != nil)
    }
    settleUnlessBusy()
  }

  /// Emits the parts of a composition, which were read when it was checked.
  func emit(_ parts: [PlanReading], from record: IntentionRecord) {
    for (ordinal, part) in parts.enumerated() where plans.intentions[record.identity] != nil {
      emit(named: nil, from: record, ordinal: UInt32(ordinal)) { () throws(Refusal) in
        try workers.checkQuarantine(of: part)
        return part
      }
    }
  }

  private func emit(
    named name: IntentionName?, from record: IntentionRecord, ordinal: UInt32,
    _ read: () throws(Refusal) -> PlanReading
  ) {
    guard record.emitted.insert(ordinal) else { return }
    plans.checkpoints.touch(record)
    let identity = record.identity.child(ordinal)
    guard identity.path.count <= Limits.emissionDepth else {
      let reason = "intentions emit each other more than \(Limits.emissionDepth) deep"
      return retirement.end(record, .failed, reason: reason, tellingExecutor: true)
    }
    let reading: PlanReading
    do {
      reading = try read()
      try checkReach(of: reading.entry.description, emittedBy: record.intention.type)
    } catch {
      return retirement.end(
        record, .failed, reason: "an intention that it emitted is refused: \(error)", tellingExecutor: true)
    }
    add(reading.intention, named: name, to: record.target.name, as: identity, reading)
  }

  /// Refuses an emitted plan that reaches outside the machine unless the description of the emitting type allows it:
  /// permissions apply to the committed types.
  private func checkReach(of emitted: IntentionDescription, emittedBy type: IntentionType) throws(Refusal) {
    guard emitted.reachesOutside, reader.registry.catalog[type]?.description.reachesOutside != true else { return }
    throw Refusal(
      .unknownType, "\(emitted.type) reaches outside the machine, and the description of \(type) does not declare this",
      remedy: "Declare \(type) with reachesOutside.")
  }

  /// Settles the changes that an executor made by itself, between frames.
  private func settleUnlessBusy() {
    guard !position.isBusy else { return }
    settle()
    activity.refresh()
  }

  /// Fails a plan of forces whose movement leaves the range of numbers.
  func fail(_ identity: IntentionIdentity, of executor: ExecutorHandle) {
    fail(identity, reason: OutOfBounds().description, of: executor)
  }

  /// Passes the states of changed properties to the executors that read them.
  func tellReaders() { activity.tellReaders { fail($0, of: $1) } }
}
