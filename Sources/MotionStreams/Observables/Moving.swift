/// A value that moves, with its velocity.
public struct Moving<Value: MotionValue>: Equatable, Sendable {
  /// The value.
  public var value: Value
  /// The velocity, per second.
  public var velocity: Value

  /// Creates a moving value, at rest by default.
  @inlinable public init(_ value: Value, velocity: Value = .zero) {
    self.value = value
    self.velocity = velocity
  }
}
