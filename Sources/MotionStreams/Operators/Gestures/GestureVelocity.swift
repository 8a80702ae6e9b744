extension MotionObservable where Value == Gesture<TranslationGestureRecognizer> {
  /// The velocity of the drag in `space`, in units per second, read when the gesture changes.
  ///
  ///     finger    0-1-2-u
  ///     velocity  0-1-1-1
  ///
  /// State channel: passed on. Memory: none.
  public func velocity(in space: CoordinateSpace = .surface) -> MotionObservable<Point> {
    _map(metadata.with("velocity(in:)", args: [space])) { space.way(of: $0.recognizer.velocity) }
  }
}

extension MotionObservable {
  /// The velocity of a factor or an angle, per second, read when the gesture changes.
  ///
  ///     factor    1-2-3
  ///     velocity  0-1-1
  ///
  /// State channel: passed on. Memory: none.
  public func velocity<Recognizer: ContinuousGestureRecognizer>() -> MotionObservable<Double>
  where Value == Gesture<Recognizer>, Recognizer.Movement == Double {
    _map(metadata.with("velocity()")) { $0.recognizer.velocity }
  }
}
