package import MotionModel

extension Runtime {
  /// The complete state from which another process can continue. Linear in the size of the runtime. A caller that needs
  /// one each second uses ``takeCheckpointChanges()``, ``checkpointHead()`` and ``columns``. A copy of the columns
  /// costs nothing until the next frame writes, and then 16 bytes for each lane.
  ///
  /// A checkpoint that is taken between a commit and its frame lacks that commit: see ``holdsAllCommits``.
  package func checkpoint() -> RuntimeCheckpoint {
    var checkpoint = checkpointHead()
    checkpoint.targets = plans.targets.map(\.value).sorted { $0.ordinal < $1.ordinal }.map { target in
      RuntimeCheckpoint.Target(
        target.name,
        target.slots.map { .init(movement.properties[$0].reference.property, movement.properties.state(at: $0)) })
    }
    checkpoint.plans = plans.intentions.map(\.value).sorted { $0.order < $1.order }.map(\.checkpointed)
    return checkpoint
  }

  /// For how many properties a checkpoint contains the fades of hand-overs: a millisecond of work. After a restart at
  /// that moment, properties beyond that number continue with their present velocity.
  private static let mostHandovers = 4096

  /// The part of a checkpoint besides targets and plans: the frame, the waiting transactions, and the fades of
  /// hand-overs. Linear in these.
  package func checkpointHead() -> RuntimeCheckpoint {
    var checkpoint = RuntimeCheckpoint()
    checkpoint.frame = frame
    checkpoint.clock.time = frame.time
    checkpoint.lastSequence = plans.last.sequence
    checkpoint.waiting = queue.waiting.inOrder.map {
      .init(at: $0.at, sequence: $0.sequence, $0.transaction, by: plans.provenances[$0.sequence])
    }
    checkpoint.handovers = movement.properties.motions.handovers(at: frame.time, atMost: Self.mostHandovers).map {
      .init(movement.properties[$0.slot].reference, $0.difference, remaining: $0.remaining)
    }
    return checkpoint
  }

  /// Whether the runtime is unused: no frame, target or commit yet.
  package var isPristine: Bool { frame.number == 0 && plans.targets.count == 0 && plans.last.sequence == 0 }

  /// The most changes that are reported in one frame: about half a millisecond of work. A frame that applies a hundred
  /// thousand operations thus need not report them all.
  package static let changesPerFrame = 4_000

  /// Reports everything again, in slices like any change: the checkpoint that follows is complete. Linear only in what
  /// compositions have emitted.
  package func touchEverything() { plans.checkpoints.touchEverything(emitted: plans.intentions.emittedRecords) }

  /// Whether all changes have been reported, so that a checkpoint may be written.
  package var hasToldChanges: Bool { plans.checkpoints.isEmpty }

  /// Takes out the additions, changes and removals since the last call, oldest first, at most `limit` of them; `nil` if
  /// there are none. Linear in their number.
  package func takeCheckpointChanges(atMost limit: Int = changesPerFrame) -> CheckpointChanges? {
    plans.checkpoints.take(atMost: limit, from: plans)
  }

  /// Whether every commit is applied or waits for its time, so that a checkpoint contains it.
  package var holdsAllCommits: Bool { queue.holdsNoCommit }
}
