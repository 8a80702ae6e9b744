/// Makes a rotation follow the turning of two or more fingers.
public final class Rotatable: Interaction {
  /// The rotation that is changed, in radians.
  public let rotation: ReactiveProperty<Double>
  /// The rotation gesture.
  public let gesture: Gesture<RotationGestureRecognizer>
  /// The stream that is written to the rotation. It may be replaced until the interaction is connected.
  public var rotationStream: MotionObservable<Double>

  /// Creates an interaction in which `gesture` changes `rotation`.
  public init(_ rotation: ReactiveProperty<Double>, _ gesture: Gesture<RotationGestureRecognizer>) {
    self.rotation = rotation
    self.gesture = gesture
    rotationStream = gestureSource(gesture).rotated(from: rotation)
  }

  /// Writes the stream to the rotation.
  public func connect(with runtime: MotionRuntime) { runtime.write(rotationStream, to: rotation) }
}
