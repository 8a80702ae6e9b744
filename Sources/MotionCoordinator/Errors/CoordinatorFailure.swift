/// The reason why a coordinator ended without being asked to.
public struct CoordinatorFailure: Error, Sendable, CustomStringConvertible {
  /// The failure.
  public let description: String
}
