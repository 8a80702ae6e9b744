import GRDB
import Glibc

/// Opens the files of a journal, reads the whole journal, and verifies it against its head.
struct JournalOpening {
  /// The connection; `nil` if the file is no database, which is also a verdict.
  private(set) var connection: JournalConnection?
  let headFile: HeadFile
  /// The last row and checkpoint of an intact database. The file of the head has been updated to it.
  private(set) var head: JournalHead
  private(set) var stored: StoredJournal
  private(set) var verdict: JournalVerdict

  /// - Throws: an error if the files cannot be read or created. A damaged journal is a verdict and no error.
  init(_ place: JournalPlace) throws(JournalError) {
    headFile = try HeadFile(place.options.headStorage(place.head, place.directory))
    let known = try Self.knownHead(headFile, place)
    head = known ?? JournalHead(newWith: [UInt8](repeating: 0, count: JournalHead.idBytes))
    do {
      (connection, stored) = try Self.open(place, known)
      verdict = JournalVerifier.verdict(on: stored, head: known)
      if let known, known.isNew, !verdict.isWhole {
        // Nothing was ever acknowledged, so this is the result of a power loss while the journal was created.
        try connection?.close()
        for path in [place.log, place.rollbackLog, place.database] { unlink(path) }
        (connection, stored) = try Self.open(place, known)
        verdict = JournalVerifier.verdict(on: stored, head: known)
      }
      guard verdict.isWhole, let connection, let found = verdict.head else { return }
      // The contents may exist only in the kernel's cache of a write that failed. Copying the log writes them again.
      try connection.emptyLog(truncating: true)
      if head.isNew { try place.options.syncFolder(place.directory) }
      if found != known { try headFile.write(found) }
      head = found
    } catch {
      throw JournalError(error, at: place.database)
    }
  }

  /// Closes the files and leaves them unchanged.
  func close() {
    try? connection?.close()
    headFile.close()
  }

  /// The head on disk. Creates the head of a new journal if there are no files. The head precedes the database, so a
  /// database without a head has always lost it.
  private static func knownHead(_ file: HeadFile, _ place: JournalPlace) throws(JournalError) -> JournalHead? {
    switch file.found {
    case .head(let head): return head
    case .damaged: return nil
    case nil:
      guard (Folder.size(of: place.database) ?? 0) == 0, (Folder.size(of: place.log) ?? 0) == 0 else { return nil }
      var generator = SystemRandomNumberGenerator()
      let head = JournalHead(newWith: (0..<JournalHead.idBytes).map { _ in generator.next() })
      try file.create(head)
      return head
    }
  }

  private static func open(
    _ place: JournalPlace, _ head: JournalHead?
  ) throws -> (JournalConnection?, StoredJournal) {
    // SQLite would apply it. The journal needs none: until its first row is written, it can be created again, and from
    // then on it has a write-ahead log.
    unlink(place.rollbackLog)
    try Folder.prepare(place.database, mustExist: false)
    try Folder.prepare(place.log, mustExist: true)
    do {
      let connection = try JournalConnection(place.database, options: place.options)
      return (connection, try read(connection, place, head))
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      return (nil, StoredJournal(failure: error.message ?? "it is not a database"))
    } catch let error as RowDecodingError {
      // SQLite does not check that the values in a damaged page are valid.
      return (nil, StoredJournal(failure: "\(error)"))
    }
  }

  /// Migrates the tables to this version, and reads them.
  static func read(
    _ connection: JournalConnection, _ place: JournalPlace, _ head: JournalHead?, isMigrating: Bool = true
  ) throws -> StoredJournal {
    let schema = place.options.schema
    guard let version = try connection.perform(JournalSchema.version) else {
      return StoredJournal(failure: "its tables are not those of a journal")
    }
    guard version <= schema.version else {
      throw JournalError(
        .newer, at: place.database,
        "a newer motiond wrote it: its version is \(version), and this one supports \(schema.version)",
        remedy: "Run the newer motiond, or name another journal")
    }
    if version < schema.version {
      guard version > 0 || head?.isNew == true else { return StoredJournal(failure: "it is empty") }
      guard isMigrating else {
        throw JournalError(
          .older, at: place.database,
          "an older motiond wrote it: its version is \(version), and this one supports \(schema.version)",
          remedy: "Start this motiond once with the journal, which upgrades it")
      }
      try connection.migrate(by: schema)
    }
    guard try connection.perform(JournalSchema.text) == schema.text() else {
      return StoredJournal(failure: "its tables are not those of version \(schema.version)")
    }
    if let head, head.isNew { try connection.begin(head) }
    return try connection.perform { StoredJournal(readingFrom: $0) }
  }
}
