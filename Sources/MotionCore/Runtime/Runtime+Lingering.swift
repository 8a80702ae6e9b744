import MotionModel

extension Runtime {
  /// A plan has come to its end, but a late word or a hand-over has left a difference: it is completed when that has
  /// faded, so that what is completed is where it was to go. Where somebody follows there is nothing to wait for: that one
  /// goes on from where the property is.
  ///
  /// - Returns: whether there is such a difference.
  func linger(_ record: IntentionRecord) -> Bool {
    var isLeft = false
    for slot in record.slots where properties[slot].actor == record.executor {
      guard !properties[slot].stack.hasSuccessor(of: record.identity), properties.motions[slot]?.comeToRest() == true
      else {
        continue
      }
      isLeft = true
      watch(slot)
    }
    guard isLeft else { return false }
    if !lingering.contains(record.identity) { lingering.append(record.identity) }
    ending[record.identity] = (.completed, "")
    return true
  }

  /// Completes the plans whose differences have faded, or whose properties somebody else moves by now.
  func endLingering() {
    for identity in lingering {
      guard let record = intentions[identity],
        !record.slots.contains(where: { properties[$0].actor == record.executor && comesToRest($0) })
      else { continue }
      end(record, .completed, tellingExecutor: false)
    }
    settle()
  }

  private func comesToRest(_ slot: PropertyTable.Slot) -> Bool { properties.motions[slot]?.comesToRest == true }
}
