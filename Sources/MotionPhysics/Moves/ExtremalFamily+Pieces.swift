extension ExtremalFamily {
  /// The parts of a family, in the order of duration.
  ///
  /// At most 8: four while the rise is negative, three while the crest rises, and the cruise.
  struct Pieces {
    private(set) var count = 0
    private var storage = InlineArray<8, Piece>(repeating: Piece(kind: .cruise, low: 0, high: 0))

    subscript(index: Int) -> Piece { storage[index] }

    mutating func append(_ kind: Kind, _ low: Double, _ high: Double) {
      storage[count] = Piece(kind: kind, low: low, high: max(low, high))
      count += 1
    }

    /// Appends the range as two pieces if the slope turns within it.
    mutating func append(_ kind: Kind, _ low: Double, _ high: Double, turning: Double) {
      if turning > low, turning < high {
        append(kind, low, turning)
        append(kind, turning, high)
      } else {
        append(kind, low, high)
      }
    }
  }

  /// The parts of this family. Cost: up to six square roots.
  func pieces() -> Pieces {
    var pieces = Pieces()
    if inverseJerk == 0 {
      pieces.append(.heldBoth, max(velocity, finalVelocity), limits.maxVelocity)
    } else {
      let floor = max(initial, 0)
      if difference >= floor * floor {
        appendCrestPieces(from: difference.squareRoot(), fall: 0, to: &pieces)
      } else if initial >= 0 {
        let fall = (initial * initial - difference).squareRoot()
        appendCrestPieces(from: initial, fall: fall, to: &pieces)
      } else {
        appendRecoilPieces(to: &pieces)
        appendCrestPieces(from: 0, fall: (-difference).squareRoot(), to: &pieces)
      }
    }
    if limits.maxVelocity.isFinite { pieces.append(.cruise, 0, .infinity) }
    return pieces
  }

  /// The part in which the crest rises to the velocity limit, from the given magnitudes on.
  private func appendCrestPieces(from rise: Double, fall: Double, to pieces: inout Pieces) {
    let top = limits.maxAcceleration
    let last = (limits.maxJerk * max(limits.maxVelocity - base, 0)).squareRoot()
    let lastFall = (limits.maxJerk * max(limits.maxVelocity - finalVelocity, 0)).squareRoot()
    if difference >= 0 {
      // The rise reaches its limit first, at this fall.
      let atTop = max(top * top - difference, 0).squareRoot()
      if rise < top {
        pieces.append(.free, rise + fall, last <= top ? last + lastFall : top + atTop)
      }
      guard last > top else { return }
      pieces.append(.heldRise, atTop, min(top, lastFall))
      guard lastFall > top else { return }
      pieces.append(.heldBoth, finalVelocity + top * top * inverseJerk, limits.maxVelocity)
    } else {
      // The fall reaches its limit first, at this rise.
      let atTop = max(top * top + difference, 0).squareRoot()
      if fall < top {
        pieces.append(.free, rise + fall, lastFall <= top ? last + lastFall : top + atTop)
      }
      guard lastFall > top else { return }
      pieces.append(.heldFall, max(rise, atTop), min(top, last))
      guard last > top else { return }
      pieces.append(.heldBoth, base + top * top * inverseJerk, limits.maxVelocity)
    }
  }

  /// The part in which a negative initial acceleration ramps up to a negative rise only.
  ///
  /// There the slope first falls and then grows, so each kind is split where it turns.
  private func appendRecoilPieces(to pieces: inout Pieces) {
    let top = limits.maxAcceleration
    let square = top * top + difference
    let atTop = max(square, 0).squareRoot()
    var freeFrom = initial
    if square <= 0 || -initial > atTop {
      // The derivative of base + rise²/jerk + rise·top/(2·jerk) is zero at −top/4.
      pieces.append(.heldFall, initial, square > 0 ? -atTop : 0, turning: -0.25 * top)
      if square <= 0 { return }
      freeFrom = -atTop
    }
    // rise + fall = (rise² − fall²) / (rise − fall), which does not cancel for a negative rise.
    let fall = (freeFrom * freeFrom - difference).squareRoot()
    // The slope of the free kind is α + (3·q² + difference²/q²)/(8·jerk), least at q⁴ = difference²/3.
    let turning = (-difference * 0.577_350_269_189_625_8).squareRoot()
    pieces.append(.free, difference / (freeFrom - fall), (-difference).squareRoot(), turning: turning)
  }
}
