/// What is wrong with a journal: where, and what.
package struct JournalDamage: Sendable, Hashable {
  /// "row 812", "checkpoint 4", "journal.head".
  package var place: String
  /// In one sentence without a full stop.
  package var cause: String
}

/// What was found when a journal was held against its head.
struct JournalVerdict: Sendable {
  /// What is wrong, the first things first, at most a hundred of them; empty if it is whole.
  var damages: [JournalDamage] = []
  /// What can be trusted. All of it, if the journal is whole.
  var kept = JournalContents()
  /// What cannot, each in words that fit behind "lost:"; empty if the journal is whole.
  var losses: [String] = []
  /// The last row and checkpoint that the database has.
  var head: JournalHead?

  /// More than anybody reads.
  static let damages = 100

  /// Whether everything is as it was written, and everything that was acknowledged is there.
  var isWhole: Bool { damages.isEmpty }
}

extension JournalVerdict {
  /// Why the journal is refused, with what giving up on it would lose.
  func error(at directory: String) -> JournalError {
    let places = damages.prefix(3).map { "\($0.place): \($0.cause)" }.joined(separator: "; ")
    let more = damages.count > 3 ? "; and \(damages.count - 3) more" : ""
    return JournalError(
      .damaged, at: directory, "the journal is not as it was written: \(places)\(more)",
      remedy: "Put a backup of the whole directory in its place, or start motiond once with --accept-loss, "
        + "which keeps a copy, goes on with what is whole, and loses \(lossText)")
  }

  /// What is lost, in one sentence without a full stop.
  var lossText: String { losses.isEmpty ? "nothing" : losses.joined(separator: ", and ") }
}
