extension MotionObservable where Value: Comparable {
  /// On which side of a range each value is, whose ends belong to it; ends that are the wrong way round are swapped.
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
