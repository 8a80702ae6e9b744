extension MotionObservable where Value == Gesture<ScaleGestureRecognizer> {
  /// What size the gesture gives to what was at `start` when it began: the product of both.
  ///
  ///     scale            1-2-3-end
  ///     scaled(from: 2)  2-4-6----
  ///
  /// The start is read when the gesture begins, or with the first change that is seen, and forgotten in every other state;
  /// nothing is emitted on end.
  ///
  /// State channel: passed on. Memory: the start, of the subscription.
  public func scaled(from start: ReactiveProperty<Double>) -> MotionObservable<Double> {
    _moved(metadata.with("scaled(from:)", args: [start]), from: start) { $0 * $1.scale }
  }
}
