public import MotionModel

extension Runtime {
  /// Creates a target at its first mention.
  func makeTarget(_ name: TargetName) -> TargetRecord {
    lastTarget += 1
    let target = TargetRecord(name, ordinal: lastTarget)
    let hash = NameHash(name)
    targetOrder.append(targets.insert(target, hash), ordinal: lastTarget)
    if !staging.isEmpty { tellStaging(of: name, hash) }
    touch(target)
    return target
  }

  /// The slot of a property, created with so many lanes at its first mention.
  func makeSlot(_ property: PropertyName, lanes: Int, on target: TargetRecord) -> PropertyTable.Slot {
    if let slot = slot(of: property, on: target) { return slot }
    let reference = PropertyReference(target.name, property)
    let slot = properties.makeSlot(for: reference, lanes: lanes)
    if !readers.isEmpty { properties[slot].isRead = readers[reference] != nil }
    target.slots.append(slot)
    touch(target)
    return slot
  }

  /// The slot of a property, or `nil` if there is none of that name. Linear in the properties of the target, which are
  /// few: comparing their names costs less than hashing one.
  func slot(of property: PropertyName, on target: TargetRecord) -> PropertyTable.Slot? {
    for slot in target.slots where properties[slot].reference.property == property { return slot }
    return nil
  }

  /// The slot of a property of any target, or `nil` if there is none of that name.
  func find(_ reference: PropertyReference) -> PropertyTable.Slot? {
    targets[reference.target].flatMap { slot(of: reference.property, on: $0) }
  }

  /// The state of the property at a slot, for an executor of forces.
  ///
  /// Lane by lane, because a call of the table's own functions from here copies the table first, with all its arrays:
  /// that took a sixth of applying a transaction.
  func place(of slot: PropertyTable.Slot) -> (lanes: Int, value: SIMD4<Double>, velocity: SIMD4<Double>) {
    let row = properties.columns.rows[slot]
    var (value, velocity) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for lane in 0..<row.lanes {
      value[lane] = properties.columns.values[row.first + lane]
      velocity[lane] = properties.columns.velocities[row.first + lane]
    }
    return (row.lanes, value, velocity)
  }

  /// The number of lanes of a property, or `nil` if there is none of that name.
  func lanes(of reference: PropertyReference) -> Int? { find(reference).map { properties.lanes(at: $0) } }

  /// Forgets a target: its intentions, executors, tokens and properties.
  func forget(_ target: TargetName) {
    guard targets[target] != nil else { return }
    if !quarantinedPlans.isEmpty { quarantinedPlans.removeAll { $0.target == target } }
    for identity in identities(on: target) { removeIntention(identity) }
    guard let record = targets.removeValue(forKey: target) else { return }
    targetOrder.remove(ordinal: record.ordinal)
    touchGone(record)
    for handle in record.executors { removeExecutor(handle) }
    for slot in record.slots {
      if properties[slot].isRead { tellReaders(ofForgotten: properties[slot].reference) }
      properties.remove(slot)
    }
  }

  /// Makes a property stand where it is.
  func stand(_ slot: PropertyTable.Slot) {
    properties.set(slot, value: properties.value(at: slot), velocity: .zero)
    properties.motions[slot] = nil
  }

  /// Leaves a property without a mover: it comes to rest at the last sample of a mover that is done, or stands.
  func rest(_ slot: PropertyTable.Slot) {
    guard properties.motions[slot]?.comesToRest == true else { return stand(slot) }
    watch(slot)
  }

  /// The targets, in order of first mention.
  var targetsInOrder: [TargetName] { firstTargets(Int.max) }

  /// The first targets that were mentioned, at most so many, in order. Linear in their number and in the number of
  /// forgotten targets among them.
  func firstTargets(_ count: Int) -> [TargetName] {
    var names: [TargetName] = []
    guard count > 0 else { return names }
    _ = targetOrder.visit(from: 1, through: lastTarget, atMost: Int.max) { number in
      if let record = targets[number] { names.append(record.name) }
      return names.count < count
    }
    return names
  }

  /// The intentions on a target, in order of addition.
  func identities(on target: TargetName) -> [IntentionIdentity] {
    let records = Array(targets[target]?.executors ?? []).flatMap { executors[$0]?.intentions ?? [] }
      .compactMap { intentions[$0] }
    return records.sorted { $0.order < $1.order }.map(\.identity)
  }

  /// The value and velocity of a property; `nil` if there is none of that name.
  public func state(of reference: PropertyReference) -> PropertyState? {
    find(reference).map { properties.state(at: $0) }
  }

  /// The value and velocity of a property of a target; `nil` if there is none of that name.
  public func state(of property: PropertyName, on target: TargetName) -> PropertyState? {
    state(of: PropertyReference(target, property))
  }
}
