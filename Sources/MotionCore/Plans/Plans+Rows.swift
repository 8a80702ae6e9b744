import MotionModel

/// The rows of queries.
extension Plans {
  func row(of target: TargetName) -> TargetRow {
    let records = executorsInOrder(on: target)
    return TargetRow(
      target: target, properties: targets[target]?.slots.count ?? 0, executors: records.count,
      intentions: records.reduce(0) { $0 + $1.intentions.count }, isActive: isMoving(target, records))
  }

  private func isMoving(_ target: TargetName, _ records: [ExecutorRecord]) -> Bool {
    records.contains(where: \.isActive)
      || (targets[target]?.slots ?? []).contains { movement.properties.velocity(at: $0) != .zero }
  }

  func slotsInOrder(on target: TargetName) -> [PropertyTable.Slot] {
    (targets[target]?.slots ?? []).sorted {
      movement.properties.handle(at: $0) < movement.properties.handle(at: $1)
    }
  }

  func row(of slot: PropertyTable.Slot) -> PropertyRow {
    let entry = movement.properties[slot]
    var row = PropertyRow(
      reference: entry.reference, handle: movement.properties.handle(at: slot),
      state: movement.properties.state(at: slot),
      driver: entry.stack.driver.flatMap { executors[$0]?.type },
      because: entry.stack.leadingIdentities,
      waiting: entry.stack.waitingWriters.compactMap { executors[$0]?.type },
      changedFrame: movement.properties.changes.frame(of: slot), isLate: movement.properties.isLate(slot))
    row.limits = movement.properties.limits[entry.reference]
    row.demand = movement.properties.heldDemand(of: slot)
    return row
  }

  func row(of record: ExecutorRecord) -> ExecutorRow {
    ExecutorRow(
      key: record.key, worker: record.worker, intentions: record.intentions.count,
      tokens: record.tokens.keys.sorted(), isActive: record.isActive || drivesMotion(record),
      drives: drivenSlots(record).map { movement.properties[$0].reference.property }.sorted())
  }

  private func drivenSlots(_ record: ExecutorRecord) -> [PropertyTable.Slot] {
    record.target.slots.filter { movement.properties[$0].stack.driver == record.handle }
  }

  private func drivesMotion(_ record: ExecutorRecord) -> Bool {
    drivenSlots(record).contains { movement.properties.velocity(at: $0) != .zero }
  }

  func row(of record: IntentionRecord, in executor: ExecutorRecord) -> IntentionRow {
    var row = IntentionRow(
      identity: record.identity, target: record.target.name, name: record.name, intention: record.intention,
      kind: record.kind, executor: executor.type, state: record.state, provenance: record.provenance)
    row.begins = record.begins
    row.isDisplaced =
      record.kind == .oneShot && record.slots.contains { movement.properties[$0].stack.hasLost(record.identity) }
    if executor.abilities.contains(.follows) {
      row.input = record.intention.followedInput.flatMap { inputs[$0]?.value }
    }
    return row
  }
}
