import GRDB

/// The journal on disk: an SQLite database, and next to it a head that states the minimum contents of the database.
///
/// A row is acknowledged when the database and then the head are synced. Opening verifies every row and refuses a
/// journal that is damaged; `docs/journal.md` lists the refusals and their remedies. The time is linear in the size of
/// the journal: two digests a row.
public final class SQLiteJournal: Journal {
  /// The files in the journal's directory.
  public enum FileName {
    /// The database; SQLite keeps a `-wal` beside it.
    public static let database = "journal.sqlite"
    /// The head: the minimum contents of the database.
    public static let head = "journal.head"
    /// Locked while the journal is open.
    public static let lock = "journal.lock"
  }

  enum State {
    /// From opening until `close`, or until a failure after which the contents of the disk are unknown.
    case open
    /// After such a failure; every later call throws this error.
    case broken(JournalError)
    /// After `close`.
    case closed
  }

  /// The data that was given up when the journal was opened, each as a text that fits behind "lost:"; empty if nothing
  /// was lost.
  public let losses: [String]

  let place: JournalPlace
  let connection: JournalConnection
  let headFile: HeadFile
  private var lock: JournalLock?
  /// The identities of the files when they were opened.
  var files: PlacedFiles
  var statements: JournalStatements?
  var state = State.open
  var head: JournalHead
  var backlog: Backlog
  private var parts: PartIndex
  /// Whether pages were returned since the log was last emptied.
  var hasGivenBack = false
  private var seal = Seal()
  private var opened: JournalContents?

  /// Whether a directory contains a journal, or a part of one.
  public static func exists(in directory: String) -> Bool {
    JournalPlace(directory: directory, options: JournalOptions()).holdsFiles
  }

  /// Opens the journal in a directory, and creates both if they do not exist.
  ///
  /// - Parameter acceptingLoss: whether a damaged journal is opened with its intact data; ``losses`` lists the rest.
  ///   The old files are kept in a folder in the same directory.
  /// - Parameter salvage: returns the contents that can be decoded, and the losses; called if loss is accepted.
  /// - Parameter makes: whether a missing journal is created; otherwise the error is ``JournalError/Code/missing``.
  /// - Throws: ``JournalError/Code/damaged``, unless loss is accepted; ``JournalError/Code/newer``,
  ///   ``JournalError/Code/locked``, ``JournalError/Code/inaccessible`` and other errors of the disk.
  public convenience init(
    at directory: String, acceptingLoss: Bool = false, salvage: JournalSalvage? = nil, making makes: Bool = true
  ) throws(JournalError) {
    guard makes || Self.exists(in: directory) else {
      throw JournalError(
        .missing, at: directory, "the journal has been removed", remedy: "Restore its directory")
    }
    try self.init(at: directory, acceptingLoss: acceptingLoss, salvage: salvage, options: JournalOptions())
  }

  /// Opens a journal likewise, with the options of a test.
  package init(
    at directory: String, acceptingLoss: Bool, salvage: JournalSalvage? = nil, options: JournalOptions
  ) throws(JournalError) {
    let place = JournalPlace(directory: directory, options: options)
    try Folder.make(directory)
    try place.prepare()
    let lock = try JournalLock(place.lock)
    try place.finishReplacing()
    var opening = try JournalOpening(place)
    guard opening.verdict.isWhole || acceptingLoss else { throw opening.verdict.error(at: directory) }
    var losses = opening.verdict.losses
    var kept = opening.verdict.kept
    if acceptingLoss, let salvage {
      let readable = salvage(kept)
      kept = readable.contents
      losses += readable.losses
    }
    if !losses.isEmpty {
      opening.close()
      try place.replace(with: kept)
      opening = try JournalOpening(place)
    }
    guard opening.verdict.isWhole, let connection = opening.connection else {
      throw opening.verdict.error(at: directory)
    }
    self.connection = connection
    files = PlacedFiles(place.files)
    self.lock = lock
    self.place = place
    self.losses = losses
    headFile = opening.headFile
    head = opening.head
    backlog = Backlog(opening.stored, head: opening.head)
    parts = PartIndex(opening.stored.checkpoint?.parts ?? [])
    opened = opening.verdict.kept
  }

  deinit { close() }

  /// The contents of the journal: on the first call those that opening has read, later those of a new read. The time
  /// is linear in the size of the journal.
  public func contents() throws(JournalError) -> JournalContents {
    try check()
    if let contents = opened {
      opened = nil
      return contents
    }
    let stored = try attempt { () throws -> StoredJournal in
      try connection.perform { StoredJournal(readingFrom: $0) }
    }
    let verdict = JournalVerifier.verdict(on: stored, head: head)
    guard verdict.isWhole else { throw fail(verdict.error(at: place.directory)) }
    return verdict.kept
  }

  /// Appends rows; on return all of them are on disk. Takes two syncs, however many rows.
  public func append(_ rows: [JournalRow]) throws(JournalError) {
    try check()
    try JournalRow.check(rows, after: head.sequence, at: place.directory)
    guard let last = rows.last else { return }
    opened = nil
    try emptyLogIfItMust()
    var link = head.link
    var next = backlog
    try attempt { () throws in
      try connection.transact { database in
        let statements = try prepared(database)
        for row in rows {
          let checksum = Digest(of: row.body)
          link = seal.link(of: row, checksum: checksum, after: link)
          try statements.insert(row, checksum: checksum, link: link)
        }
        next.add(rows)
        try next.compact(after: rows.count, statements)
      }
    }
    (head.sequence, head.link, backlog) = (last.sequence, link, next)
    try writeHead()
  }

  /// Writes a checkpoint of the state after a row; on return it is on disk. Takes two syncs, a digest of each given
  /// part, and the bytes of the changed parts. The check reads inside the transaction that writes them.
  @discardableResult
  public func checkpoint(_ update: CheckpointUpdate, check: CheckpointCheck) throws(JournalError) -> Int {
    try self.check()
    try update.check(from: backlog.covered, to: head.sequence, at: place.directory)
    opened = nil
    try emptyLogIfItMust()
    var link = head.checkpointLink
    var (next, nextParts) = (backlog, parts)
    try attempt { () throws in
      try connection.transact { database in
        let statements = try prepared(database)
        let changed = try statements.update(&nextParts, update)
        try nextParts.check(update.sequence, at: place.directory)
        try check(StoredParts(changed: changed, read: statements.part, readAll: statements.partBodies))
        let row = try rowLink(of: update.sequence, statements)
        let checksum = nextParts.checksum
        link = seal.link(
          ofCheckpoint: head.checkpoint + 1, sequence: update.sequence, row: row, checksum: checksum,
          after: head.checkpointLink)
        try statements.replaceCheckpoint(
          head.checkpoint + 1, of: update.sequence, row: row, previous: head.checkpointLink, checksum: checksum,
          link: link)
        next.covered = update.sequence
      }
    }
    (head.checkpoint, head.checkpointLink, backlog, parts) = (head.checkpoint + 1, link, next, nextParts)
    try writeHead()
    return parts.bytes
  }

  /// A part of the last checkpoint; `nil` if it has no part of this number.
  public func part(_ number: UInt64) throws(JournalError) -> [UInt8]? {
    try check()
    return try attempt { () throws in try connection.perform { try prepared($0).part(number) } }
  }

  /// Closes the files. Empties the write-ahead log first, unless the journal is broken.
  public func close() {
    if case .closed = state { return }
    // A broken journal is left unchanged; the next opening verifies its contents.
    if case .open = state { try? connection.emptyLog(truncating: true) }
    statements = nil
    try? connection.close()
    headFile.close()
    state = .closed
    lock = nil
  }
}
