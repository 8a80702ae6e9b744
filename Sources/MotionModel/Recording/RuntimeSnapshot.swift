/// The complete state of a runtime at the end of a frame: what follows from it, and from the events of later frames, is
/// the same to the last bit.
///
/// A checkpoint lets another process continue; a snapshot continues in place. It keeps what the end of a process takes
/// away: handles and tokens, what workers have acknowledged and owe, and the motions between their samples and the
/// properties.
public struct RuntimeSnapshot: Hashable, Sendable {
  /// The part that any version can continue from.
  package var checkpoint: RuntimeCheckpoint
  /// The plans on which workers crashed, and which may be tried again.
  package var quarantined: [RuntimeCheckpoint.Plan]
  /// What a checkpoint lacks, in bytes whose format belongs to the version in the first of them.
  package var details: [UInt8]

  package init(_ checkpoint: RuntimeCheckpoint, quarantined: [RuntimeCheckpoint.Plan], details: [UInt8]) {
    (self.checkpoint, self.quarantined, self.details) = (checkpoint, quarantined, details)
  }

  /// The frame after which it was taken.
  public var frame: Frame { checkpoint.frame }
}
