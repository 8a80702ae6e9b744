import GRDB
import Glibc

/// The contents of a journal that no process has open, intact or not; for operators. Changes nothing.
package struct JournalReport: Sendable {
  /// The directory.
  package var directory: String
  /// The short form of the journal's id, for people to compare.
  package var id: String
  /// The checkpoint, if there is one, with its number.
  package var checkpoint: (number: UInt64, contents: JournalCheckpoint)?
  /// The rows, in order; those without bodies come first.
  package var rows: [Row]
  /// The last acknowledged row and checkpoint; `nil` if the head is missing or damaged.
  package var acknowledged: (sequence: UInt64, checkpoint: UInt64)?
  /// The sizes of the database and of its write-ahead log in bytes.
  package var bytes: (database: Int, log: Int)
  /// The damages; empty if the journal is intact.
  package var damages: [JournalDamage] { verdict.damages }
  /// The data that `--accept-loss` would lose; empty if the journal is intact.
  package var losses: [String] { verdict.losses }
  /// The contents from which a start would continue.
  package var contents: JournalContents { verdict.kept }
  /// The error with which a start would refuse the journal; `nil` if it is intact.
  package var refusal: JournalError? { isWhole ? nil : verdict.error(at: directory) }

  private var verdict: JournalVerdict

  /// A row, and whether it still has its body.
  package struct Row: Sendable {
    /// The row.
    package var row: JournalRow
    /// Whether a checkpoint covers it and its body was removed.
    package var isHistory: Bool
  }

  /// Whether the journal would open.
  package var isWhole: Bool { verdict.isWhole }

  /// Reads the journal in a directory, and locks it meanwhile.
  ///
  /// - Throws: ``JournalError/Code/missing`` if there is none, ``JournalError/Code/locked`` if it is in use,
  ///   ``JournalError/Code/older`` and ``JournalError/Code/newer`` if another motiond wrote it.
  package init(lookingAt directory: String) throws(JournalError) {
    try self.init(lookingAt: directory, options: JournalOptions())
  }

  init(lookingAt directory: String, options: JournalOptions) throws(JournalError) {
    let place = JournalPlace(directory: directory, options: options)
    let (database, log, head) = place.current
    guard [database, head].contains(where: { Folder.size(of: $0) != nil }) else {
      throw JournalError(
        .missing, at: directory, "there is no journal here",
        remedy: "Name the directory that holds journal.sqlite: motiond's state directory has it in \"journal\"")
    }
    let lock = try JournalLock.existing(place.lock)
    let headFile = try HeadFile(HeadDescriptor(head, in: directory))
    defer {
      headFile.close()
      withExtendedLifetime(lock) {}
    }
    var known: JournalHead?
    if case .head(let found) = headFile.found { known = found }
    var stored = try Self.read(database, place)
    verdict = JournalVerifier.verdict(on: stored, head: known)
    // Nothing was ever acknowledged, so this is the result of a power loss while the journal was created; a start
    // creates it again.
    if known?.isNew == true, !verdict.isWhole {
      (stored.rows, stored.checkpoint, verdict) = ([], nil, JournalVerdict())
    }
    self.directory = directory
    id = stored.id.shortText
    checkpoint = stored.checkpoint.map { ($0.number, JournalCheckpoint(sequence: $0.sequence, body: $0.body)) }
    rows = stored.rows.map { Row(row: $0.row, isHistory: $0.isHistory) }
    acknowledged = known.map { ($0.sequence, $0.checkpoint) }
    bytes = (Folder.size(of: database) ?? 0, Folder.size(of: log) ?? 0)
  }

  /// The contents from which a start in a directory would continue, if it can open or create a journal there. Changes
  /// nothing.
  ///
  /// - Throws: the error with which a start would fail. A damaged journal is such an error, unless loss is accepted;
  ///   an older version is none.
  package static func contents(ofStartIn directory: String, acceptingLoss: Bool) throws(JournalError) -> JournalContents
  {
    try Folder.check(directory)
    let place = JournalPlace(directory: directory, options: JournalOptions())
    try place.check()
    // A database and a head without a byte are those of a journal that was just created.
    let current = place.current
    guard [current.database, current.head].contains(where: { (Folder.size(of: $0) ?? 0) > 0 }) else {
      return JournalContents()
    }
    do throws(JournalError) {
      let report = try JournalReport(lookingAt: directory)
      if let refusal = report.refusal, !acceptingLoss { throw refusal }
      return report.contents
    } catch {
      guard error.code == .older else { throw error }
      return JournalContents()
    }
  }

  private static func read(_ path: String, _ place: JournalPlace) throws(JournalError) -> StoredJournal {
    guard (Folder.size(of: path) ?? 0) > 0 else {
      return StoredJournal(failure: "there is no journal.sqlite")
    }
    do {
      let copy = Folder.size(of: path + "-journal") == nil ? nil : try DatabaseCopy(of: path)
      defer { withExtendedLifetime(copy) {} }
      let connection = try JournalConnection(readingAt: copy?.database ?? path)
      defer { try? connection.close() }
      return try JournalOpening.read(connection, place, nil, isMigrating: false)
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      return StoredJournal(failure: error.message ?? "it is not a database")
    } catch let error as RowDecodingError {
      return StoredJournal(failure: "\(error)")
    } catch {
      throw JournalError(error, at: path)
    }
  }
}
