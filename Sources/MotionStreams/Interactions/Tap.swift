/// Sets a position to the places of taps.
public final class Tap: Interaction {
  /// The position that is set.
  public let position: ReactiveProperty<Point>
  /// The stream that is written to the position: each tap, on the surface. It may be replaced until the interaction is
  /// connected.
  public var positionStream: MotionObservable<Point>

  /// Creates an interaction in which `tap` sets `position`, both in the units of the surface.
  public init(sets position: ReactiveProperty<Point>, _ tap: Gesture<TapGestureRecognizer>) {
    self.position = position
    positionStream = tapSource(tap)
  }

  /// Writes the stream to the position.
  public func connect(with runtime: MotionRuntime) { runtime.write(positionStream, to: position) }
}
