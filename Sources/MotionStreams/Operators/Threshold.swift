/// Where a value is with respect to one or two bounds.
public enum ThresholdSide: Hashable, Sendable {
  /// Strictly below.
  case below
  /// On the bound, or between the two.
  case within
  /// Strictly above.
  case above
}

extension MotionObservable where Value: Comparable {
  /// On which side of this each value is; for every value, changed or not.
  ///
  ///     values        1-5-9
  ///     threshold(5)  b-w-a
  ///
  /// State channel: passed on. Memory: none.
  @inlinable public func threshold(_ bound: Value) -> MotionObservable<ThresholdSide> {
    _map(metadata.with("threshold(_:)", args: [bound])) { Self.side(of: $0, bound, bound) }
  }

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

  @inlinable static func side(of value: Value, _ low: Value, _ high: Value) -> ThresholdSide {
    value < low ? .below : value > high ? .above : .within
  }
}
