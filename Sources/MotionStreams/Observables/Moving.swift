/// A value that moves: where it is, and how fast.
public struct Moving<Value: MotionValue>: Equatable, Sendable {
  /// Where it is.
  public var value: Value
  /// How fast it moves, per second.
  public var velocity: Value

  /// A value, at rest if nothing else is said.
  @inlinable public init(_ value: Value, velocity: Value = .zero) {
    self.value = value
    self.velocity = velocity
  }
}
