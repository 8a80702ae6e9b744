import MotionModel

extension Runtime {
  /// Fails the plans whose movement has led beyond ``Limits/valueMagnitude`` or ``Limits/velocityMagnitude``: the
  /// property stands at its last value, until another writer drives it.
  ///
  /// The plan that fails is the one that moves the property: the mover's, which is the driver's until another takes
  /// over. Forces on a property are one movement, and fail together.
  func failOverflowed() {
    for slot in movement.properties.takeOverflowed() where movement.properties.isOccupied(slot) {
      movement.properties.motions[slot] = nil
      guard let mover = movement.properties[slot].actor ?? movement.properties[slot].stack.driver,
        let record = plans.executors[mover]
      else {
        continue
      }
      if let physics = record.physics {
        physics.overflowed(slot)
      } else if let identity = plan(of: mover, on: slot), let plan = plans.intentions[identity] {
        end(plan, .failed, reason: OutOfBounds().description, tellingExecutor: true)
      }
    }
  }

  /// The plan for which an executor moves a property: of several the latest.
  private func plan(of mover: ExecutorHandle, on slot: PropertyTable.Slot) -> IntentionIdentity? {
    let stack = movement.properties[slot].stack
    return stack.driver == mover ? stack.leading : stack.identities(of: mover).last
  }
}
