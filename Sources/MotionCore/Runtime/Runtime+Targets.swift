public import MotionModel

extension Runtime {
  /// Creates a target at its first mention.
  func makeTarget(_ name: TargetName) -> TargetRecord {
    let hash = NameHash(name)
    let target = plans.makeTarget(name, hash)
    if !staging.isEmpty { staging.targetWasMade(name, hash) }
    return target
  }

  /// Forgets a target: its intentions, executors, tokens and properties.
  func forget(_ target: TargetName) {
    guard plans.targets[target] != nil else { return }
    retirement.dropQuarantined { $0.target == target }
    for identity in plans.identities(on: target) { removeIntention(identity) }
    guard let record = plans.targets.removeValue(forKey: target) else { return }
    plans.targetOrder.remove(ordinal: record.ordinal)
    plans.checkpoints.touchGone(record)
    for handle in record.executors { removeExecutor(handle) }
    for slot in record.slots {
      if movement.properties[slot].isRead { tellReaders(ofForgotten: movement.properties[slot].reference) }
      movement.properties.remove(slot)
    }
  }

  /// The value and velocity of a property; `nil` if there is none of that name.
  public func state(of reference: PropertyReference) -> PropertyState? {
    plans.find(reference).map { movement.properties.state(at: $0) }
  }

  /// The value and velocity of a property of a target; `nil` if there is none of that name.
  public func state(of property: PropertyName, on target: TargetName) -> PropertyState? {
    state(of: PropertyReference(target, property))
  }
}
