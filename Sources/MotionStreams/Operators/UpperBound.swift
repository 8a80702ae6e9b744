extension MotionObservable where Value: Comparable {
  /// Each value, but not greater than this.
  ///
  ///     values         1-5-3
  ///     upperBound(3)  1-3-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func upperBound(_ highest: Value) -> MotionObservable<Value> {
    _map(metadata.with("upperBound(_:)", args: [highest])) { Swift.min($0, highest) }
  }
}
