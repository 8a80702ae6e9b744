import GRDB
import Glibc

/// What is in a journal that nobody has open, whole or not; for people who look after it. Nothing is changed.
package struct JournalReport: Sendable {
  /// The directory.
  package var directory: String
  /// The journal's id, as people compare it with another one.
  package var id: String
  /// The checkpoint, if there is one, with its number.
  package var checkpoint: (number: UInt64, contents: JournalCheckpoint)?
  /// The rows, in order: those whose bodies have gone first.
  package var rows: [Row]
  /// The last row that was acknowledged, and the last checkpoint; `nil` if nothing says so any more.
  package var acknowledged: (sequence: UInt64, checkpoint: UInt64)?
  /// The bytes of the database and of its write-ahead log.
  package var bytes: (database: Int, log: Int)
  /// What is wrong; empty if the journal is whole.
  package var damages: [JournalDamage]
  /// What giving up on it would lose; empty if it is whole.
  package var losses: [String]

  /// A row, and whether its body is still there.
  package struct Row: Sendable {
    /// The row.
    package var row: JournalRow
    /// Whether a checkpoint covered it and its body has gone.
    package var isHistory: Bool
  }

  /// Whether it would open.
  package var isWhole: Bool { damages.isEmpty }

  /// Looks at the journal in a directory. Needs to be able to write there, because it keeps others out meanwhile.
  ///
  /// - Throws: ``JournalError/Code/missing`` if there is none, ``JournalError/Code/locked`` if it is in use.
  package init(lookingAt directory: String) throws(JournalError) {
    let place = JournalPlace(directory: directory, options: JournalOptions())
    guard [place.database, place.head].contains(where: { Folder.size(of: $0) != nil }) else {
      throw JournalError(
        .missing, at: directory, "there is no journal here",
        remedy: "Name the directory that holds journal.sqlite: motiond's state directory has it in \"journal\"")
    }
    let lock = try JournalLock(place.lock)
    let headFile = try HeadFile(HeadDescriptor(place.head, in: directory))
    defer {
      headFile.close()
      withExtendedLifetime(lock) {}
    }
    var head: JournalHead?
    if case .head(let found) = headFile.found { head = found }
    let stored = try Self.read(place)
    let verdict = JournalVerifier.verdict(on: stored, head: head)
    self.directory = directory
    id = stored.id.shortText
    checkpoint = stored.checkpoint.map { ($0.number, JournalCheckpoint(sequence: $0.sequence, body: $0.body)) }
    rows = stored.rows.map { Row(row: $0.row, isHistory: $0.isHistory) }
    acknowledged = head.map { ($0.sequence, $0.checkpoint) }
    bytes = (Folder.size(of: place.database) ?? 0, Folder.size(of: place.log) ?? 0)
    damages = verdict.damages
    losses = verdict.losses
  }

  private static func read(_ place: JournalPlace) throws(JournalError) -> StoredJournal {
    guard (Folder.size(of: place.database) ?? 0) > 0 else {
      return StoredJournal(failure: "there is no journal.sqlite")
    }
    do {
      let connection = try JournalConnection(readingAt: place.database)
      defer { try? connection.close() }
      return try JournalOpening.read(connection, place, nil, isMigrating: false)
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      return StoredJournal(failure: error.message ?? "it is no database")
    } catch {
      throw JournalError(error, at: place.database)
    }
  }
}
