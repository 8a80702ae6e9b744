/// A move of the shape up, down, up: the longest way that is possible in its duration.
///
/// The acceleration ramps from its initial value to `rise` and may hold it, ramps down to `−fall`, through zero at the
/// velocity `crest` where the move may cruise, may hold `−fall`, and ramps to zero at the final velocity. If `rise` is
/// negative the acceleration does not reach zero on the way, and `crest` is where its ramp would come from.
struct ExtremalProfile {
  var rise = 0.0
  var riseHold = 0.0
  var crest = 0.0
  var cruise = 0.0
  var fall = 0.0
  var fallHold = 0.0
  var duration = 0.0
  var displacement = 0.0

  /// The change of displacement per change of duration along the family, except while cruising.
  ///
  /// Derivation: a longer ramp to `rise` inserts time there, and shifts all later velocities. For a transition between
  /// (v₀, a₀) and (crest, 0) this gives dd/dτ = crest + rise²/(2·jerk) at dτ/dcrest = 1/rise, likewise for the second
  /// transition, and the mean of both with these weights is crest + rise·fall/(2·jerk).
  func slope(inverseJerk: Double) -> Double { crest + 0.5 * rise * fall * inverseJerk }
}

extension ExtremalFamily {
  /// Completes the duration and the displacement of a profile.
  @inline(__always)
  func completed(_ given: ExtremalProfile) -> ExtremalProfile {
    var profile = given
    let up = (profile.rise - initial) * inverseJerk
    let toCrest = profile.rise * inverseJerk
    let down = profile.fall * inverseJerk
    let afterHold = profile.crest - 0.5 * profile.rise * toCrest
    let first =
      up * (velocity + up * (2 * initial + profile.rise) * (1.0 / 6.0))
      + profile.riseHold * (afterHold - 0.5 * profile.rise * profile.riseHold)
      + toCrest * (profile.crest - profile.rise * toCrest * (1.0 / 6.0))
    let braking = 2 * down + profile.fallHold
    profile.duration = up + profile.riseHold + toCrest + profile.cruise + braking
    profile.displacement =
      first + profile.crest * profile.cruise + 0.5 * (profile.crest + finalVelocity) * braking
    return profile
  }

  /// The phases of a profile in the direction of the family.
  func appendPhases(of profile: ExtremalProfile, to phases: inout [MovePhase]) {
    let sign = mirrored ? -1.0 : 1.0
    let jerk = inverseJerk == 0 ? 0 : limits.maxJerk
    func add(_ duration: Double, _ acceleration: Double, _ jerk: Double) {
      phases.append(lasting: duration, acceleration: sign * acceleration, jerk: sign * jerk)
    }
    add((profile.rise - initial) * inverseJerk, initial, jerk)
    add(profile.riseHold, profile.rise, 0)
    if profile.cruise > 0 {
      add(profile.rise * inverseJerk, profile.rise, -jerk)
      add(profile.cruise, 0, 0)
      add(profile.fall * inverseJerk, 0, -jerk)
    } else {
      add((profile.rise + profile.fall) * inverseJerk, profile.rise, -jerk)
    }
    add(profile.fallHold, -profile.fall, 0)
    add(profile.fall * inverseJerk, -profile.fall, jerk)
  }
}
