import MotionModel

/// Applies transactions, stops and withdrawals, and restores the plans of a checkpoint.
final class Transactions {
  let position: FramePosition
  let movement: Movement
  let plans: Plans
  let reader: PlanReader
  let log: EventLog
  let queue: EventQueue
  let staging: StagingArea
  let retirement: Retirement
  let drivers: Drivers

  init(_ drivers: Drivers, of queue: EventQueue) {
    (self.drivers, self.queue) = (drivers, queue)
    (position, movement, plans, reader) = (drivers.position, drivers.movement, drivers.plans, drivers.reader)
    (log, staging, retirement) = (drivers.log, drivers.staging, drivers.retirement)
  }

  /// Applies a transaction whole.
  func apply(_ transaction: Transaction, sequence: UInt64) {
    // A recording contains sequences of another runtime: a later commit here must not get one of them.
    plans.last.sequence = max(plans.last.sequence, sequence)
    plans.provenances.begin(sequence)
    let staged = staging.take(sequence)
    let prepared = staged?.prepared ?? prepare(transaction)
    let fates = fates(of: transaction, by: prepared?.supersession)
    if let staged {
      apply(staged, of: transaction, sequence: sequence, fates)
    } else {
      for operation in transaction.log.indices {
        apply(operation, of: transaction, sequence: sequence, fates, prepared?.readings[operation])
      }
    }
    if let fates, fates.contains(.displaced) {
      staging.superseded.add(transaction, sequence: sequence, frame: position.moment.number, fates)
    }
    plans.provenances.end()
    log.noteOperation(nil, of: sequence)
    drivers.settle()
    drivers.moves.settle()
  }

  /// Applies an operation of a transaction, unless a later one supersedes it. A superseded operation only takes its
  /// place in the order of additions.
  ///
  /// - Parameter reading: the plan that it adds, where it was read before.
  func apply(
    _ operation: Int, of transaction: Transaction, sequence: UInt64, _ fates: [Supersession.Fate]?,
    _ reading: PlanReading?
  ) {
    if let fates, fates[operation] != .applied {
      plans.last.order += 1
      return
    }
    log.noteOperation(UInt32(operation), of: sequence)
    switch transaction.log[operation] {
    case .add(let intention, let name, let target):
      drivers.add(
        intention, named: name, to: target, as: IntentionIdentity(sequence: sequence, operation: UInt32(operation)),
        reading)
    case .remove(let name, let target): retirement.remove(named: name, from: target)
    case .removePlan(let identity, let target): retirement.remove(identity, from: target)
    case .forget(let target): retirement.forget(target)
    case .limit(let property, let target, let setting):
      limit(property, of: target, setting, operation, of: sequence)
    case .group(let name, let members): plans.groups.set(name, members)
    // It has taken effect when the transaction was accepted.
    case .scene, .cues: break
    }
  }

  /// Sets the limits of a property. Limits that have become impossible since they were accepted, because the property
  /// has other lanes by now, are not set and reported as failed.
  private func limit(
    _ property: PropertyName, of target: TargetName, _ setting: LimitSetting, _ operation: Int, of sequence: UInt64
  ) {
    let record = plans.targets[target]
    do throws(Refusal) {
      try plans.check(setting, of: property, on: target, record, after: nil)
    } catch {
      return log.note(
        .endings,
        .limitsFailed(
          FailedLimits(
            PropertyReference(target, property), sequence: sequence, operation: operation,
            frame: position.moment.number, reason: error.description,
            by: plans.provenances.current?.provenance?.model)))
    }
    let slot = record.flatMap { plans.slot(of: property, on: $0) }
    let wasAtBound = slot.map { movement.properties.isAtBound($0) } ?? false
    movement.properties.setLimits(
      setting, of: PropertyReference(target, property), at: slot,
      acceleration: slot.flatMap { drivers.moves.acceleration(at: $0, under: setting) })
    // A driver that rests beyond a bound demands its place from the new range, too.
    if let slot, wasAtBound || movement.properties.isAtBound(slot) { drivers.demandAgain(slot) }
    if let record, slot != nil { plans.checkpoints.touch(record) }
  }

  /// Stops everything: all intentions of the targets are removed, and their properties stand or, with a ramp, brake.
  /// Outputs stay unless the
  /// request includes them: they move nothing, and later commits must reach their receivers.
  ///
  /// Events that were accepted before are applied before, so that only commits after the stop start anything. A stop of
  /// everything also withdraws the transactions that wait for their `at`. Failed plans are kept no longer.
  func stop(_ request: StopRequest) {
    // Nothing, rather than everything.
    guard request.selector == nil else { return }
    let names = request.targets
    let stopped = names.isEmpty ? plans.targetsInOrder : names.filter { plans.targets[$0] != nil }
    let braking = request.ramp ? stopped.flatMap { moving(on: $0) } : []
    if names.isEmpty {
      leave(queue.waiting.sequences)
      queue.waiting.removeAll()
    }
    retirement.stop = request
    for target in stopped {
      for identity in plans.identities(on: target) where request.outputs || plans.intentions[identity]?.kind != .output
      {
        retirement.removeIntention(identity)
      }
    }
    retirement.stop = nil
    drivers.settle()
    log.failed.forget { names.isEmpty || names.contains($0.target) }
    retirement.dropQuarantined { names.isEmpty || names.contains($0.target) }
    for target in stopped {
      for slot in plans.targets[target]?.slots ?? [] {
        if !request.ramp { movement.properties.governors.endRamp(slot) }
        movement.stand(slot)
      }
    }
    for (slot, state) in braking { movement.properties.ramp(slot, from: state) }
  }

  private func moving(on target: TargetName) -> [(slot: PropertyTable.Slot, state: PropertyState)] {
    (plans.targets[target]?.slots ?? []).filter { movement.properties.velocity(at: $0) != .zero }
      .map { ($0, movement.properties.state(at: $0)) }
  }

  /// Removes the intentions of a client that is gone, with the plans that they emitted, and its waiting transactions. These are
  /// never applied.
  func withdraw(_ sequences: Set<UInt64>) {
    leave(queue.withdraw(sequences))
    retirement.dropQuarantined { sequences.contains($0.identity.sequence) }
    for identity in plans.intentions.keys.filter({ sequences.contains($0.sequence) }).sorted() {
      retirement.removeIntention(identity)
    }
    drivers.settle()
  }

  /// Drops what is kept of transactions that will not be applied.
  func leave(_ sequences: some Sequence<UInt64>) {
    plans.provenances.drop(sequences)
    staging.drop(sequences)
  }
}
