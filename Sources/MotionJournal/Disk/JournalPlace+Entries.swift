import Glibc
package import LinuxSystem

extension JournalPlace {
  /// All names that opening the journal reads, creates or replaces, the directory first.
  var entries: [ExpectedEntry] {
    let files = [database, log, head, lock].map { ExpectedEntry($0, .file(isWritten: true), isOwned: true) }
    let directory = ExpectedEntry(directory, .linkedDirectory, isOwned: true, isOurs: holdsFiles)
    let new = [built.database, built.head].map { ExpectedEntry($0, .file(isWritten: true), isOwned: true) }
    return [directory] + files
      + [ExpectedEntry(rollbackLog, .temporaryFile), ExpectedEntry(built.directory, .temporaryDirectory)] + new
  }

  /// Checks that the journal can be opened: every entry is of its kind, and only root and the user of this process can
  /// exchange files in its directory. A user who could write there would control what moves, and could block motiond by
  /// locking its journal. Removes the remains of an operation that was interrupted.
  func prepare() throws(JournalError) {
    for entry in entries { entry.removeRemains() }
    try check()
  }

  /// Checks likewise, and removes nothing.
  func check() throws(JournalError) {
    for entry in entries {
      guard let problem = entry.problem() else { continue }
      throw JournalError(
        .inaccessible, at: problem.path, problem.reason,
        remedy: problem.command.map { problem.isKind ? "Move it away: \($0)" : "If you trust its contents: \($0)" }
          ?? "Restore the original, or start motiond once with --accept-loss, which renames it")
    }
  }
}

extension SQLiteJournal {
  /// All names that opening the journal of a directory reads, creates or replaces, the directory first.
  package static func entries(in directory: String) -> [ExpectedEntry] {
    JournalPlace(directory: directory, options: JournalOptions()).entries
  }
}
