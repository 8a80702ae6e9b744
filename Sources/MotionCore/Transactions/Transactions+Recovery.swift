import MotionModel
import MotionPhysics

extension Transactions {
  /// Restores a target with its properties.
  func restore(_ target: RuntimeCheckpoint.Target) {
    guard plans.targets[target.name] == nil else { return }
    let record = drivers.makeTarget(target.name)
    for property in target.properties {
      if let limits = property.limits { restore(.init(PropertyReference(target.name, property.name), limits)) }
      let slot = plans.makeSlot(property.name, lanes: property.state.value.count, on: record)
      movement.properties.place(slot, at: property.state)
    }
  }

  /// Restores the limits of a property that does not exist.
  func restore(_ limit: RuntimeCheckpoint.Limit) {
    guard (try? limit.setting.check(lanes: nil)) != nil else { return }
    movement.properties.setLimits(limit.setting, of: limit.property, at: nil, acceleration: nil)
  }

  /// Restores the acceleration and the demand of a property under limits, and the motion of forces behind it. Former
  /// versions kept no motion: it continues from the demand.
  func restore(_ governed: RuntimeCheckpoint.Governed) {
    guard let slot = plans.find(governed.property) else { return }
    let driver = movement.properties[slot].stack.driver
    movement.properties.governors.restore(slot, governed, hasDriver: driver != nil)
    if driver == nil, !governed.isDriven, let ramp = governed.ramp {
      movement.properties.ramp(slot, from: governed.demand, ramp)
    }
    guard governed.isDriven, let driver, movement.properties[slot].actor == driver,
      case let motion = governed.motion ?? .init(governed.demand, distance: governed.demand.value),
      motion.state.value.count == movement.properties.lanes(at: slot), motion.state.isWellFormed
    else { return }
    plans.executors[driver]?.physics?.restore(slot, motion)
  }

  /// Continues the forces on properties that stand at a bound of their range. A motion of forces that is not among those
  /// that move was at rest beyond the bound. Linear in the properties with a range.
  func restoreRest(besides governed: [RuntimeCheckpoint.Governed]) {
    let moving = Set(governed.map(\.property))
    for slot in Array(movement.properties.ranges.slots) where movement.properties.isAtBound(slot) {
      guard let driver = movement.properties[slot].stack.driver, movement.properties[slot].actor == driver,
        !moving.contains(movement.properties[slot].reference)
      else { continue }
      plans.executors[driver]?.physics?.restoreRest(slot)
    }
  }

  /// Continues the fade of a hand-over for a property that a worker is to move. A property that this process moves
  /// continues from its present state, and a property without a driver stands.
  func restore(_ handover: RuntimeCheckpoint.Handover) {
    guard let slot = plans.find(handover.property), movement.properties[slot].actor == nil,
      movement.properties[slot].stack.driver != nil,
      movement.properties.lanes(at: slot) == handover.difference.value.count
    else { return }
    let (present, time) = (movement.properties.state(at: slot), position.frame.time)
    movement.properties.motions.change(slot) {
      $0.resume(handover.difference, for: handover.remaining, from: present, at: time)
    }
    movement.watch(slot)
  }

  /// Continues the motions of forces with the bits that they have in another runtime.
  func restoreForces(of original: Movement) {
    for (tag, state) in original.bank.moving(atMost: .max, where: { _ in true }) {
      guard let slot = plans.find(original.properties[Int(tag)].reference),
        let driver = movement.properties[slot].stack.driver
      else { continue }
      let lanes = movement.properties.lanes(at: slot)
      plans.executors[driver]?.physics?.restore(
        slot,
        .init(
          PropertyState(Lanes(state.value, count: lanes), velocity: Lanes(state.velocity, count: lanes)),
          distance: Lanes(state.distance, count: lanes)))
    }
  }

  /// Notes that the worker of a property that it moved before the start is lost.
  func loseWorker(of reference: PropertyReference) {
    guard let slot = plans.find(reference), let driver = movement.properties[slot].stack.driver,
      let record = plans.executors[driver], record.worker != nil,
      record.intentions.contains(where: { plans.intentions[$0]?.start != nil })
    else { return }
    movement.lose(slot, of: driver)
  }

  /// Notes that what moved the properties of a plan before the start is lost: its plugin is gone, and the plan failed.
  func loseWorker(of plan: RuntimeCheckpoint.Plan) {
    guard plan.start != nil, drivers.reader.registry.catalog[plan.intention.type] == nil,
      let target = plans.targets[plan.target]
    else { return }
    for field in plan.intention.fields {
      guard case .property(let property) = field.value, let slot = plans.slot(of: property, on: target),
        movement.properties[slot].stack.driver == nil,
        movement.properties.limits.lossRule(of: movement.properties[slot].reference) != nil
      else { continue }
      movement.lose(slot, of: Movement.noExecutor)
    }
  }

  /// - Parameter waits: whether a later plan of a higher priority may delay it.
  /// - Returns: whether the plan continues.
  func restore(_ plan: RuntimeCheckpoint.Plan, unlessOf failed: Set<IntentionIdentity>, waits: Bool) -> Bool {
    guard plans.intentions[plan.identity] == nil else { return true }
    if let parent = plan.identity.parent, failed.contains(parent) {
      drivers.reportLost(
        plan.intention, named: plan.name, on: plan.target, as: plan.identity,
        "the intention that emitted it cannot continue",
        by: plan.provenance)
      return false
    }
    guard
      let reading = drivers.readAgain(
        plan.intention, named: plan.name, on: plan.target, as: plan.identity, by: plan.provenance)
    else { return false }
    let target = plans.targets[plan.target] ?? drivers.makeTarget(plan.target)
    let placement: Placement
    do {
      placement = try plans.place(reading, on: plan.target, target, hasBegun: plan.start != nil)
    } catch {
      drivers.reportLost(
        plan.intention, named: plan.name, on: plan.target, as: plan.identity, error.description, by: plan.provenance)
      return false
    }
    let executor = drivers.findOrMakeExecutor(of: reading, on: target)
    var slots = SmallList<PropertyTable.Slot>()
    for (index, property) in placement.properties.enumerated() {
      let slot = plans.makeSlot(property.name, lanes: property.lanes, on: target)
      if index < placement.written { slots.append(slot) }
    }
    let record = makeRecord(of: plan, reading, on: target, executor.handle, slots)
    drivers.note(record, of: executor, waits: waits && executor.worker == nil && !slots.isEmpty)
    if record.state != .waiting { drivers.handOver(record, to: executor, reading) }
    return plans.intentions[plan.identity] != nil
  }

  /// The record of a plan of another process, the last in the order of additions.
  func makeRecord(
    of plan: RuntimeCheckpoint.Plan, _ reading: PlanReading, on target: TargetRecord, _ executor: ExecutorHandle,
    _ slots: SmallList<PropertyTable.Slot>
  ) -> IntentionRecord {
    plans.last.order += 1
    let record = IntentionRecord(
      reading, as: plan.identity, named: plan.name, on: target, executor: executor, slots: slots,
      order: plans.last.order, sharing: plans.provenances.restore(plan))
    record.start = plan.start.map { ($0.frame, $0.time) }
    record.duration = plan.duration
    record.limits = plan.limits
    if plan.start == nil { record.begins = plan.begins }
    record.starts = plan.places.compactMap { onThisTarget($0, target) }
    if plan.emittedBelow > 0 || !plan.emitted.isEmpty {
      record.emitted = OrdinalSet(below: plan.emittedBelow, and: plan.emitted)
    }
    return record
  }

  /// The state of a property under the handle that it has here; `nil` if there is no such property, or it has other
  /// lanes.
  private func onThisTarget(_ start: PlannedIntention.Start, _ target: TargetRecord) -> PlannedIntention.Start? {
    guard let slot = plans.slot(of: start.property, on: target),
      movement.properties.lanes(at: slot) == start.state.value.count
    else { return nil }
    var start = start
    start.handle = movement.properties.handle(at: slot)
    return start
  }
}
