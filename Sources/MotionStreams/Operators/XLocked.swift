extension MotionObservable where Value == Point {
  /// Each point with this x.
  ///
  ///     points          1,2-3,4
  ///     xLocked(to: 9)  9,2-9,4
  ///
  /// State channel: passed on. Memory: none.
  public func xLocked(to x: Double) -> MotionObservable<Point> { xLocked(.constant(x)) }

  /// Each point with the last value of the stream as its x; emitted when either emits, once both have.
  ///
  ///     points   1,2---------3,4
  ///     x        ----9---7------
  ///     xLocked  ----9,2-7,2-7,4
  ///
  /// State channel: upstream's. Memory: the last value of both, per subscription.
  public func xLocked(to x: MotionObservable<Double>) -> MotionObservable<Point> { xLocked(.stream(x)) }

  private func xLocked(_ x: Reactive<Double>) -> MotionObservable<Point> {
    _map(metadata.with("xLocked(to:)", args: [x.argument]), with: x) { Point($1, $0.y) }
  }
}
