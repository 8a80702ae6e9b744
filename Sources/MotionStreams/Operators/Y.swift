extension MotionObservable where Value == Point {
  /// The y coordinate of each point.
  ///
  ///     points  1,2-3,4
  ///     y       2---4
  ///
  /// State channel: passed on. Memory: none.
  public func y() -> MotionObservable<Double> { _map(metadata.with("y()")) { $0.y } }
}
