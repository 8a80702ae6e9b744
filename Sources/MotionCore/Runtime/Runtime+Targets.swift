public import MotionModel

extension Runtime {
  /// Notes a target at its first mention.
  func makeTarget(_ name: TargetName) {
    guard targets[name] == nil else { return }
    lastTarget += 1
    targets[name] = TargetRecord(ordinal: lastTarget)
  }

  /// The slot of a property, made with so many lanes at its first mention.
  func makeSlot(_ reference: PropertyReference, lanes: Int) -> PropertyTable.Slot {
    if let slot = properties.slot(of: reference) { return slot }
    let slot = properties.makeSlot(for: reference, lanes: lanes)
    properties[slot].isRead = readers[reference] != nil
    targets[reference.target]?.slots.append(slot)
    return slot
  }

  /// Forgets a target: its intentions, executors, tokens and properties.
  func forget(_ target: TargetName) {
    guard targets[target] != nil else { return }
    for identity in identities(on: target) { removeIntention(identity) }
    guard let record = targets.removeValue(forKey: target) else { return }
    for handle in record.executors { removeExecutor(handle) }
    for slot in record.slots {
      if properties[slot].isRead { tellReaders(ofForgotten: properties[slot].reference) }
      properties.remove(slot)
    }
  }

  /// Lets a property stand where it is.
  func stand(_ slot: PropertyTable.Slot) {
    properties.set(slot, value: properties.value(at: slot), velocity: .zero)
    properties.motions[slot] = nil
  }

  /// Nobody moves a property any more: it comes to rest where a mover that is done said last, or stands.
  func rest(_ slot: PropertyTable.Slot) {
    guard properties.motions[slot]?.comesToRest == true else { return stand(slot) }
    watch(slot)
  }

  /// The targets, in order of first mention.
  var targetsInOrder: [TargetName] {
    targets.sorted { $0.value.ordinal < $1.value.ordinal }.map(\.key)
  }

  /// The intentions on a target, in order of addition.
  func identities(on target: TargetName) -> [IntentionIdentity] {
    let records = (targets[target]?.executors ?? []).flatMap { executors[$0]?.intentions ?? [] }
      .compactMap { intentions[$0] }
    return records.sorted { $0.order < $1.order }.map(\.identity)
  }

  /// Where a property is and how fast it moves; `nil` if there is none of that name.
  public func state(of reference: PropertyReference) -> PropertyState? {
    properties.slot(of: reference).map { properties.state(at: $0) }
  }

  /// Where a property of a target is and how fast it moves; `nil` if there is none of that name.
  public func state(of property: PropertyName, on target: TargetName) -> PropertyState? {
    state(of: PropertyReference(target, property))
  }
}
