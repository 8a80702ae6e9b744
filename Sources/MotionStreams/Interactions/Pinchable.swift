/// Makes a scale follow a pinch: fingers that spread to twice their distance double it.
public final class Pinchable: Interaction {
  /// The scale that is changed.
  public let scale: ReactiveProperty<Double>
  /// The pinch.
  public let gesture: Gesture<ScaleGestureRecognizer>
  /// The stream that is written to the scale. It may be replaced until the interaction is connected.
  public var scaleStream: MotionObservable<Double>

  /// Creates an interaction in which `gesture` changes `scale`.
  public init(_ scale: ReactiveProperty<Double>, _ gesture: Gesture<ScaleGestureRecognizer>) {
    self.scale = scale
    self.gesture = gesture
    scaleStream = gestureSource(gesture).scaled(from: scale)
  }

  /// Writes the stream to the scale.
  public func connect(with runtime: MotionRuntime) { runtime.write(scaleStream, to: scale) }
}

/// Another name of ``Pinchable``, for its effect instead of its gesture.
public typealias Scalable = Pinchable
