extension MovePlan {
  /// The first possible duration that is not below the given one.
  ///
  /// The possible durations can have gaps. A property that moves towards its target cannot take a little longer than the
  /// fastest move if it cannot slow down in time, but has to pass the target and to return.
  ///
  /// - Returns: Infinity for an infinite duration, or beyond the range of Double.
  public func possibleDuration(atLeast duration: Double) -> Double {
    // 1e-14: a duration that went through a sum of other durations.
    if !(duration > shortestDuration * (1 + 1e-14)) { return shortestDuration }
    guard duration.isFinite else { return .infinity }
    if limits.isVelocityOnly { return duration }
    let wanted = duration - braking.duration
    guard let far = family(mirrored: false).profile(lasting: wanted),
      let near = family(mirrored: true).profile(lasting: wanted)
    else { return shortestDuration }
    // The displacement of a duration that is rounded.
    let rounding = tolerance + 4 * wanted.ulp * (abs(far.crest) + abs(near.crest))
    if remaining > far.displacement + rounding {
      return next(mirrored: false, after: wanted)
    }
    if remaining < -near.displacement - rounding {
      return next(mirrored: true, after: wanted)
    }
    return duration
  }

  private func next(mirrored: Bool, after wanted: Double) -> Double {
    let target = mirrored ? -remaining : remaining
    guard let root = family(mirrored: mirrored).root(of: target, after: wanted, tolerance: tolerance) else {
      return .infinity
    }
    return braking.duration + root.duration
  }

  /// The shortest duration that is possible for all of the plans.
  ///
  /// Make the moves of a group with ``move(lasting:)`` of this duration. Each move is independent from then on: if one
  /// member is displaced and planned again, the others keep their timing.
  ///
  /// - Returns: 0 for no plans; infinity beyond the range of Double.
  /// - Parameter duration: A minimum, in seconds.
  /// - Complexity: A plan has at most three gaps, so that the plans are evaluated at most 3·n + 1 times in all rounds.
  public static func synchronised(_ plans: some Collection<MovePlan>, atLeast duration: Double = 0) -> Double {
    var common = plans.reduce(max(duration, 0)) { max($0, $1.shortestDuration) }
    for _ in 0...(3 * plans.count) {
      let before = common
      for plan in plans { common = max(common, plan.possibleDuration(atLeast: common)) }
      if common == before { break }
    }
    return common
  }
}
