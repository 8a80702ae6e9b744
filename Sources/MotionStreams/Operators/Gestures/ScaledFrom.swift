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

  /// The value and the velocity of `start`, each lane scaled by the gesture: one with each frame, and at the end the
  /// last one.
  ///
  /// A subscription that is made during a pinch continues from the start; if the factor is 0 then, from which no factor
  /// leads back, the start stays. For the activity and the memory, see
  /// ``translated(from:in:along:within:maxLength:each:)``.
  public func scaled<Result: MotionValue>(
    from start: ReactiveProperty<Result>, each clock: any FrameClock
  ) -> MotionObservable<Moving<Result>> {
    let metadata = metadata.with("scaled(from:each:)", args: [start, clock])
    return _carried(metadata, from: start, clock, measuring: \.scale, from: 1) { start, origin, factor in
      guard origin > 0 else { return Moving(start) }
      return Moving(start * (factor.value / origin), velocity: start * (factor.velocity / origin))
    }
  }
}
