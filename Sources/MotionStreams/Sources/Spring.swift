public import MotionPhysics

/// What a spring is to do: where it pulls to, from where, how fast at first, and how it feels.
public final class Spring<Value: MotionValue>: Inspectable {
  /// What it is called in metadata.
  public let inspected: String
  /// Where it pulls to.
  public let destination: ReactiveProperty<Value>
  /// Where it begins: read when somebody subscribes to its source.
  public let initialValue: ReactiveProperty<Value>
  /// How fast it is at first, per second. Read when somebody subscribes, once: it is zero from then on, so that what a hand
  /// gave is not given again.
  public let initialVelocity: ReactiveProperty<Value>
  /// It rests when its energy cannot carry it a tenth of this away, in the value's unit. Read when somebody subscribes.
  public let threshold: ReactiveProperty<Double>
  /// How it pulls and brakes.
  public let configuration: ReactiveProperty<SpringCoefficients>

  /// A spring from `initialValue` to `destination`; it, and what its properties belong to, is called `name` in descriptions.
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

/// Makes the stream of a spring: ``springSource(_:_:)`` on some clock, or another solver.
public typealias SpringSource<Value: MotionValue> = (Spring<Value>) -> MotionObservable<Value>
