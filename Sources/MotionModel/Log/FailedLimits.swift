/// Limits that their frame could not set any more, although their transaction was accepted. The property is as if they
/// had not been committed.
public struct FailedLimits: Hashable, Sendable {
  /// The property.
  public var reference: PropertyReference
  /// The transaction.
  public var sequence: UInt64
  /// The place of the operation in the transaction.
  public var operation: Int
  /// The frame that applied the transaction.
  public var frame: UInt64
  /// Why they could not be set.
  public var reason: String
  /// The client that committed them, and when and why; `nil` if the client is unknown.
  public var provenance: Provenance?

  /// Creates the failure of an operation.
  public init(
    _ reference: PropertyReference, sequence: UInt64, operation: Int, frame: UInt64, reason: String,
    by provenance: Provenance? = nil
  ) {
    (self.reference, self.sequence, self.operation) = (reference, sequence, operation)
    (self.frame, self.reason, self.provenance) = (frame, reason, provenance)
  }
}
