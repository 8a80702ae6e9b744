/// The limits of one lane of a property, whoever drives it.
public struct GovernorLimits: Hashable, Sendable {
  /// The places that the lane may have.
  public var range: ClosedRange<Double>

  /// The largest magnitudes of velocity, acceleration and jerk; one that is infinite does not apply.
  public var motion: MoveLimits

  /// Creates limits; a limit that is left out does not apply.
  public init(
    range: ClosedRange<Double> = -.infinity ... .infinity, motion: MoveLimits = MoveLimits()
  ) {
    self.range = range
    self.motion = motion
  }

  /// Whether only the range limits the lane, if anything does: a demand beyond a bound is then held there at once.
  public var isRangeOnly: Bool { motion.maxVelocity == .infinity && motion.isVelocityOnly }

  /// Whether there is a bound.
  var isBounded: Bool { range.lowerBound > -.infinity || range.upperBound < .infinity }

  /// The largest velocity as a number to calculate with.
  ///
  /// 1e140 is beyond the velocity of every property, and its products with any acceleration or jerk are finite.
  var finiteVelocity: Double { min(motion.maxVelocity, 1e140) }
}

/// The limits that hold a lane back from its demand.
public struct Restraint: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates a set of limits from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The demand is beyond a bound of the range, or could not stop before it.
  public static let range = Restraint(rawValue: 1)
  /// The lane moves as fast as it may.
  public static let velocity = Restraint(rawValue: 2)
  /// The acceleration, or the jerk, is as large as it may be, or was.
  public static let acceleration = Restraint(rawValue: 4)
  /// The same where only the jerk is limited, and not the acceleration.
  public static let jerk = Restraint(rawValue: 8)
}
