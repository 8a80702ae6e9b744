/// A position with its first two derivatives.
public struct MoveState: Hashable, Sendable {
  /// The position, in the unit of the property.
  public var position: Double

  /// The velocity, in units per second.
  public var velocity: Double

  /// The acceleration, in units per second squared.
  public var acceleration: Double

  /// Creates a state; a place at rest by default.
  public init(position: Double, velocity: Double = 0, acceleration: Double = 0) {
    self.position = position
    self.velocity = velocity
    self.acceleration = acceleration
  }

  var isFinite: Bool { position.isFinite && velocity.isFinite && acceleration.isFinite }
}
