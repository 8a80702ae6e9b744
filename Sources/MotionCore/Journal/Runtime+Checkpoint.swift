package import MotionModel

extension Runtime {
  /// The complete state from which another process can continue. Linear in the size of the runtime. A caller that needs
  /// one each second uses ``takeCheckpointChanges()``, ``checkpointHead()`` and ``columns``. A copy of the columns
  /// costs nothing until the next frame writes, and then 16 bytes for each lane.
  ///
  /// A checkpoint that is taken between a commit and its frame lacks that commit: see ``holdsAllCommits``.
  package func checkpoint() -> RuntimeCheckpoint {
    var checkpoint = checkpointHead()
    checkpoint.targets = targets.map(\.value).sorted { $0.ordinal < $1.ordinal }.map { target in
      RuntimeCheckpoint.Target(
        target.name,
        target.slots.map { .init(properties[$0].reference.property, properties.state(at: $0)) })
    }
    checkpoint.plans = intentions.map(\.value).sorted { $0.order < $1.order }.map(\.checkpointed)
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
    checkpoint.lastSequence = lastSequence
    checkpoint.waiting = waiting.inOrder.map {
      .init(at: $0.at, sequence: $0.sequence, $0.transaction, by: provenances[$0.sequence])
    }
    checkpoint.handovers = properties.motions.handovers(at: frame.time, atMost: Self.mostHandovers).map {
      .init(properties[$0.slot].reference, $0.difference, remaining: $0.remaining)
    }
    return checkpoint
  }

  /// Whether the runtime is unused: no frame, target or commit yet.
  package var isPristine: Bool { frame.number == 0 && targets.count == 0 && lastSequence == 0 }

  /// Whether every commit is applied or waits for its time, so that a checkpoint contains it.
  package var holdsAllCommits: Bool { pending.allSatisfy { !$0.isOfClient } }
}
