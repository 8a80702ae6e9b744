/// The reason why a coordinator ended without a request.
public struct CoordinatorFailure: Error, Sendable, CustomStringConvertible {
  /// The failure.
  public let description: String
}
