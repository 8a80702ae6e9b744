public import MotionModel

/// A property that no longer exists, because its target was forgotten.
public struct ForgottenProperty: Hashable, Sendable {
  /// The short name that it had.
  public let handle: PropertyHandle
  /// The property.
  public let reference: PropertyReference
}
