extension MovePlan {
  /// The move of a given duration.
  ///
  /// It cruises at the velocity that makes it arrive in time. Near a gap of the possible durations there is no such
  /// velocity; the move is then a weighted mean of the two that go as far and as near as possible in this duration.
  ///
  /// - Throws: ``MoveError/Code/impossibleDuration`` for a duration that ``possibleDuration(atLeast:)`` changes.
  public func move(lasting duration: Double) throws(MoveError) -> TimeOptimalMove {
    // 1e-12: the durations that differ by rounding only. The fastest move may be the only one of about its duration.
    if abs(duration - shortestDuration) <= 1e-12 * shortestDuration { return try move() }
    let possible = possibleDuration(atLeast: duration)
    guard duration.isFinite, abs(possible - duration) <= 1e-12 * duration else {
      throw MoveError(
        code: .impossibleDuration,
        description: "No move under the limits lasts \(duration) s: the next possible duration is \(possible) s")
    }
    if limits.isVelocityOnly { return try steadyMove(lasting: duration) }
    var phases = [MovePhase](braking, capacity: 13)
    let wanted = duration - braking.duration
    guard let far = family(mirrored: false).profile(lasting: wanted),
      let near = family(mirrored: true).profile(lasting: wanted)
    else { return try move() }
    if !appendCruise(lasting: wanted, far: far.crest, near: -near.crest, to: &phases) {
      appendMean(far: far, near: near, to: &phases)
    }
    return try TimeOptimalMove(phases: phases, from: from, to: to, duration: duration)
  }

  /// A move at one velocity, with steps of it at both ends.
  func steadyMove(lasting duration: Double) throws(MoveError) -> TimeOptimalMove {
    let velocity = duration > 0 ? (to.position - from.position) / duration : 0
    guard velocity.isFinite else { throw .beyondRange }
    let start = MoveState(position: from.position, velocity: velocity)
    let segments = duration > 0 ? [MoveSegment(start: 0, jerk: 0, state: start)] : []
    return TimeOptimalMove(segments: segments, from: from, to: to, duration: duration)
  }

  /// Appends two changes of velocity with a cruise between them, if there is a velocity that fits.
  private func appendCruise(lasting wanted: Double, far: Double, near: Double, to phases: inout [MovePhase]) -> Bool {
    guard let crest = cruisingVelocity(lasting: wanted, far: far, near: near) else { return false }
    let first = VelocityTransition(
      velocity: braking.velocity, acceleration: braking.acceleration, to: crest, limits: limits)
    let second = VelocityTransition(velocity: crest, acceleration: 0, to: to.velocity, limits: limits)
    let cruise = wanted - first.duration - second.duration
    // The rounding of the duration, where the cruise vanishes.
    guard cruise >= -1e-13 * wanted else { return false }
    first.appendPhases(to: &phases, jerk: limits.maxJerk)
    phases.append(lasting: cruise, acceleration: 0, jerk: 0)
    second.appendPhases(to: &phases, jerk: limits.maxJerk)
    return true
  }

  /// The cruising velocity for a duration, between those of the farthest and the nearest move.
  ///
  /// The way grows with it, where both changes of velocity fit into the duration:
  /// d way / d velocity = (peak₁ + peak₂) / (2·jerk) + cruise.
  private func cruisingVelocity(lasting wanted: Double, far: Double, near: Double) -> Double? {
    var low = min(near, to.velocity)
    var high = max(far, to.velocity)
    guard low <= high, low.isFinite, high.isFinite else { return nil }
    var crest = min(max(remaining / wanted, low), high)
    var lastStep = high - low
    // As in the roots of the families: Newton's iteration within a bracket.
    for _ in 0..<2_100 {
      let first = VelocityTransition(
        velocity: braking.velocity, acceleration: braking.acceleration, to: crest, limits: limits)
      let second = VelocityTransition(velocity: crest, acceleration: 0, to: to.velocity, limits: limits)
      let cruise = wanted - first.duration - second.duration
      let error = first.displacement + second.displacement + crest * cruise - remaining
      if error == 0 { return crest }
      if error < 0 { low = crest } else { high = crest }
      var next = crest - error / (0.5 * (first.peak + second.peak) * limits.inverseJerk + cruise)
      if !(next > low && next < high) || abs(next - crest) > 0.5 * abs(lastStep) {
        if abs(next - crest) <= 1e-15 * abs(crest) { return crest }
        next = 0.5 * (low + high)
      }
      lastStep = next - crest
      crest = next
      if abs(lastStep) <= 1e-15 * abs(crest) || crest == low || crest == high { return crest }
    }
    return crest
  }

  /// Appends the mean of two members of equal duration, weighted so that it goes the remaining way.
  ///
  /// The limits are convex and the dynamics linear, so that the mean keeps the limits.
  private func appendMean(far: ExtremalProfile, near: ExtremalProfile, to phases: inout [MovePhase]) {
    var upper: [MovePhase] = []
    var lower: [MovePhase] = []
    family(mirrored: false).appendPhases(of: far, to: &upper)
    family(mirrored: true).appendPhases(of: near, to: &lower)
    let range = far.displacement + near.displacement
    let weight = range > 0 ? min(max((remaining + near.displacement) / range, 0), 1) : 0.5
    var (i, j, usedUpper, usedLower) = (0, 0, 0.0, 0.0)
    while i < upper.count || j < lower.count {
      let restUpper = i < upper.count ? upper[i].duration - usedUpper : .infinity
      let restLower = j < lower.count ? lower[j].duration - usedLower : .infinity
      // One of them may end some units in the last place before the other.
      let time = min(restUpper, restLower)
      if i < upper.count, j < lower.count {
        let a = upper[i].acceleration + upper[i].jerk * usedUpper
        let b = lower[j].acceleration + lower[j].jerk * usedLower
        phases.append(
          lasting: time, acceleration: weight * a + (1 - weight) * b,
          jerk: weight * upper[i].jerk + (1 - weight) * lower[j].jerk)
      }
      usedUpper += time
      usedLower += time
      if restUpper <= time { (i, usedUpper) = (i + 1, 0) }
      if restLower <= time { (j, usedLower) = (j + 1, 0) }
    }
  }
}
