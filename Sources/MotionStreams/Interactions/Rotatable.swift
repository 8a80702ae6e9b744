/// Lets a rotation be turned by two or more fingers.
public final class Rotatable: Interaction {
  /// What is turned, in radians.
  public let rotation: ReactiveProperty<Double>
  /// The turn.
  public let gesture: Gesture<RotationGestureRecognizer>
  /// What it is turned to. May be replaced until the interaction is connected.
  public var rotationStream: MotionObservable<Double>

  /// Lets `gesture` change `rotation`.
  public init(_ rotation: ReactiveProperty<Double>, _ gesture: Gesture<RotationGestureRecognizer>) {
    self.rotation = rotation
    self.gesture = gesture
    rotationStream = gestureSource(gesture).rotated(from: rotation)
  }

  /// Writes the stream to the rotation.
  public func connect(with runtime: MotionRuntime) { runtime.write(rotationStream, to: rotation) }
}
