/// The largest magnitudes of velocity, acceleration and jerk of a move, equal in both directions.
///
/// Each is positive and may be infinite:
/// - With an infinite jerk the acceleration changes in steps; the initial acceleration has no effect.
/// - With an infinite acceleration and jerk the velocity changes in steps.
/// - With all of them infinite the move is a jump of duration 0.
public struct MoveLimits: Hashable, Sendable {
  /// The largest speed, in units per second.
  public var maxVelocity: Double

  /// The largest acceleration, in units per second squared.
  public var maxAcceleration: Double

  /// The largest jerk, in units per second cubed.
  public var maxJerk: Double

  /// Creates limits; a limit that is left out does not apply.
  public init(maxVelocity: Double = .infinity, maxAcceleration: Double = .infinity, maxJerk: Double = .infinity) {
    self.maxVelocity = maxVelocity
    self.maxAcceleration = maxAcceleration
    self.maxJerk = maxJerk
  }

  /// The part of an acceleration with which a move may begin at a velocity, so that it does not exceed its limits
  /// because of it: at most ``maxAcceleration``, and no more than the jerk can end before the velocity turns or leaves its
  /// limit. Without a limit of velocity, the velocity may double.
  public func feasible(acceleration: Double, at velocity: Double) -> Double {
    let speed = abs(velocity)
    let brakes = acceleration * velocity < 0
    let room = brakes || maxVelocity == .infinity ? speed : maxVelocity - speed
    guard room > 0 else { return 0 }
    let most = min(maxAcceleration, (2 * room).squareRoot() * maxJerk.squareRoot())
    return min(max(acceleration, -most), most)
  }

  var isValid: Bool { maxVelocity > 0 && maxAcceleration > 0 && maxJerk > 0 }

  /// The reciprocal of the jerk: 0 for an infinite one, so that every ramp of acceleration then has the duration 0.
  var inverseJerk: Double { 1 / maxJerk }

  /// By how much a state may exceed a limit and still count as touching it, relative to the limit.
  ///
  /// A state taken from a running move has rounding errors of a few units in the last place (1e-16). Without this
  /// tolerance, solving again in mid-cruise would insert a braking of 1e-8 s.
  static let touching = 1e-12
}
