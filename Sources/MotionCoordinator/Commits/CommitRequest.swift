import MotionModel
import MotionWire

/// A client's request to commit a transaction.
struct CommitRequest {
  let commit: Commit
  /// The data about the commit that its decoding yields.
  let decoded: DecodedCommit
  /// The client that commits it.
  let client: UInt64
  /// Who waits for the receipt; `nil` if nobody does.
  let requester: Requester?
  /// Nanoseconds since 1970 at which it came.
  let wallTime: Int64
  /// The highest priority that the client may state; `nil` for any.
  var grant: PriorityGrants.Grant?
}
