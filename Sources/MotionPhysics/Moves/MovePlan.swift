// For the linker: a square root may be a call into the C library, where it is correctly rounded.
import Glibc

/// A move from a state to a place, before its duration is chosen.
///
/// A plan answers which durations are possible, and makes the move of any of them. Members of a group that arrive
/// together have one plan each: see ``synchronised(_:atLeast:)``.
///
/// Cost of a plan: below a microsecond.
public struct MovePlan: Sendable {
  let from: MoveState
  let to: MoveState
  let limits: MoveLimits
  let braking: Braking

  /// The way that remains after braking.
  let remaining: Double

  /// The rounding error of `remaining`.
  let tolerance: Double

  /// The duration of the fastest move.
  public private(set) var shortestDuration = 0.0

  /// How long the move brakes first, in seconds: 0 if the limits can be kept from the beginning.
  ///
  /// If it is positive the initial state exceeds a limit, or its acceleration makes it do so in any case. The excess is
  /// the smallest possible.
  public var brakingDuration: Double { braking.duration }

  var shortest = ExtremalProfile()
  var shortestIsMirrored = false

  /// Creates the plan of a move to a position, and the velocity there; the acceleration there is 0.
  ///
  /// The initial state may exceed the limits. The move then first returns into them: see ``TimeOptimalMove``.
  ///
  /// - Throws: ``MoveError`` for values that are not finite, for limits that are not positive, for a final velocity
  ///   above the limit, and if the move exceeds the range of Double.
  public init(from: MoveState, to position: Double, velocity: Double = 0, limits: MoveLimits) throws(MoveError) {
    try Self.check(from: from, position: position, velocity: velocity, limits: limits)
    let to = MoveState(position: position, velocity: velocity)
    let plan = try MovePlan(from: from, to: to, limits: limits, landing: true)
    if plan.braking.hasAlternative, let other = try? MovePlan(from: from, to: to, limits: limits, landing: false),
      other.shortestDuration < plan.shortestDuration, !other.returnsThroughZero
    {
      self = other
    } else {
      self = plan
    }
  }

  private init(from: MoveState, to: MoveState, limits: MoveLimits, landing: Bool) throws(MoveError) {
    self.from = from
    self.to = to
    let way = to.position - from.position
    braking = Braking(
      velocity: from.velocity, acceleration: from.acceleration, target: way, finalVelocity: to.velocity, limits: limits,
      landing: landing)
    self.limits = braking.limits
    remaining = way - braking.displacement
    guard !limits.isVelocityOnly else {
      tolerance = 0
      shortestDuration = abs(way) / limits.maxVelocity
      return
    }
    tolerance = Self.rounding(from: from, to: to, limits: limits)
    guard let found = findShortest(), (found.duration + braking.duration).isFinite
    else { throw .beyondRange }
    shortest = found
    shortestDuration = braking.duration + found.duration
  }

  /// The shortest profile that can be placed.
  ///
  /// Of a fast move between near positions, ``tolerance`` is much: it contains the way of a long braking. To miss the
  /// target by that would be a jump in mid-move. Such a move goes the exact way, also if it has to return for it.
  private mutating func findShortest() -> ExtremalProfile? {
    guard let found = findShortest(tolerance: tolerance) else { return nil }
    let (missed, isMirrored) = (miss(of: found), shortestIsMirrored)
    // A half, because the sums of the segments are rounded, too.
    guard missed > 0.5 * TimeOptimalMove.greatestGap * leastScale(of: found) else { return found }
    if let exact = findShortest(tolerance: 0), miss(of: exact) < missed { return exact }
    shortestIsMirrored = isMirrored
    return found
  }

  /// By how much a profile misses the target.
  private func miss(of profile: ExtremalProfile) -> Double {
    abs(profile.displacement - (shortestIsMirrored ? -remaining : remaining))
  }

  /// A scale that is no larger than that of the positions of a move, which has 7 segments.
  private func leastScale(of profile: ExtremalProfile) -> Double {
    let speed = max(abs(braking.velocity), abs(to.velocity))
    return max(abs(from.position), abs(to.position), speed * profile.duration / 7)
  }

  /// The shortest profile, and the family that it belongs to.
  ///
  /// - Parameter tolerance: By how much a profile may miss the target.
  private mutating func findShortest(tolerance: Double) -> ExtremalProfile? {
    let farthest = family(mirrored: false)
    let pieces = farthest.pieces()
    let first = farthest.profile(pieces[0])
    if abs(remaining - first.displacement) <= tolerance {
      // The same move in both families, except for rounding. The mirror image makes the opposite choice.
      shortestIsMirrored = braking.velocity + to.velocity < 0
      if !shortestIsMirrored { return first }
      let nearest = family(mirrored: true)
      return nearest.profile(nearest.pieces()[0])
    }
    shortestIsMirrored = remaining < first.displacement
    if shortestIsMirrored {
      if let found = family(mirrored: true).root(of: -remaining, tolerance: tolerance) { return found }
      // Both families begin with the same move. Shortly before the last ramp, the rounding of its peak puts them a little
      // apart, and the target in between. From there only the other family goes towards the target.
      shortestIsMirrored = false
    }
    return farthest.root(of: remaining, in: pieces, first: first, tolerance: tolerance)
  }

  /// The rounding error of the remaining way of a state that comes from a running move.
  ///
  /// The positions of a move that slows down, passes its target and returns are of the order of speed × time to stop.
  private static func rounding(from: MoveState, to: MoveState, limits: MoveLimits) -> Double {
    let speed =
      abs(from.velocity) + abs(to.velocity) + from.acceleration * from.acceleration * limits.inverseJerk
    let time = speed / limits.maxAcceleration + 2 * (speed * limits.inverseJerk).squareRoot()
    // 64 units in the last place: a sum of 7 segments, whose times are rounded, too.
    return 1.4e-14 * (abs(from.position) + abs(to.position) + speed * time)
  }

  /// Whether the braking ends so hard that the velocity passes through zero and then returns.
  private var returnsThroughZero: Bool {
    let direction = shortestIsMirrored ? -1.0 : 1.0
    let stopping = braking.velocity + 0.5 * braking.acceleration * abs(braking.acceleration) * limits.inverseJerk
    return direction * braking.velocity > 0 && direction * stopping < 0 && shortest.rise > 0 && shortest.crest > 0
  }

  func family(mirrored: Bool) -> ExtremalFamily {
    ExtremalFamily(
      velocity: braking.velocity, acceleration: braking.acceleration, finalVelocity: to.velocity, limits: limits,
      mirrored: mirrored)
  }

  /// The fastest move.
  ///
  /// - Throws: ``MoveError`` if the move exceeds the range of Double.
  public func move() throws(MoveError) -> TimeOptimalMove {
    if limits.isVelocityOnly { return try steadyMove(lasting: shortestDuration) }
    var phases = [MovePhase](braking, capacity: 7)
    family(mirrored: shortestIsMirrored).appendPhases(of: shortest, to: &phases)
    return try TimeOptimalMove(phases: phases, from: from, to: to, duration: shortestDuration)
  }

  private static func check(
    from: MoveState, position: Double, velocity: Double, limits: MoveLimits
  ) throws(MoveError) {
    guard from.isFinite, position.isFinite, velocity.isFinite else {
      throw MoveError(
        code: .notFinite,
        description: "A move from \(from) to \(position) with velocity \(velocity): every value has to be finite")
    }
    guard limits.isValid else {
      throw MoveError(code: .invalidLimit, description: "\(limits): every limit has to be positive")
    }
    guard abs(velocity) <= limits.maxVelocity * (1 + MoveLimits.touching) else {
      throw MoveError(
        code: .targetAboveLimit,
        description:
          "A final velocity of \(velocity) above the limit \(limits.maxVelocity): lower it or raise the limit")
    }
  }
}

extension MoveLimits {
  /// Whether only the velocity is limited, if at all.
  package var isVelocityOnly: Bool { maxAcceleration == .infinity && maxJerk == .infinity }
}

extension MoveError {
  static let beyondRange = MoveError(
    code: .notRepresentable,
    description: "The move exceeds the range of Double: choose units in which its values are nearer to 1")
}
