import MotionModel

extension Retirement {
  /// Keeps a plan that has reported its end while limits hold its property back, or the difference of a late sample or a
  /// hand-over fades. It is completed afterwards, so that a completed plan has reached its destination: the plans below it
  /// wait so long where limits hold. A difference with another driver needs no wait: that driver continues from the
  /// property's present state.
  ///
  /// - Returns: whether there is such a difference.
  func linger(_ record: IntentionRecord) -> Bool {
    var (isLeft, isArriving) = (false, false)
    for slot in record.slots where movement.properties[slot].actor == record.executor {
      let stack = movement.properties[slot].stack
      if stack.leading == record.identity, !stack.isHeld, isHeldBack(slot, by: record) { isArriving = true }
      guard !stack.hasSuccessor(of: record.identity) else { continue }
      if movement.properties.motions.changeIfPresent(slot, { $0.comeToRest() }) == true {
        isLeft = true
        movement.watch(slot)
      }
    }
    guard isLeft || isArriving else { return false }
    keepLingering(record.identity, isHeldBack: isArriving)
    return true
  }

  /// Completes the plans whose differences have faded, or whose properties another executor moves by now.
  func endLingering() {
    for identity in lingering {
      guard let record = plans.intentions[identity] else { continue }
      let moving = record.slots.filter { movement.properties[$0].actor == record.executor }
      let physics = plans.executors[record.executor]?.physics
      if moving.contains(where: { isHeldBack($0, by: record) && isLeft($0, by: record, physics) }) {
        // Another plan moves the property, before it has arrived for this one.
        end(record, .displaced, tellingExecutor: true)
      } else if physics != nil, isArriving(identity), moving.contains(where: { physics?.isMoving($0) == true }) {
        // Other forces have moved what it demands: it arrives again.
        forget(identity)
      } else if !moving.contains(where: { comesToRest($0) || isHeldBack($0, by: record) }) {
        end(record, .completed, tellingExecutor: true)
      }
    }
  }

  /// Whether a plan that has ended for its executor waits until its property, which limits hold back, has arrived.
  func isArriving(_ identity: IntentionIdentity) -> Bool {
    lingering.contains(identity) && ending[identity] == nil
  }

  /// Whether limits hold a property back from what a plan demands. One that ends with a velocity has arrived where it
  /// passes its destination: the property does not stand there.
  private func isHeldBack(_ slot: PropertyTable.Slot, by record: IntentionRecord) -> Bool {
    let governors = movement.properties.governors
    return governors.isLagging(slot) && !(record.endsWithVelocity && governors.hasPassed(slot))
  }

  /// Whether another plan moves a property although limits hold it back for this one: a later one, or another one of an
  /// executor that ends its plans itself.
  private func isLeft(_ slot: PropertyTable.Slot, by record: IntentionRecord, _ physics: PhysicsExecutor?) -> Bool {
    let stack = movement.properties[slot].stack
    guard stack.leading == record.identity else { return true }
    return physics == nil && stack.hasSuccessor(of: record.identity, in: record.executor)
  }

  private func comesToRest(_ slot: PropertyTable.Slot) -> Bool {
    movement.properties.motions.marks(of: slot).comesToRest
  }
}

extension IntentionRecord {
  /// Whether it ends with a velocity.
  fileprivate var endsWithVelocity: Bool { intention.type.text == "MoveTo" && intention["finalVelocity"] != nil }
}
