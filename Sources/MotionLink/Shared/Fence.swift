public import MotionWire

/// Separates the messages of this link from those of an older start of the coordinator or of the worker.
///
/// Both ends check each message with it first. A message that it does not admit is counted, and changes nothing.
public struct Fence: Hashable, Sendable {
  /// The decision about a message.
  public enum Verdict: Hashable, Sendable {
    /// It belongs to this link.
    case admitted
    /// It was sent in another epoch or incarnation.
    case dropped
    /// It comes from a later start of the coordinator: the receiver of this message was replaced.
    case superseded
  }

  /// The start of the coordinator that this link belongs to.
  public let epoch: UInt64
  /// The incarnation in the other end's messages: a worker sends its own, the coordinator 0.
  public let incarnation: UInt64
  /// The number of messages that were not admitted.
  public private(set) var dropped: UInt64 = 0

  /// A fence that admits what `incarnation` sends in `epoch`.
  public init(epoch: UInt64, incarnation: UInt64) {
    self.epoch = epoch
    self.incarnation = incarnation
  }

  /// Decides about a message by its envelope.
  public mutating func judge(_ envelope: Envelope) -> Verdict {
    if envelope.epoch == epoch && envelope.incarnation == incarnation { return .admitted }
    dropped += 1
    return envelope.epoch > epoch ? .superseded : .dropped
  }
}
