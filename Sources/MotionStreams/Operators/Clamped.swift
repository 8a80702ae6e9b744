extension MotionObservable where Value: Comparable {
  /// Each value, limited to this range.
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
