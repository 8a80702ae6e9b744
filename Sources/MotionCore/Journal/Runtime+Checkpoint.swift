package import MotionModel

extension Runtime {
  /// Everything that another process needs to go on from here. Linear in what there is; whoever needs one each second
  /// takes ``takeCheckpointChanges()``, ``checkpointHead()`` and ``columns``, a copy of which costs nothing until the next frame
  /// writes, and then 16 bytes for each lane.
  ///
  /// Whoever takes it between a commit and its frame loses that commit: see ``holdsAllCommits``.
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

  /// Of how many properties a checkpoint says what hand-overs have left: a millisecond's worth. Of more these go on with the
  /// velocity that they have, should it come to a restart just then.
  private static let mostHandovers = 4096

  /// What a checkpoint says besides targets and plans: the frame, which transactions wait, and what fades. Linear in these.
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

  /// Whether nothing has happened yet.
  package var isPristine: Bool { frame.number == 0 && targets.count == 0 && lastSequence == 0 }

  /// Whether everything that was committed is applied or waits for its time, so that a checkpoint holds it.
  package var holdsAllCommits: Bool { pending.allSatisfy { !$0.isOfClient } }
}
