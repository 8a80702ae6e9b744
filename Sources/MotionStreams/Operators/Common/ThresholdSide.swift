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
  /// On which side of a range a value is, whose ends belong to it.
  @inlinable static func side(of value: Value, _ low: Value, _ high: Value) -> ThresholdSide {
    value < low ? .below : value > high ? .above : .within
  }
}
