public import MotionWire

/// Tells the messages of this link from those of another life: an older start of the coordinator or of the worker.
///
/// Both ends ask it first. What it does not admit is counted, and changes nothing.
public struct Fence: Hashable, Sendable {
  /// What becomes of a message.
  public enum Verdict: Hashable, Sendable {
    /// It belongs to this link.
    case admitted
    /// It was sent in another life.
    case dropped
    /// It comes from a later start of the coordinator: whoever hears this was replaced.
    case superseded
  }

  /// The start of the coordinator that this link belongs to.
  public let epoch: UInt64
  /// What the other end gives as its incarnation: a worker its own, the coordinator 0.
  public let incarnation: UInt64
  /// How many messages were not admitted.
  public private(set) var dropped: UInt64 = 0

  /// A fence that admits what `incarnation` sends in `epoch`.
  public init(epoch: UInt64, incarnation: UInt64) {
    self.epoch = epoch
    self.incarnation = incarnation
  }

  /// Judges a message by its envelope.
  public mutating func judge(_ envelope: Envelope) -> Verdict {
    if envelope.epoch == epoch && envelope.incarnation == incarnation { return .admitted }
    dropped += 1
    return envelope.epoch > epoch ? .superseded : .dropped
  }
}
