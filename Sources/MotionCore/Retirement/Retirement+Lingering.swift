import MotionModel

extension Retirement {
  /// Keeps a plan that has reported its end while the difference of a late sample or a hand-over fades, or limits hold
  /// the property back. It is completed afterwards, so that a completed plan has reached its destination. A property with another driver needs no wait:
  /// that driver continues from the property's present state.
  ///
  /// - Returns: whether there is such a difference.
  func linger(_ record: IntentionRecord) -> Bool {
    var isLeft = false
    for slot in record.slots where movement.properties[slot].actor == record.executor {
      guard !movement.properties[slot].stack.hasSuccessor(of: record.identity) else { continue }
      if movement.properties.motions.changeIfPresent(slot, { $0.comeToRest() }) == true {
        isLeft = true
        movement.watch(slot)
      }
      if movement.properties.governors.isLagging(slot) { isLeft = true }
    }
    guard isLeft else { return false }
    keepLingering(record.identity)
    return true
  }

  /// Completes the plans whose differences have faded, or whose properties another executor moves by now.
  func endLingering() {
    for identity in lingering {
      guard let record = plans.intentions[identity] else { continue }
      let moving = record.slots.filter { movement.properties[$0].actor == record.executor }
      if moving.contains(where: { isHeldBack($0) && movement.properties[$0].stack.leading != identity }) {
        // Another plan of the executor moves the property, before it has arrived for this one.
        end(record, .displaced, tellingExecutor: false)
      } else if !moving.contains(where: { comesToRest($0) || isHeldBack($0) }) {
        end(record, .completed, tellingExecutor: false)
      }
    }
  }

  /// Whether a plan that has ended for its executor waits until its property, which limits hold back, has arrived.
  func isArriving(_ identity: IntentionIdentity) -> Bool {
    lingering.contains(identity) && plans.intentions[identity]?.slots.contains(where: isHeldBack) == true
  }

  private func isHeldBack(_ slot: PropertyTable.Slot) -> Bool { movement.properties.governors.isLagging(slot) }

  private func comesToRest(_ slot: PropertyTable.Slot) -> Bool {
    movement.properties.motions.marks(of: slot).comesToRest
  }
}
