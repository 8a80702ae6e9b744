extension MotionObservable where Value == Point {
  /// Each point with this y.
  ///
  ///     points          1,2-3,4
  ///     yLocked(to: 9)  1,9-3,9
  ///
  /// State channel: passed on. Memory: none.
  public func yLocked(to y: Double) -> MotionObservable<Point> { yLocked(.constant(y)) }

  /// Each point with the last value of the stream as its y; emitted when either emits, once both have.
  ///
  ///     points   1,2---------3,4
  ///     y        ----9---7------
  ///     yLocked  ----1,9-1,7-3,7
  ///
  /// State channel: upstream's. Memory: the last value of both, per subscription.
  public func yLocked(to y: MotionObservable<Double>) -> MotionObservable<Point> { yLocked(.stream(y)) }

  private func yLocked(_ y: Reactive<Double>) -> MotionObservable<Point> {
    _map(metadata.with("yLocked(to:)", args: [y.argument]), with: y) { Point($0.x, $1) }
  }
}
