extension MotionObservable where Value == Gesture<RotationGestureRecognizer> {
  /// Where the gesture turns what was at `start` when it began: the sum of both, in radians.
  ///
  ///     rotation          0-1-2-end
  ///     rotated(from: 1)  1-2-3----
  ///
  /// The start is read when the gesture begins, or with the first change that is seen, and forgotten in every other state;
  /// nothing is emitted on end.
  ///
  /// State channel: passed on. Memory: the start, of the subscription.
  public func rotated(from start: ReactiveProperty<Double>) -> MotionObservable<Double> {
    _moved(metadata.with("rotated(from:)", args: [start]), from: start) { $0 + $1.rotation }
  }
}
