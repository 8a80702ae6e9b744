import MotionFiles
import MotionJournal
import MotionModel

/// The contents of rows and checkpoints, for people.
enum JournalEntryText {
  /// The most operations of a transaction that are shown; there may be 100,000 of them.
  private static let operations = 3

  /// A short text of a row, on one line.
  static func text(of row: JournalReport.Row) -> String {
    switch JournalContent(of: row) {
    case .covered: "covered by a checkpoint"
    case .entry(let entry): text(of: entry.event, isNamed: !row.row.identity.isEmpty).shownOnOneLine
    case .unreadable(let reason): "cannot be read: \(reason)".shownOnOneLine
    }
  }

  private static func text(of event: JournalEntry.Event, isNamed: Bool) -> String {
    switch event {
    case .commit(let sequence, let commit, _):
      "commit \(sequence)\(options(of: commit)): \(text(of: commit.transaction))\(comment(on: commit))"
    case .stop(let stop): text(of: stop)
    case .withdraw(let sequences): text(ofWithdrawal: sequences)
    case .clock(.pause): "pause"
    case .clock(.resume): "resume"
    case .clock(.speed(let speed)): "speed \(JSONText.number(speed))"
    case .clock(.step(let frames)): "step of \(frames)"
    case .clock(.hold(let hold)): "hold by \(hold.by)\(hold.refuses ? ", refusing transactions" : "")"
    case .clock(.release): "release"
    case .void:
      isNamed ? "withdrawal of the refused transaction with this id" : "a test whether the disk can be written"
    }
  }

  /// A stop.
  static func text(of stop: StopRequest) -> String {
    (stop.targets.isEmpty ? "stop of everything" : "stop of \(list(stop.targets))")
      + (stop.by.map { " by \($0)" } ?? "") + (stop.outputs ? ", outputs included" : "")
      + (stop.ramp ? ", with a ramp" : "")
  }

  /// The withdrawal of the plans of transactions.
  static func text(ofWithdrawal sequences: [UInt64]) -> String {
    "withdrawal of \(sequences.count == 1 ? "commit" : "commits") \(list(sequences))"
  }

  private static func options(of commit: Commit) -> String {
    let time = commit.at.map { " at simulated time \(JSONText.number($0)) s" } ?? ""
    return time + (commit.whileConnected ? " while its client is connected" : "")
  }

  private static func comment(on commit: Commit) -> String { commit.comment.isEmpty ? "" : " (\(commit.comment))" }

  /// The first operations of a transaction.
  static func text(of transaction: Transaction) -> String {
    guard !transaction.log.isEmpty else { return "nothing" }
    let told = transaction.log.prefix(operations).map(text(of:))
    let more = transaction.log.count - told.count
    return (told + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "; ")
  }

  private static func text(of operation: Transaction.Operation) -> String {
    switch operation {
    case .add(let intention, let name, let target):
      let named = name.map { " named \($0)" } ?? ""
      let fields = FieldText.arguments(of: intention)
      return "add \(intention.type)\(fields.isEmpty ? "" : " \(fields)")\(named) to \(target)"
    case .remove(let name, let target): return "remove \(name) from \(target)"
    case .removePlan(let identity, let target): return "remove \(identity) from \(target)"
    case .forget(let target): return "forget \(target)"
    case .limit(let property, let target, let setting): return "limit \(target)/\(property) to \(setting)"
    case .scene(let name, let scene):
      return scene.isEmpty ? "delete the scene \(name)" : "save the scene \(name) of \(list(scene.targets.map(\.name)))"
    case .cues(let name, .list(let list)):
      return list.isEmpty ? "delete the cue list \(name)" : "load the cue list \(name) of \(list.cues.count) cues"
    case .cues(let name, .position(let position)):
      return "move the cue list \(name) to its cue number \(position.next)" + (position.waits ? ", which waits" : "")
    case .group(let name, let members):
      return members.isEmpty ? "remove the group \(name)" : "group \(name) of \(list(members))"
    }
  }

  private static func list(_ elements: [some CustomStringConvertible]) -> String {
    let told = elements.prefix(operations).map(\.description).joined(separator: ", ")
    return elements.count > operations ? "\(told) and \(elements.count - operations) more" : told
  }

  /// A checkpoint in a few lines.
  static func lines(of checkpoint: JournalCheckpoint, number: UInt64) -> [String] {
    let heading = "checkpoint \(number) of row \(checkpoint.sequence), \(checkpoint.body.count) bytes"
    let summary: CheckpointSummary
    do {
      summary = try CheckpointSummary(checkpoint)
    } catch {
      return ["\(heading), which cannot be read: \(error.placed)".shownOnOneLine]
    }
    let time = NumberText.fixed(summary.clock.time, digits: 3)
    let pace = summary.clock.isPaused ? "paused" : "speed \(JSONText.number(summary.clock.speed))"
    return [
      "\(heading): frame \(summary.frame.number) at simulated time \(time) s, \(pace)",
      "  targets \(summary.targets), properties \(summary.properties), plans \(summary.plans), "
        + "transactions that wait \(summary.waiting), held for clients \(summary.held)",
    ]
  }
}
