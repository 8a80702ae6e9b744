import MotionModel
import MotionPhysics

extension EventLog {
  /// Logs which properties their limits began to hold back in this frame, and which they no longer do.
  func noteHolds(of movement: Movement) {
    for (slot, isHeld) in movement.properties.governors.takeHolds() where movement.properties.isOccupied(slot) {
      guard keeps.contains(.limits) else { continue }
      var change = LimitChange(
        movement.properties[slot].reference, by: Self.limits(in: movement.properties.restraint(of: slot)),
        demand: movement.properties.heldDemand(of: slot) ?? movement.properties.demand(at: slot),
        state: movement.properties.state(at: slot))
      change.overrun = movement.properties.governors.overrun(of: slot)
      note(.limits, isHeld ? .limitEntered(change) : .limitLeft(change.reference))
    }
  }

  /// The kinds of limits that hold a property back.
  static func limits(in restraint: Restraint) -> [LimitKind] {
    let kinds: [(Restraint, LimitKind)] = [
      (.range, .range), (.velocity, .velocity), (.acceleration, .acceleration), (.jerk, .jerk),
    ]
    return kinds.filter { restraint.contains($0.0) }.map { $0.1 }
  }
}
