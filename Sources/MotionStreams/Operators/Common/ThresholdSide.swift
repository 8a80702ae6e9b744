/// The position of a value relative to one or two bounds.
public enum ThresholdSide: Hashable, Sendable {
  /// Strictly below.
  case below
  /// On the bound, or between the two.
  case within
  /// Strictly above.
  case above
}

extension MotionObservable where Value: Comparable {
  /// The side of a range on which a value is; the ends belong to the range.
  @inlinable static func side(of value: Value, _ low: Value, _ high: Value) -> ThresholdSide {
    value < low ? .below : value > high ? .above : .within
  }
}
