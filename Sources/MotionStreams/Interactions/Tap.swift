/// Puts a position where the taps are.
public final class Tap: Interaction {
  /// What is put there.
  public let position: ReactiveProperty<Point>
  /// Where it is put: each tap, on the surface. May be replaced until the interaction is connected.
  public var positionStream: MotionObservable<Point>

  /// Lets `tap` set `position`, both in the units of the surface.
  public init(sets position: ReactiveProperty<Point>, _ tap: Gesture<TapGestureRecognizer>) {
    self.position = position
    positionStream = tapSource(tap)
  }

  /// Writes the stream to the position.
  public func connect(with runtime: MotionRuntime) { runtime.write(positionStream, to: position) }
}
