extension ExtremalFamily {
  /// The member of a duration: nil before the first one.
  func profile(lasting duration: Double) -> ExtremalProfile? {
    let pieces = pieces()
    let first = profile(pieces[0])
    if duration <= first.duration {
      // A rounding error below the first duration is the first member itself.
      return first.duration - duration <= 1e-12 * first.duration ? first : nil
    }
    var start = first.duration
    for index in 0..<pieces.count {
      let piece = pieces[index]
      if piece.kind == .cruise { return profile(.cruise, max(duration - start, 0)) }
      let end = piece.high.isFinite ? profile(piece.kind, piece.high).duration : .infinity
      if duration <= end {
        return profile(piece.kind, min(max(parameter(piece.kind, lasting: duration), piece.low), piece.high))
      }
      start = end
    }
    return nil
  }

  private func parameter(_ kind: Kind, lasting duration: Double) -> Double {
    let top = limits.maxAcceleration
    switch kind {
    case .free:
      return 0.5 * (limits.maxJerk * duration + initial)
    case .heldFall:
      // The duration is quadratic in the rise: (rise + top)² = top·(jerk·duration + initial) + difference.
      return (top * (limits.maxJerk * duration + initial) + difference).squareRoot() - top
    case .heldRise:
      return (top * (limits.maxJerk * duration + initial) - difference).squareRoot() - top
    case .heldBoth:
      return 0.5 * (top * (duration + (initial - 2 * top) * inverseJerk) + base + finalVelocity)
    case .cruise:
      return 0
    }
  }
}
