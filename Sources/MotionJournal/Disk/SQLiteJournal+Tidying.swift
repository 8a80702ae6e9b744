import GRDB

// Work that is deferred until no answer waits.
extension SQLiteJournal {
  /// The number of free pages from which on some are returned to the file system, and the number of each step: 4 MiB,
  /// in steps of 1 MiB.
  private static let freePages = 1024
  private static let freePagesPerStep = 256

  /// Performs one bounded step of deferred work: compacts 1000 rows that a checkpoint covers, or copies the
  /// write-ahead log into the database, or returns 256 free pages. Returns whether more work is left.
  public func tidy() throws(JournalError) -> Bool {
    try check()
    if !backlog.isEmpty {
      var next = backlog
      try attempt { () throws in
        try connection.transact { database in
          try next.compact(rows: Backlog.rowsPerStep, prepared(database))
        }
      }
      let isProgress = next != backlog
      backlog = next
      return isProgress
    }
    if connection.logPages >= place.options.logPages {
      try attempt { () throws in try connection.emptyLog() }
      return true
    }
    return try attempt { () throws -> Bool in
      if try giveBackPages() {
        hasGivenBack = true
      } else if hasGivenBack {
        // Only this shortens the file.
        try connection.emptyLog()
        hasGivenBack = false
      } else {
        return false
      }
      return true
    }
  }

  /// Returns free pages to the file system, if there are many: more than a quarter of the file.
  private func giveBackPages() throws -> Bool {
    try connection.perform { database in
      let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      let all = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      guard free >= Self.freePages, free > all / 4 else { return false }
      try database.execute(sql: "PRAGMA incremental_vacuum(\(Self.freePagesPerStep))")
      return true
    }
  }

  /// Empties the log if `tidy` was not called and the log is four times as long as it should be.
  func emptyLogIfItMust() throws(JournalError) {
    guard connection.logPages >= 4 * place.options.logPages else { return }
    try attempt { () throws in try connection.emptyLog() }
  }
}

// Errors and their consequences.
extension SQLiteJournal {
  /// Throws unless the journal is open and not broken.
  func check() throws(JournalError) {
    switch state {
    case .open: return
    case .broken(let error): throw error
    case .closed:
      throw JournalError(.closed, at: place.directory, "the journal is closed", remedy: "Open it again")
    }
  }

  /// Runs SQLite calls that may fail. After an error that leaves the contents of the disk unknown, the journal is
  /// broken.
  func attempt<T>(_ body: () throws -> T) throws(JournalError) -> T {
    do {
      return try body()
    } catch {
      let isRolledBack = (try? connection.perform { !$0.isInsideTransaction }) ?? false
      let known = JournalError(error, at: place.database)
      throw fail(isRolledBack ? known : JournalError(broken: known))
    }
  }

  /// Stores an error after which the journal must not be used, and returns it.
  func fail(_ error: JournalError) -> JournalError {
    guard ![.full, .readOnly, .tooLarge, .unreadable].contains(error.code) else { return error }
    // For missing files the contents of the disk are unknown as well, but there is a specific remedy.
    let broken = error.code == .missing ? error : JournalError(broken: error)
    state = .broken(broken)
    return broken
  }

  /// Writes the database's current last row and checkpoint to the head.
  func writeHead() throws(JournalError) {
    do {
      try headFile.write(head)
    } catch {
      // The rows are on disk, but a later start could not know whether they were acknowledged.
      throw fail(JournalError(broken: error))
    }
    do {
      try files.check()
    } catch {
      throw fail(error)
    }
  }

  func prepared(_ database: Database) throws -> JournalStatements {
    if let statements { return statements }
    let prepared = try JournalStatements(database)
    statements = prepared
    return prepared
  }

  /// The link of the row that a checkpoint covers last.
  func rowLink(of sequence: UInt64, _ statements: JournalStatements) throws -> Digest {
    if sequence == head.sequence { return head.link }
    if sequence == 0 { return Seal.beginning(of: head.id) }
    guard let link = try statements.link(of: sequence) else {
      throw JournalError(
        .broken, at: "\(place.database), row \(sequence)", "the row is missing",
        remedy: "Close the journal and open it again")
    }
    return link
  }
}

extension JournalError {
  /// Converts an error of the database, or any other error.
  init(_ error: any Error, at place: String) {
    if let known = error as? JournalError {
      self = known
      return
    }
    guard let failure = error as? DatabaseError else {
      self.init(.broken, at: place, "\(error)", remedy: "Close the journal and open it again")
      return
    }
    let cause = failure.message ?? "SQLite reports code \(failure.resultCode.rawValue)"
    switch failure.resultCode {
    case .SQLITE_FULL: self.init(.full, at: place, "the disk is full", remedy: "Make room on that disk")
    case .SQLITE_TOOBIG:
      self.init(
        .tooLarge, at: place, "it has more bytes at once than SQLite accepts",
        remedy: "Forget targets that are not needed any more (motionctl forget)")
    case .SQLITE_READONLY:
      self.init(.readOnly, at: place, cause, remedy: "Make the disk and the file writable (chmod 0600, mount)")
    case .SQLITE_CANTOPEN, .SQLITE_PERM:
      self.init(.inaccessible, at: place, cause, remedy: "Give the directory to the user that motiond runs as")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.locked, at: place, cause, remedy: "Stop the other program that has this database open")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self.init(.damaged, at: place, cause, remedy: "Close the journal and open it again")
    default:
      self.init(
        .broken, at: place, "\(cause) (SQLite's code \(failure.extendedResultCode.rawValue))",
        remedy: "Check the disk (dmesg); close the journal and open it again to see what was written")
    }
  }

  /// The same error, with a code that means that the contents of the disk are unknown.
  init(broken error: JournalError) {
    self = error
    code = .broken
  }
}
