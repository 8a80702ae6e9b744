/// Limits of a movement, equal for both directions and for each lane; `nil` where there is none.
public struct MotionLimits: Hashable, Sendable {
  /// The greatest speed, per second.
  public var maxVelocity: Double?
  /// The greatest acceleration, per second squared.
  public var maxAcceleration: Double?
  /// The greatest change of the acceleration, per second cubed.
  public var maxJerk: Double?

  /// Creates limits; those that are not given do not exist.
  public init(maxVelocity: Double? = nil, maxAcceleration: Double? = nil, maxJerk: Double? = nil) {
    (self.maxVelocity, self.maxAcceleration, self.maxJerk) = (maxVelocity, maxAcceleration, maxJerk)
  }

  /// These limits, and where there are none, `others`.
  public func completed(by others: MotionLimits) -> MotionLimits {
    MotionLimits(
      maxVelocity: maxVelocity ?? others.maxVelocity, maxAcceleration: maxAcceleration ?? others.maxAcceleration,
      maxJerk: maxJerk ?? others.maxJerk)
  }
}
