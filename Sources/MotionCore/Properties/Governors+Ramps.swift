import MotionModel
import MotionPhysics

/// Properties that brake after a stop although no limit of acceleration holds for them.
///
/// A property without limits has governors only until it stands.
extension Governors {
  /// Lets a property without a driver brake from a state. One that brakes already goes on as it does.
  ///
  /// - Parameters:
  ///   - range: the range of a property without other limits.
  ///   - decelerations: for the lanes without a limit of acceleration or jerk.
  mutating func ramp(
    _ slot: Int, from state: PropertyState, within range: LaneRanges?, _ decelerations: SIMD4<Double>
  ) {
    // What is left of lifted limits does not outlast their driver.
    endFade(slot)
    if !contains(slot) {
      let limits = (0..<state.value.count).map { lane in
        range.map { GovernorLimits(range: $0.lower[lane]...$0.upper[lane]) } ?? GovernorLimits()
      }
      take(slot, limits, from: state, acceleration: nil, isDriven: false)
      guard let index = index(of: slot) else { return }
      rows[index]?.phase = .released(leaves: true)
    }
    guard let index = index(of: slot), ramps[index] == nil else { return }
    ramps[index] = decelerations
    activate(index)
  }

  /// Whether the limits of a slot permit a velocity to fade evenly within so many seconds.
  func permitFade(of velocity: Lanes, within seconds: Double, _ slot: Int) -> Bool {
    guard let index = index(of: slot), let row = rows[index] else { return true }
    return (0..<row.lanes).allSatisfy { lane in
      let motion = lanes[row.first + lane].limits.motion
      let isStep = motion.maxAcceleration == .infinity && motion.maxJerk == .infinity
      return isStep
        || motion.maxJerk == .infinity && abs(velocity[lane]) <= motion.maxAcceleration * seconds * (1 - 1e-9)
    }
  }

  /// Lets a property that brakes after a stop, and has no limits, stand at once.
  mutating func endRamp(_ slot: Int) {
    guard !ramps.isEmpty, let index = index(of: slot), ramps.removeValue(forKey: index) != nil, let row = rows[index]
    else { return }
    let places = row.first..<row.first + row.lanes
    if places.allSatisfy({ lanes[$0].limits.isRangeOnly }) { leave(slot) }
  }

  /// The decelerations with which a row brakes without limits that another process restores; `nil` if there are none.
  func ramp(of index: Int) -> Lanes? {
    guard let row = rows[index], case .released(let leaves) = row.phase, leaves || ramps[index] != nil else {
      return nil
    }
    var decelerations = ramps[index] ?? .zero
    for lane in 0..<row.lanes {
      let limit = lanes[row.first + lane].limits.motion.maxAcceleration
      // Limits that were lifted are not restored.
      if leaves, limit.isFinite { decelerations[lane] = limit }
    }
    return Lanes(decelerations, count: row.lanes)
  }

  /// In how many seconds a hold slows down everything without passing half of a limit of acceleration for what moves
  /// evenly; 0 if no limit holds. Linear in the properties under limits that move.
  var rampSeconds: Double {
    var longest = 0.0
    for index in active {
      guard let row = rows[index] else { continue }
      for lane in lanes[row.first..<row.first + row.lanes] where lane.limits.motion.maxAcceleration.isFinite {
        longest = max(longest, 2 * abs(lane.state.velocity) / lane.limits.motion.maxAcceleration)
      }
    }
    return longest
  }
}
