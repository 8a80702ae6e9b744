import MotionModel
import SwiftProtobuf

extension ProtoJournalEntry: WireRepresentation {
  init(_ entry: JournalEntry) {
    frame = ProtoFrame(entry.frame)
    time = entry.time
    if let applied = entry.applied { self.applied = applied }
    event =
      switch entry.event {
      case .commit(let sequence, let commit, let client):
        .commit(
          .with {
            $0.sequence = sequence
            $0.commit = ProtoCommit(commit)
            $0.client = client
            if let provenance = entry.provenance { $0.provenance = ProtoProvenance(provenance) }
          })
      case .stop(let stop): .stop(ProtoStop(stop))
      case .withdraw(let sequences): .withdraw(.with { $0.sequences = sequences })
      case .clock(let command): .clock(ProtoClock(command))
      case .void: .void(Void())
      }
  }

  func model() throws(WireError) -> JournalEntry {
    JournalEntry(
      try chosen(), frame: try Decode.required(hasFrame, frame, "frame"), time: try Decode.finite(time, "time"),
      applied: hasApplied ? applied : nil,
      by: try Decode.optional(commit.hasProvenance, commit.provenance, "commit.provenance"))
  }

  private func chosen() throws(WireError) -> JournalEntry.Event {
    switch event {
    case .commit(let committed):
      return .commit(
        sequence: try Decode.ordinal(committed.sequence, "commit.sequence"),
        try Decode.required(committed.hasCommit, committed.commit, "commit.commit"), client: committed.client)
    case .stop(let stop): return .stop(try stop.model())
    case .withdraw(let withdrawn): return .withdraw(withdrawn.sequences)
    case .clock(let command): return .clock(try Decode.part(command, "clock"))
    case .void: return .void
    case nil: throw .nothingChosen("event")
    }
  }
}
