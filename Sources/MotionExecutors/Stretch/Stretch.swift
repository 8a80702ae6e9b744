import Glibc
import MotionStreams

/// The stretch of a moving body: how far, and along which line. A decision that takes the time as an argument.
struct Stretch {
  /// The strength of the stretch; 1 stretches up to half as long again.
  let strength: Double
  /// The angle of the line along which the body is stretched, in radians.
  private(set) var angle: Double
  /// The logarithm of the factor along the line.
  private(set) var exponent: Double

  /// The speed at which half of the full stretch is reached, per second.
  ///
  /// A spring of default feel that moves by 100 points is about half as fast, a toss across a screen twice.
  static let halfSpeed = 1000.0
  /// The rate at which stretch and angle follow, in 1/s: a third of the difference is left after 1/30 s, a lag that is
  /// not visible.
  static let following = 30.0
  /// The exponent of a strength of 1: half as long again.
  static let most = log(1.5)
  /// By how much the volume of a stretch may differ from 1: far more than rounding, far less than a hand-over.
  static let volumeTolerance = 0.001
  /// The exponent that counts as none once there is no movement: a tenth of the threshold of scale, as springs rest.
  static let restExponent = 0.001

  /// A body that is stretched by `factors` along an angle, as a plan before it left it.
  ///
  /// Factors whose product is not 1 are of no stretch: a hand-over was under way. They are cut to what this strength reaches,
  /// because to relax from them would be a movement of its own. Factors without a logarithm are no stretch.
  init(strength: Double, angle: Double = 0, factors: Point = [1, 1]) {
    self.strength = strength
    self.angle = angle
    let exponent = log(factors.x / factors.y) / 2
    let isStretch = abs(log(factors.x * factors.y)) < Self.volumeTolerance
    let bound = isStretch ? 4 * Self.most : abs(strength) * Self.most
    self.exponent = exponent.isFinite ? min(max(exponent, -bound), bound) : 0
  }

  /// The factors along and across the movement: their product is 1 but for rounding.
  var factors: Point { Point(exp(exponent), exp(-exponent)) }

  /// Follows a movement for a time of `dt`.
  ///
  /// The body turns into the line of movement the shorter way. A stretched body looks the same turned by half a turn,
  /// so a line has no direction: a body that bounces back does not flip. Near rest, where the direction is all noise,
  /// it hardly turns, and at rest not at all. The stretch grows with the square of small speeds and is bounded for
  /// great ones. It follows in time, so that a hard turn back, which is slow for one frame, does not show as a blink.
  mutating func follow(_ velocity: Point, for dt: Double) {
    let share = Self.share(of: velocity)
    exponent += (strength * Self.most * share - exponent) * (1 - exp(-Self.following * dt))
    if velocity == .zero, abs(exponent) < Self.restExponent { exponent = 0 }
    guard share > 0 else { return }
    let away = (atan2(velocity.y, velocity.x) - angle).remainder(dividingBy: .pi)
    angle += away * (1 - exp(-Self.following * share * dt))
  }

  /// The share of the full stretch that a velocity reaches, from 0 to 1.
  private static func share(of velocity: Point) -> Double {
    let ratio = hypot(velocity.x, velocity.y) / halfSpeed
    // The square of a greater ratio might be infinite, and the share not a number.
    return ratio < 1e6 ? ratio * ratio / (1 + ratio * ratio) : 1
  }
}
