public import MotionPhysics

/// Pulls a position to a destination by a spring.
///
/// The properties are read-only; the stream may be replaced before it is connected, as ``Tossable`` does.
open class AttachWithSpring<Value: MotionValue>: Interaction {
  /// What is pulled.
  public let position: ReactiveProperty<Value>
  /// Where the spring pulls to.
  public let destination: ReactiveProperty<Value>
  /// How fast it begins, per second: written before the spring starts, used up by its start.
  public let initialVelocity: ReactiveProperty<Value>
  /// How it pulls and brakes.
  public let springConfiguration: ReactiveProperty<SpringCoefficients>
  /// What is written to the position.
  public var positionStream: MotionObservable<Value>

  /// Pulls `position` to `destination`.
  public init(
    position: ReactiveProperty<Value>, to destination: ReactiveProperty<Value>, threshold: Double = 1,
    springSource: SpringSource<Value>
  ) {
    let spring = Spring(to: destination, initialValue: position, threshold: threshold)
    self.position = position
    self.destination = destination
    initialVelocity = spring.initialVelocity
    springConfiguration = spring.configuration
    positionStream = springSource(spring)
  }

  /// Writes the stream to the position.
  open func connect(with runtime: MotionRuntime) {
    runtime.write(positionStream, to: position)
  }
}
