public import MotionModel

extension Runtime {
  /// Notes a target at its first mention.
  func makeTarget(_ name: TargetName) {
    guard targets[name] == nil else { return }
    lastTarget += 1
    targets[name] = TargetRecord(ordinal: lastTarget)
  }

  /// The slot of a property, made at its first mention.
  func makeSlot(_ reference: PropertyReference) -> PropertyTable.Slot {
    if let slot = properties.slot(of: reference) { return slot }
    let slot = properties.makeSlot(for: reference)
    targets[reference.target]?.slots.append(slot)
    return slot
  }

  /// Forgets a target: its intentions, executors, tokens and properties.
  func forget(_ target: TargetName, in frame: Frame) {
    guard let record = targets[target] else { return }
    for identity in identities(on: target) { removeIntention(identity, in: frame) }
    for handle in record.executors { removeExecutor(handle) }
    unsettled.removeAll { record.slots.contains($0) }
    for slot in record.slots {
      tellReaders(of: properties[slot].reference, nil)
      moving.remove(slot)
      properties.remove(slot)
    }
    targets[target] = nil
  }

  /// Where a property is and how fast it moves; `nil` if there is none of that name.
  public func state(of reference: PropertyReference) -> PropertyState? {
    properties.slot(of: reference).map { properties[$0].state }
  }

  /// Where a property of a target is and how fast it moves; `nil` if there is none of that name.
  public func state(of property: PropertyName, on target: TargetName) -> PropertyState? {
    state(of: PropertyReference(target, property))
  }
}
