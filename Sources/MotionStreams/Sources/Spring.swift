public import MotionPhysics

/// The parameters of a spring: its destination, its start, its initial velocity and its coefficients.
public final class Spring<Value: MotionValue>: Inspectable {
  /// The name in metadata.
  public let inspected: String
  /// The destination.
  public let destination: ReactiveProperty<Value>
  /// The start: read at the subscription to its source.
  public let initialValue: ReactiveProperty<Value>
  /// The initial velocity, per second. It is read at the subscription, once: it is zero from then on, so that the
  /// velocity of a gesture is not applied again.
  public let initialVelocity: ReactiveProperty<Value>
  /// The rest threshold: the spring rests when its energy cannot carry it a tenth of this away, in the value's unit. It
  /// is read at the subscription.
  public let threshold: ReactiveProperty<Double>
  /// The coefficients of the spring.
  public let configuration: ReactiveProperty<SpringCoefficients>

  /// Creates a spring from `initialValue` to `destination`; the spring, and the owner of its properties, is called
  /// `name` in descriptions.
  public init(
    to destination: ReactiveProperty<Value>, initialValue: ReactiveProperty<Value>,
    initialVelocity: ReactiveProperty<Value>? = nil, threshold: Double = 1,
    configuration: SpringCoefficients = .default, named name: String = "spring"
  ) {
    inspected = name
    self.destination = destination
    self.initialValue = initialValue
    self.initialVelocity = initialVelocity ?? ReactiveProperty(.zero, named: "initialVelocity", of: name)
    self.threshold = ReactiveProperty(threshold, named: "threshold", of: name)
    self.configuration = ReactiveProperty(configuration, named: "configuration", of: name)
  }
}

/// Creates the stream of a spring: ``springSource(_:_:)`` on some clock, or another solver.
public typealias SpringSource<Value: MotionValue> = (Spring<Value>) -> MotionObservable<Value>
