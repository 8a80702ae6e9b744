// For the linker: a square root may be a call into the C library, where it is correctly rounded.
import Glibc

/// All moves from a state to a final velocity that go as far as possible, or back as far as possible, in their duration.
///
/// For each duration the reachable displacements are an interval, because the limits and the dynamics are convex. Its
/// upper end belongs to a move of the shape of ``ExtremalProfile``, its lower end to a mirrored one. These moves form a
/// family with one parameter, along which the duration increases. It begins with the fastest change of velocity, where
/// both ends meet. The shortest move to a place is where the displacement first reaches the place. A duration is
/// impossible while the place is outside the interval.
///
/// The alternation of ±jerk with limits is that of Berscheid and Kröger, "Jerk-limited Real-time Trajectory Generation
/// with Arbitrary Target States" (arXiv 2105.04830). The family and its solution are derived here.
///
/// With `mirrored` all values here have the opposite sign, so that the family goes back as far as possible.
struct ExtremalFamily {
  let limits: MoveLimits
  let inverseJerk: Double
  let mirrored: Bool
  let velocity: Double
  let initial: Double
  let finalVelocity: Double

  /// The velocity from which a ramp of +jerk passes through the initial state: v₀ − a₀²/(2·jerk).
  let base: Double

  /// rise² − fall² while none of them is limited: jerk·(v₁ − v₀) + a₀²/2.
  ///
  /// It is max(a₀, 0)² if one ramp leads to the final velocity.
  let difference: Double

  /// Creates the family.
  ///
  /// The initial state has to be one from which the velocity limit can be kept; see ``Braking``.
  init(velocity: Double, acceleration: Double, finalVelocity: Double, limits: MoveLimits, mirrored: Bool) {
    let sign = mirrored ? -1.0 : 1.0
    self.limits = limits
    self.mirrored = mirrored
    inverseJerk = limits.inverseJerk
    self.velocity = sign * velocity
    self.finalVelocity = sign * finalVelocity
    initial = inverseJerk == 0 ? 0 : sign * acceleration
    guard inverseJerk > 0 else {
      base = self.velocity
      difference = 0
      return
    }
    let square = initial * initial
    let exact = limits.maxJerk * (self.finalVelocity - self.velocity) + 0.5 * square
    let ramp = initial > 0 ? square : 0
    let scale = limits.maxJerk * (abs(velocity) + abs(finalVelocity)) + square
    difference = abs(exact - ramp) <= Self.rounding * scale ? ramp : exact
    base = difference == exact ? self.velocity - 0.5 * square * inverseJerk : self.finalVelocity - ramp * inverseJerk
  }

  /// By how much a state may miss the last ramp to the final velocity, relative to the terms.
  ///
  /// The duration depends on the square root of the difference. Without this tolerance, the rounding of a state that
  /// comes from the last ramp of a move would change the duration by 1e-7 s; a position that is missed by the way of
  /// that time can need a detour. 64 units in the last place are the rounding of the 7 segments of a move.
  private static let rounding = 1.4e-14

  /// The parameter that describes a part of the family.
  enum Kind {
    /// No limit is reached; the parameter is rise + fall.
    case free
    /// The rise holds at the limit; the parameter is the fall.
    case heldRise
    /// The fall holds at the limit; the parameter is the rise.
    case heldFall
    /// Both hold at the limit; the parameter is the crest.
    case heldBoth
    /// The crest is the velocity limit; the parameter is the time at it.
    case cruise
  }

  /// A part of the family in which the slope is monotonic.
  struct Piece {
    var kind: Kind
    var low: Double
    var high: Double
  }

  /// The profile of a parameter.
  @inline(__always)
  func profile(_ kind: Kind, _ parameter: Double) -> ExtremalProfile {
    let top = limits.maxAcceleration
    var profile = ExtremalProfile()
    switch kind {
    case .free:
      let quotient = parameter > 0 ? difference / parameter : 0
      profile.rise = 0.5 * (parameter + quotient)
      profile.fall = 0.5 * (parameter - quotient)
      profile.crest = base + profile.rise * profile.rise * inverseJerk
    case .heldRise:
      let square = parameter * parameter
      profile.rise = top
      profile.fall = parameter
      profile.crest = finalVelocity + square * inverseJerk
      // (crest − base)/top − top/jerk, with jerk·(crest − base) = fall² + difference.
      profile.riseHold = max((square + difference) * inverseJerk / top - top * inverseJerk, 0)
    case .heldFall:
      let square = parameter * parameter
      profile.rise = parameter
      profile.fall = top
      profile.crest = base + square * inverseJerk
      profile.fallHold = max((square - difference) * inverseJerk / top - top * inverseJerk, 0)
    case .heldBoth:
      profile.rise = top
      profile.fall = top
      profile.crest = parameter
      profile.riseHold = max((parameter - base) / top - top * inverseJerk, 0)
      profile.fallHold = max((parameter - finalVelocity) / top - top * inverseJerk, 0)
    case .cruise:
      profile = fastest
      profile.cruise = parameter
    }
    return completed(profile)
  }

  /// The profile with which a piece begins.
  func profile(_ piece: Piece) -> ExtremalProfile { profile(piece.kind, piece.low) }

  /// The move that just reaches the velocity limit, without its duration.
  var fastest: ExtremalProfile {
    let top = limits.maxAcceleration
    var profile = ExtremalProfile()
    profile.crest = limits.maxVelocity
    profile.rise = top
    profile.fall = top
    let overBase = limits.maxVelocity - base
    let overFinal = max(limits.maxVelocity - finalVelocity, 0)
    if inverseJerk > 0 {
      profile.rise = min(top, (limits.maxJerk * overBase).squareRoot())
      profile.fall = min(top, (limits.maxJerk * overFinal).squareRoot())
    }
    if profile.rise == top { profile.riseHold = max(overBase / top - top * inverseJerk, 0) }
    if profile.fall == top { profile.fallHold = max(overFinal / top - top * inverseJerk, 0) }
    return profile
  }
}
