extension MotionObservable where Value: Comparable {
  /// The side of a range on which each value is; the ends belong to the range. Reversed ends are swapped.
  ///
  ///     values                          1-4-9
  ///     thresholdRange(min: 3, max: 5)  b-w-a
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func thresholdRange(min: Value, max: Value) -> MotionObservable<ThresholdSide> {
    let (low, high) = (Swift.min(min, max), Swift.max(min, max))
    return _map(metadata.with("thresholdRange(min:max:)", args: [low, high])) { Self.side(of: $0, low, high) }
  }
}
