/// Decides by the velocity of a release in which direction to continue: forwards or backwards.
public final class ChangeDirection: Interaction {
  /// A direction.
  public enum Direction: Hashable, Sendable {
    /// Forwards.
    case forward
    /// Backwards.
    case backward
  }

  /// The chosen direction.
  public let direction: ReactiveProperty<Direction>
  /// The stream that is written to it. It may be replaced until the interaction is connected.
  public var directionStream: MotionObservable<Direction>

  /// Sets `direction` by each velocity: backward below −`minimum`, forward above it, and as it was in between.
  public init(direction: ReactiveProperty<Direction>, velocity: MotionObservable<Double>, minimumVelocity: Double = 100)
  {
    self.direction = direction
    let minimum = abs(minimumVelocity)
    directionStream = velocity.thresholdRange(min: -minimum, max: minimum)
      .rewrite([.below: Direction.backward, .above: Direction.forward])
  }

  /// Writes the directions.
  public func connect(with runtime: MotionRuntime) { runtime.write(directionStream, to: direction) }
}
