public import MotionModel

extension Runtime: ExecutorHost {
  /// Writes on behalf of an executor in this process; see ``ExecutorContext/write(_:_:imposing:remaining:)``.
  public func write(
    _ property: PropertyName, _ state: PropertyState, imposing: Imposed, remaining: Double?,
    by executor: ExecutorHandle
  ) {
    guard let record = executors[executor] else { return }
    guard let slot = properties.slot(of: PropertyReference(record.key.target, property)) else {
      return refuseWrite(property, of: record, "no intention of it writes this property")
    }
    let word = PropertyMotion.Incoming(executor: executor, state: state, imposes: imposing, remaining: remaining)
    guard admit(word, on: slot, of: record) else { return }
    properties.set(slot, value: state.value.storage, velocity: state.velocity.storage)
  }

  /// Whether an executor may write this to the property now; a hand takes hold of it with its first write.
  func admit(_ word: PropertyMotion.Incoming, on slot: PropertyTable.Slot, of record: ExecutorRecord) -> Bool {
    let entry = properties[slot]
    guard word.state.isWellFormed, word.state.value.count == max(entry.lanes, 1) else {
      refuseWrite(entry.reference.property, of: record, "the value is not finite, or has other lanes")
      return false
    }
    guard entry.reference.target == record.key.target,
      entry.stack.hasClaim(of: record.handle) || entry.stack.isHeld(by: record.handle)
    else {
      refuseWrite(entry.reference.property, of: record, "no intention of it writes this property")
      return false
    }
    if entry.stack.mayManipulate(record.handle), !entry.stack.isHeld(by: record.handle), record.holdsUnnamed {
      properties[slot].stack.grip(record.handle, token: nil)
      unsettled.append(slot)
      settle(in: frame)
    }
    return properties[slot].stack.driver == record.handle
  }

  private func refuseWrite(_ property: PropertyName, of record: ExecutorRecord, _ reason: String) {
    refusedWrites += 1
    trace(.didRefuseWrite(record.key, property, reason: reason))
  }

  /// Where a property is; see ``ExecutorContext/state(of:)``.
  public func state(of reference: PropertyReference, for executor: ExecutorHandle) -> PropertyState? {
    state(of: reference)
  }

  /// Remote execution started; see ``ExecutorContext/remoteExecutionWillStart(_:moving:)``.
  public func remoteExecutionWillStart(
    _ name: TokenName, moving properties: [PropertyName], of executor: ExecutorHandle
  ) {
    guard let record = executors[executor] else { return }
    start(name, moving: properties, of: record, in: frame)
    settle(in: frame)
    refreshActivity()
  }

  /// Remote execution ended; see ``ExecutorContext/remoteExecutionDidEnd(_:)``.
  public func remoteExecutionDidEnd(_ name: TokenName, of executor: ExecutorHandle) {
    guard let record = executors[executor] else { return }
    end(name, of: record, in: frame)
    settle(in: frame)
    refreshActivity()
  }

  /// A plan is over; see ``ExecutorContext/finish(_:_:)``.
  public func finish(_ identity: IntentionIdentity, _ outcome: Outcome, of executor: ExecutorHandle) {
    guard intentions[identity]?.executor == executor else { return }
    endIntention(identity, outcome, in: frame)
  }

  /// A plan cannot be fulfilled; see ``ExecutorContext/fail(_:reason:)``.
  public func fail(_ identity: IntentionIdentity, reason: String, of executor: ExecutorHandle) {
    guard intentions[identity]?.executor == executor else { return }
    endIntention(identity, .failed, reason: reason, in: frame)
  }

  /// A plan emits another; see ``ExecutorContext/emit(_:named:from:ordinal:)``.
  public func emit(
    _ intention: Intention, named name: IntentionName?, parent: IntentionIdentity, ordinal: UInt32,
    of executor: ExecutorHandle
  ) {
    guard let record = intentions[parent], record.executor == executor, !record.children.contains(ordinal)
    else { return }
    let identity = parent.child(ordinal)
    guard identity.path.count <= Limits.emissionDepth else {
      return endIntention(
        parent, .failed, reason: "intentions emit each other more than \(Limits.emissionDepth) deep", in: frame)
    }
    do {
      _ = try check(intention, isNamed: name != nil)
    } catch {
      return endIntention(parent, .failed, reason: "what it emits is refused: \(error)", in: frame)
    }
    intentions[parent]?.children.append(ordinal)
    add(intention, named: name, to: record.target, as: identity, in: frame)
  }
}

extension ExecutorRecord {
  /// Whether a token runs that names no property: a hand then holds whatever it writes.
  var holdsUnnamed: Bool { tokens.values.contains { $0.isEmpty } }
}
