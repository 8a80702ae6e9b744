package import MotionModel

/// The part of the log from which checkpoints are made: the targets and plans that changed.
///
/// It has a pace of its own. A row that changed several times is one entry, and has its present content when it is taken.
/// A frame that changes a hundred thousand rows need not pay for all of them: they are taken in slices.
extension EventLog {
  /// The most changes that are taken after one frame: about half a millisecond of work.
  package static let changesPerFrame = 4_000

  /// Whether all changes have been taken, so that a checkpoint may be written.
  package var hasNoChanges: Bool { plans.checkpoints.isEmpty }

  /// Takes out the additions, changes and removals since the last call, oldest first, at most `limit` of them; `nil` if
  /// there are none. Linear in their number.
  package func takeChanges(atMost limit: Int = changesPerFrame) -> CheckpointChanges? {
    plans.checkpoints.take(atMost: limit, from: plans)
  }

  /// Enters everything again, in slices like any change: the checkpoint that follows is complete. Linear only in what
  /// compositions have emitted.
  package func touchEverything() { plans.checkpoints.touchEverything(emitted: plans.intentions.emittedRecords) }
}
