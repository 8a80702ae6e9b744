extension MotionObservable where Value == Gesture<RotationGestureRecognizer> {
  /// The value of `start` at the beginning of the gesture, rotated by it: the sum of both, in radians.
  ///
  ///     rotation          0-1-2-end
  ///     rotated(from: 1)  1-2-3----
  ///
  /// The start is read when the gesture begins, or with the first change that is received, and discarded in every other
  /// state; nothing is emitted on end.
  ///
  /// State channel: passed on. Memory: the start, per subscription.
  public func rotated(from start: ReactiveProperty<Double>) -> MotionObservable<Double> {
    _moved(metadata.with("rotated(from:)", args: [start]), from: start) { $0 + $1.rotation }
  }

  /// The value and the velocity of `start`, rotated by the gesture: one with each frame, and at the end the last one.
  ///
  /// A subscription that is made during a gesture continues from the start. For the activity and the memory, see
  /// ``translated(from:in:along:within:maxLength:each:)``.
  public func rotated(
    from start: ReactiveProperty<Double>, each clock: any FrameClock
  ) -> MotionObservable<Moving<Double>> {
    let metadata = metadata.with("rotated(from:each:)", args: [start, clock])
    return _carried(metadata, from: start, clock, measuring: \.rotation, from: 0) { start, origin, angle in
      Moving(start + (angle.value - origin), velocity: angle.velocity)
    }
  }
}
