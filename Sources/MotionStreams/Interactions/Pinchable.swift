/// Lets a scale be pinched: what spreads the fingers to twice their distance doubles it.
public final class Pinchable: Interaction {
  /// What is pinched.
  public let scale: ReactiveProperty<Double>
  /// The pinch.
  public let gesture: Gesture<ScaleGestureRecognizer>
  /// What it is scaled to. May be replaced until the interaction is connected.
  public var scaleStream: MotionObservable<Double>

  /// Lets `gesture` change `scale`.
  public init(_ scale: ReactiveProperty<Double>, _ gesture: Gesture<ScaleGestureRecognizer>) {
    self.scale = scale
    self.gesture = gesture
    scaleStream = gestureSource(gesture).scaled(from: scale)
  }

  /// Writes the stream to the scale.
  public func connect(with runtime: MotionRuntime) { runtime.write(scaleStream, to: scale) }
}

/// Another name of ``Pinchable``: what the interaction does, not how.
public typealias Scalable = Pinchable
