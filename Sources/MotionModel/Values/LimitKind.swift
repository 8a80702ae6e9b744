/// A kind of limit of a property.
public enum LimitKind: String, Hashable, Sendable, CaseIterable {
  /// The range of the value.
  case range
  /// The velocity.
  case velocity
  /// The acceleration, or the jerk.
  case acceleration
  /// The jerk, where the acceleration has no limit.
  case jerk
}
