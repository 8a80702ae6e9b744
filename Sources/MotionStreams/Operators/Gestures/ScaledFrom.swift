extension MotionObservable where Value == Gesture<ScaleGestureRecognizer> {
  /// The value of `start` at the beginning of the gesture, scaled by it: the product of both.
  ///
  ///     scale            1-2-3-end
  ///     scaled(from: 2)  2-4-6----
  ///
  /// The start is read when the gesture begins, or with the first change that is received, and discarded in every other
  /// state; nothing is emitted on end.
  ///
  /// State channel: passed on. Memory: the start, per subscription.
  public func scaled(from start: ReactiveProperty<Double>) -> MotionObservable<Double> {
    _moved(metadata.with("scaled(from:)", args: [start]), from: start) { $0 * $1.scale }
  }
}
