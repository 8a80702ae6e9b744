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
  package var damages: [JournalDamage] { verdict.damages }
  /// What giving up on it would lose; empty if it is whole.
  package var losses: [String] { verdict.losses }
  /// What a start would go on from.
  package var contents: JournalContents { verdict.kept }
  /// Why a start would refuse it; `nil` if it is whole.
  package var refusal: JournalError? { isWhole ? nil : verdict.error(at: directory) }

  private var verdict: JournalVerdict

  /// A row, and whether its body is still there.
  package struct Row: Sendable {
    /// The row.
    package var row: JournalRow
    /// Whether a checkpoint covered it and its body has gone.
    package var isHistory: Bool
  }

  /// Whether it would open.
  package var isWhole: Bool { verdict.isWhole }

  /// Looks at the journal in a directory. Keeps others out meanwhile.
  ///
  /// - Throws: ``JournalError/Code/missing`` if there is none, ``JournalError/Code/locked`` if it is in use,
  ///   ``JournalError/Code/older`` and ``JournalError/Code/newer`` if another motiond wrote it.
  package init(lookingAt directory: String) throws(JournalError) {
    try self.init(lookingAt: directory, options: JournalOptions())
  }

  init(lookingAt directory: String, options: JournalOptions) throws(JournalError) {
    let place = JournalPlace(directory: directory, options: options)
    guard place.holdsFiles else {
      throw JournalError(
        .missing, at: directory, "there is no journal here",
        remedy: "Name the directory that holds journal.sqlite: motiond's state directory has it in \"journal\"")
    }
    let lock = try JournalLock.existing(place.lock)
    let headFile = try HeadFile(HeadDescriptor(place.head, in: directory))
    defer {
      headFile.close()
      withExtendedLifetime(lock) {}
    }
    var head: JournalHead?
    if case .head(let found) = headFile.found { head = found }
    var stored = try Self.read(place)
    verdict = JournalVerifier.verdict(on: stored, head: head)
    // Nothing was ever acknowledged, so this is what a loss of power left of making it; a start makes it anew.
    if head?.isNew == true, !verdict.isWhole { (stored.rows, stored.checkpoint, verdict) = ([], nil, JournalVerdict()) }
    self.directory = directory
    id = stored.id.shortText
    checkpoint = stored.checkpoint.map { ($0.number, JournalCheckpoint(sequence: $0.sequence, body: $0.body)) }
    rows = stored.rows.map { Row(row: $0.row, isHistory: $0.isHistory) }
    acknowledged = head.map { ($0.sequence, $0.checkpoint) }
    bytes = (Folder.size(of: place.database) ?? 0, Folder.size(of: place.log) ?? 0)
  }

  /// What a start would go on from in a directory, if it can open or make a journal there. Changes nothing.
  ///
  /// - Throws: why a start would not. A journal that is damaged is one of the reasons unless loss is accepted, an older
  ///   version is none.
  package static func contents(ofStartIn directory: String, acceptingLoss: Bool) throws(JournalError) -> JournalContents
  {
    try Folder.check(directory)
    let place = JournalPlace(directory: directory, options: JournalOptions())
    if Folder.size(of: directory) != nil { try Folder.checkOwner(of: place) }
    guard place.holdsFiles else { return JournalContents() }
    do throws(JournalError) {
      let report = try JournalReport(lookingAt: directory)
      if let refusal = report.refusal, !acceptingLoss { throw refusal }
      return report.contents
    } catch {
      guard error.code == .older else { throw error }
      return JournalContents()
    }
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
    } catch let error as RowDecodingError {
      return StoredJournal(failure: "\(error)")
    } catch {
      throw JournalError(error, at: place.database)
    }
  }
}
