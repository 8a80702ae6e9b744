public import MotionPhysics

/// Pulls a position to a destination by a spring.
///
/// The properties are read-only; the stream may be replaced before it is connected, as ``Tossable`` does.
open class AttachWithSpring<Value: MotionValue>: Interaction {
  /// The position that is pulled.
  public let position: ReactiveProperty<Value>
  /// The destination of the spring.
  public let destination: ReactiveProperty<Value>
  /// The initial velocity, per second: written before the spring starts, reset by its start.
  public let initialVelocity: ReactiveProperty<Value>
  /// The coefficients of the spring.
  public let springConfiguration: ReactiveProperty<SpringCoefficients>
  /// The stream that is written to the position.
  public var positionStream: MotionObservable<Value>

  /// Creates an interaction that pulls `position` to `destination`.
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
