extension MotionObservable where Value == Point {
  /// The x coordinate of each point.
  ///
  ///     points  1,2-3,4
  ///     x       1---3
  ///
  /// State channel: passed on. Memory: none.
  public func x() -> MotionObservable<Double> { _map(metadata.with("x()")) { $0.x } }
}
