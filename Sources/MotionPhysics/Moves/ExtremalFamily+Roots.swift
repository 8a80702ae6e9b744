extension ExtremalFamily {
  /// The shortest member that lasts at least `after` and has the given displacement, in the direction of the family.
  ///
  /// - Parameter tolerance: A turning point, or the first member, this close to the displacement counts as reaching it.
  func root(of target: Double, after: Double = 0, tolerance: Double) -> ExtremalProfile? {
    let pieces = pieces()
    return root(of: target, in: pieces, first: profile(pieces[0]), after: after, tolerance: tolerance)
  }

  /// The same with the pieces and the first member given.
  func root(of target: Double, in pieces: Pieces, first: ExtremalProfile, after: Double = 0, tolerance: Double)
    -> ExtremalProfile?
  {
    if abs(first.displacement - target) <= tolerance, first.duration >= after { return first }
    var start = first
    for index in 0..<pieces.count {
      let piece = pieces[index]
      if piece.kind == .cruise {
        let cruise = (target - start.displacement) / limits.maxVelocity
        return cruise >= 0 && start.duration + cruise >= after ? profile(.cruise, cruise) : nil
      }
      let end = piece.high.isFinite ? profile(piece.kind, piece.high) : Self.endless
      if end.duration >= after,
        let found = root(of: target, in: piece, from: start, to: end, after: after, tolerance: tolerance)
      {
        return found
      }
      start = end
    }
    return nil
  }

  /// The end of a family without a velocity limit.
  private static var endless: ExtremalProfile {
    ExtremalProfile(crest: .infinity, duration: .infinity, displacement: .infinity)
  }

  private func root(
    of target: Double, in piece: Piece, from start: ExtremalProfile, to end: ExtremalProfile, after: Double,
    tolerance: Double
  ) -> ExtremalProfile? {
    let before = start.slope(inverseJerk: inverseJerk)
    let behind = end.slope(inverseJerk: inverseJerk)
    let reached = start.displacement >= target
    if (before < 0 && behind > 0) || (before > 0 && behind < 0) {
      let turning = min(max(turningPoint(piece.kind, falling: before > 0), piece.low), piece.high)
      let middle = profile(piece.kind, turning)
      let first = Piece(kind: piece.kind, low: piece.low, high: turning)
      let second = Piece(kind: piece.kind, low: turning, high: piece.high)
      // Before a minimum the target can be passed only from above, before a maximum only from below. A start that is on
      // the other side by rounding has its root behind the turn, and a search of the whole piece could end at the start.
      if reached == (before < 0), let found = bracketedRoot(of: target, in: first, from: start, to: middle),
        found.duration >= after
      {
        return found
      }
      if abs(middle.displacement - target) <= tolerance, middle.duration >= after { return middle }
      let found = bracketedRoot(of: target, in: second, from: middle, to: end)
      return found.flatMap { $0.duration >= after ? $0 : nil }
    }
    let found = bracketedRoot(of: target, in: piece, from: start, to: end)
    return found.flatMap { $0.duration >= after ? $0 : nil }
  }

  /// The parameter where the slope is zero.
  ///
  /// - Parameter falling: The slope changes from positive to negative there.
  private func turningPoint(_ kind: Kind, falling: Bool) -> Double {
    let top = limits.maxAcceleration
    let sign = falling ? -1.0 : 1.0
    switch kind {
    case .free:
      // 3·q⁴ + 8·jerk·α·q² + difference² = 0.
      let b = -4 * (limits.maxJerk * base + 0.5 * difference)
      let root = max(b * b - 3 * difference * difference, 0).squareRoot()
      let square = falling ? difference * difference / max(b + root, .leastNormalMagnitude) : (b + root) / 3
      return max(square, 0).squareRoot()
    case .heldFall:
      return -0.25 * top + sign * max(0.0625 * top * top - limits.maxJerk * base, 0).squareRoot()
    case .heldRise:
      return -0.25 * top + sign * max(0.0625 * top * top - limits.maxJerk * finalVelocity, 0).squareRoot()
    case .heldBoth:
      return -0.5 * top * top * inverseJerk
    case .cruise:
      return 0
    }
  }

  /// The member with the displacement in a piece that passes it once, or nil.
  private func bracketedRoot(
    of target: Double, in piece: Piece, from start: ExtremalProfile, to end: ExtremalProfile
  ) -> ExtremalProfile? {
    let below = start.displacement - target
    let above = end.displacement - target
    if below == 0 { return start }
    guard (below < 0) != (above < 0) else { return above == 0 ? end : nil }
    if piece.kind == .heldBoth {
      // top·displacement = (crest + top²/(2·jerk))² + constant.
      let top = limits.maxAcceleration
      let first = start.crest + 0.5 * top * top * inverseJerk
      let last = max(first * first - top * below, 0).squareRoot()
      let change = first >= 0 ? -top * below / (first + last) : -first + (below < 0 ? last : -last)
      return profile(.heldBoth, min(max(start.crest + change, piece.low), piece.high))
    }
    return iteratedRoot(of: target, in: piece, below: below, above: above, slope: start.slope(inverseJerk: inverseJerk))
  }

  /// Newton's iteration, kept within a bracket.
  private func iteratedRoot(of target: Double, in piece: Piece, below: Double, above: Double, slope: Double)
    -> ExtremalProfile
  {
    var low = piece.low
    var high = piece.high
    let rising = below < 0
    let perTop = piece.kind == .free ? 0 : 1 / limits.maxAcceleration
    let gain = 2 * inverseJerk
    var x = firstGuess(piece, below: below, above: above, derivative: slope * gain * (1 + low * perTop))
    var best = profile(piece.kind, x)
    var lastStep = high - low
    // Newton's iteration needs 4 to 8 steps here. A bisection of the full range of Double has at most 2,100.
    for _ in 0..<2_100 {
      let error = best.displacement - target
      if error == 0 { break }
      if (error < 0) == rising { low = x } else { high = x }
      var next = x - error / (best.slope(inverseJerk: inverseJerk) * gain * (1 + x * perTop))
      // Outside the bracket, not a number, or slower than a bisection.
      if !(next > low && next < high) || abs(next - x) > 0.5 * abs(lastStep) && high.isFinite {
        // An iterate that rounding puts on the edge of the bracket has converged.
        if abs(next - x) <= 1e-15 * abs(x) { break }
        next = high.isFinite ? 0.5 * (low + high) : 2 * low + 1
      }
      lastStep = next - x
      x = next
      best = profile(piece.kind, x)
      // 4 units in the last place: the displacement does not become more exact.
      if abs(lastStep) <= 1e-15 * abs(x) || x == low || x == high { break }
    }
    return best
  }

  /// A guess near the root.
  private func firstGuess(_ piece: Piece, below: Double, above: Double, derivative: Double) -> Double {
    if piece.kind == .free, below < 0, derivative >= 0 {
      // The displacement grows at least as the line and as the cube q³/(4·jerk²): the root is below both guesses.
      let line = -below / derivative
      let cube = (-4 * below * limits.maxJerk * limits.maxJerk).roughCubeRoot
      let guess = piece.low + min(line, cube)
      if guess > piece.low, guess < piece.high { return guess }
    }
    guard piece.high.isFinite else { return 2 * piece.low + 1 }
    let guess = piece.low + (piece.high - piece.low) * (below / (below - above))
    return guess > piece.low && guess < piece.high ? guess : 0.5 * (piece.low + piece.high)
  }
}

extension Double {
  /// The cube root of a positive number within 6 %: a third of the exponent, with the fraction interpolated.
  var roughCubeRoot: Double {
    // Two thirds of the bits of 1.0, less the middle of the error.
    Double(bitPattern: bitPattern / 3 + 0x2A9F_7893_0000_0000)
  }
}
