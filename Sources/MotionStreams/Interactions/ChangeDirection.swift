/// Decides by the velocity of a release which way to go on: forwards or backwards.
public final class ChangeDirection: Interaction {
  /// A way to go.
  public enum Direction: Hashable, Sendable {
    /// On.
    case forward
    /// Back.
    case backward
  }

  private let velocity: MotionObservable<Double>
  private let direction: ReactiveProperty<Direction>
  private let minimum: Double

  /// Sets `direction` by each velocity: backward below −`minimum`, forward above it, and as it was in between.
  public init(direction: ReactiveProperty<Direction>, velocity: MotionObservable<Double>, minimumVelocity: Double = 100)
  {
    self.direction = direction
    self.velocity = velocity
    minimum = abs(minimumVelocity)
  }

  /// Writes the directions.
  public func connect(with runtime: MotionRuntime) {
    let sides = velocity.thresholdRange(min: -minimum, max: minimum)
    runtime.write(sides.rewrite([.below: Direction.backward, .above: Direction.forward]), to: direction)
  }
}
