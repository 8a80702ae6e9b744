extension MotionObservable where Value: Comparable {
  /// Each value, but not below this.
  ///
  ///     values         1-5-3
  ///     lowerBound(3)  3-5-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func lowerBound(_ lowest: Value) -> MotionObservable<Value> {
    _map(metadata.with("lowerBound(_:)", args: [lowest])) { Swift.max($0, lowest) }
  }

  /// Each value, but not above this.
  ///
  ///     values         1-5-3
  ///     upperBound(3)  1-3-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func upperBound(_ highest: Value) -> MotionObservable<Value> {
    _map(metadata.with("upperBound(_:)", args: [highest])) { Swift.min($0, highest) }
  }

  /// Each value, but neither below nor above this range.
  ///
  ///     values              1-5-3
  ///     clamped(to: 2...4)  2-4-3
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func clamped(to range: ClosedRange<Value>) -> MotionObservable<Value> {
    _map(metadata.with("clamped(to:)", args: ["\(range.lowerBound)...\(range.upperBound)"])) {
      Swift.min(Swift.max($0, range.lowerBound), range.upperBound)
    }
  }
}
