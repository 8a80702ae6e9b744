/// One damage of a journal: its place and its cause.
package struct JournalDamage: Sendable, Hashable {
  /// "row 812", "checkpoint 4", "journal.head".
  package var place: String
  /// The cause, in one sentence without a full stop.
  package var cause: String
}

/// The result of verifying a journal against its head.
struct JournalVerdict: Sendable {
  /// The damages, in order, at most a hundred; empty if the journal is intact.
  var damages: [JournalDamage] = []
  /// The contents that can be trusted. Complete if the journal is intact.
  var kept = JournalContents()
  /// The lost contents, each as a text that fits behind "lost:"; empty if the journal is intact.
  var losses: [String] = []
  /// The last row and checkpoint in the database.
  var head: JournalHead?

  /// More than anyone reads.
  static let damages = 100

  /// Whether everything is as it was written, and all acknowledged data exists.
  var isWhole: Bool { damages.isEmpty }
}

extension JournalVerdict {
  /// The error with which the journal is refused, and the data that accepting the loss would give up.
  func error(at directory: String) -> JournalError {
    let places = damages.prefix(3).map { "\($0.place): \($0.cause)" }.joined(separator: "; ")
    let more = damages.count > 3 ? "; and \(damages.count - 3) more" : ""
    return JournalError(
      .damaged, at: directory, "the journal is damaged: \(places)\(more)",
      remedy: "Put a backup of the whole directory in its place, or start motiond once with --accept-loss, "
        + "which keeps a copy, continues with the intact part, and loses \(lossText)")
  }

  /// The losses, in one sentence without a full stop.
  var lossText: String { losses.isEmpty ? "nothing" : losses.joined(separator: ", and ") }
}
