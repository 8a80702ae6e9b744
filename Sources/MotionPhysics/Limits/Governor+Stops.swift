/// Where a demand will stand, and where its lane can.
extension Governor {
  // MARK: Of a demand

  /// The place where the demand will stand if it goes on as it does; `nil` if it does not come to stand then.
  ///
  /// An acceleration that decreases is assumed to go on decreasing, and a deceleration that decreases to stay: so the
  /// place is not beyond the true one, unless the demand decelerates faster later on. It costs less to brake a little
  /// early, and to go on, than to go beyond the demand and to come back.
  ///
  /// Noise of a demand is no deceleration, where the limit of jerk makes it seem large: the acceleration with which the
  /// frame begins, by the cubic through both demands, has to continue that of the frame before.
  ///
  /// - Parameter isMean: whether the acceleration of the last demand is the mean of its frame, and not that at its end.
  func stop(after former: MoveState, isMean: Bool, dt: Double) -> Double? {
    let rate = 1 / dt
    if !isMean {
      let begin =
        (6 * (demand.position - former.position) * rate - 4 * former.velocity - 2 * demand.velocity) * rate
      let largest = max(abs(demand.acceleration), abs(former.acceleration))
      guard abs(begin - former.acceleration) <= 0.25 * largest else { return nil }
    }
    let direction = demand.velocity > 0 ? 1.0 : -1.0
    let (speed, reported) = (direction * demand.velocity, -direction * demand.acceleration)
    let jerk = max(reported + direction * former.acceleration, 0) * rate
    let braking = isMean ? reported + 0.5 * jerk * dt : reported
    guard speed > 0, braking > 0 || jerk > 0 else { return nil }
    let time = 2 * speed / (braking + (braking * braking + 2 * jerk * speed).squareRoot())
    return demand.position + direction * time * (speed - time * (0.5 * braking + time * jerk * (1.0 / 6.0)))
  }

  /// Whether the lane passes a place in the direction of the demand, on its way or at its end, if it brakes from a state
  /// as fast as it may.
  func passes(_ state: MoveState, _ place: Double) -> Bool {
    let direction = demand.velocity > 0 ? 1.0 : -1.0
    let way = direction * (place - state.position)
    guard way < longestStop(from: state) else { return false }
    let motion = limits.motion
    let displacement = GovernedTransition(
      velocity: state.velocity, acceleration: state.acceleration, to: 0, up: motion.maxAcceleration,
      down: motion.maxAcceleration, jerk: motion.maxJerk
    ).displacement
    guard direction * displacement <= way else { return true }
    // If it decelerates so much that it cannot cease before it stands, it turns round, and ends before that place.
    let (speed, braking) = (direction * state.velocity, -direction * state.acceleration)
    guard speed > 0, braking > 0, 2 * speed * motion.maxJerk < braking * braking else { return false }
    let time = 2 * speed / (braking + (braking * braking - 2 * speed * motion.maxJerk).squareRoot())
    return time * (speed - time * (0.5 * braking - time * motion.maxJerk * (1.0 / 6.0))) > way
  }

  /// More than the way that the lane needs to stop, which costs less to know than the way.
  ///
  /// Stopping takes at most speed / maxAcceleration + maxAcceleration / maxJerk.
  @inline(__always)
  private func longestStop(from state: MoveState) -> Double {
    let motion = limits.motion
    let speed = abs(state.velocity) + 0.5 * state.acceleration * state.acceleration * motion.inverseJerk
    return speed * (speed / motion.maxAcceleration + motion.maxAcceleration * motion.inverseJerk)
  }

  // MARK: The range

  /// Whether the lane can stop within its range from a state.
  @inline(__always)
  func isSafe(_ state: MoveState) -> Bool { !limits.isBounded || boundBeyond(state) == nil }

  /// The bound that the lane would pass if it braked from a state, as fast as it may.
  @inline(__always)
  func boundBeyond(_ state: MoveState) -> Double? {
    let motion = limits.motion
    var stop = state.position
    if motion.maxJerk == .infinity {
      stop += 0.5 * state.velocity * abs(state.velocity) / motion.maxAcceleration
    } else {
      // Far from the bounds this is enough.
      let most = longestStop(from: state)
      if stop + most <= limits.range.upperBound, stop - most >= limits.range.lowerBound { return nil }
      stop +=
        GovernedTransition(
          velocity: state.velocity, acceleration: state.acceleration, to: 0, up: motion.maxAcceleration,
          down: motion.maxAcceleration, jerk: motion.maxJerk
        ).displacement
    }
    let rounding = 4e-15 * (abs(state.position) + abs(stop))
    if stop > limits.range.upperBound + rounding { return limits.range.upperBound }
    if stop < limits.range.lowerBound - rounding { return limits.range.lowerBound }
    return nil
  }
}
