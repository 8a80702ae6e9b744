import MotionModel

extension Retirement {
  /// Keeps a plan that has reported its end while the difference of a late sample or a hand-over fades. It is completed
  /// afterwards, so that a completed plan has reached its destination. A property with another driver needs no wait:
  /// that driver continues from the property's present state.
  ///
  /// - Returns: whether there is such a difference.
  func linger(_ record: IntentionRecord) -> Bool {
    var isLeft = false
    for slot in record.slots where movement.properties[slot].actor == record.executor {
      guard !movement.properties[slot].stack.hasSuccessor(of: record.identity),
        movement.properties.motions[slot]?.comeToRest() == true
      else {
        continue
      }
      isLeft = true
      movement.watch(slot)
    }
    guard isLeft else { return false }
    keepLingering(record.identity)
    return true
  }

  /// Completes the plans whose differences have faded, or whose properties another executor moves by now.
  func endLingering() {
    for identity in lingering {
      guard let record = plans.intentions[identity],
        !record.slots.contains(where: { movement.properties[$0].actor == record.executor && comesToRest($0) })
      else { continue }
      end(record, .completed, tellingExecutor: false)
    }
  }

  private func comesToRest(_ slot: PropertyTable.Slot) -> Bool {
    movement.properties.motions[slot]?.comesToRest == true
  }
}
