extension MotionObservable where Value: Comparable {
  /// Each value, but not less than this.
  ///
  ///     values         1-5-3
  ///     lowerBound(3)  3-5-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func lowerBound(_ lowest: Value) -> MotionObservable<Value> {
    _map(metadata.with("lowerBound(_:)", args: [lowest])) { Swift.max($0, lowest) }
  }
}
