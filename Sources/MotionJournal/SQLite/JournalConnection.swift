import CSQLite
import GRDB

/// The one connection to a journal's database, set up so that what it calls committed is on disk.
///
/// A queue and not a pool: there is one writer and no reader beside it, and GRDB's pool sets `synchronous` to NORMAL.
/// Nothing of it runs on another thread: the queue runs what it is given on the thread that calls.
final class JournalConnection {
  let path: String
  private let queue: DatabaseQueue

  /// Pages in the write-ahead log after the last commit.
  private(set) var logPages: Int32 = 0

  /// Opens the database, and makes it if it is not there.
  ///
  /// - Throws: `DatabaseError`, or ``JournalError`` when SQLite does not do as it was told.
  convenience init(_ path: String, options: JournalOptions) throws {
    try self.init(path, pragmas: Self.pragmas(options))
    try perform { try Self.check($0, options, path) }
  }

  /// Opens a database that is there, and leaves everything as it is.
  convenience init(readingAt path: String) throws {
    try self.init(path, pragmas: ["locking_mode = EXCLUSIVE", "query_only = ON"])
  }

  private init(_ path: String, pragmas: [String]) throws {
    self.path = path
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      if let connection = database.sqliteConnection {
        // Closing would sync the log once more, after a sync that failed too, and then remove it.
        _ = motion_sqlite_keep_log_on_close(connection)
      }
      for pragma in pragmas { try database.execute(sql: "PRAGMA \(pragma)") }
    }
    // A name that begins with "file:" would be taken for an address.
    queue = try DatabaseQueue(path: path.hasPrefix("/") ? path : "./" + path, configuration: configuration)
    try perform { database in
      let counter = Unmanaged.passUnretained(self).toOpaque()
      sqlite3_wal_hook(
        database.sqliteConnection,
        { context, _, _, pages in
          if let context { Unmanaged<JournalConnection>.fromOpaque(context).takeUnretainedValue().logPages = pages }
          return SQLITE_OK
        }, counter)
    }
  }

  private static func pragmas(_ options: JournalOptions) -> [String] {
    [
      // Before anything is read: no shared memory is needed then, and nobody else gets in.
      "locking_mode = EXCLUSIVE",
      // Only before the first table: pages of large bodies go back to the disk, some at a time.
      "auto_vacuum = INCREMENTAL",
      "journal_mode = WAL",
      "synchronous = \(options.synchronous.name)",
      // It would hide the errors of its syncs.
      "wal_autocheckpoint = 0",
      // What a large checkpoint left of the log is cut off when it begins anew.
      "journal_size_limit = \(16 << 20)",
      // Debian's SQLite overwrites what is deleted, which doubles what compaction writes.
      "secure_delete = OFF",
      "temp_store = MEMORY",
    ]
  }

  /// Reads back what must hold; what was asked for is not always what was done.
  private static func check(_ database: Database, _ options: JournalOptions, _ path: String) throws {
    let found = [
      try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
      try String.fetchOne(database, sql: "PRAGMA locking_mode") ?? "",
      String(try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1),
    ]
    guard found == ["wal", "exclusive", String(options.synchronous.rawValue)] else {
      throw JournalError(
        .inaccessible, at: path,
        "SQLite does not write as it was told: journal_mode, locking_mode and synchronous are "
          + found.joined(separator: ", "),
        remedy: "Name a journal on a local disk")
    }
  }

  /// Runs `body` with the database, outside of any transaction.
  func perform<T>(_ body: (Database) throws -> T) throws -> T {
    try queue.writeWithoutTransaction(body)
  }

  /// Runs `body` in a transaction, and waits until that is on disk.
  func transact(_ body: (Database) throws -> Void) throws {
    try perform { database in
      try database.inTransaction(.immediate) {
        try body(database)
        return .commit
      }
    }
  }

  /// Copies the write-ahead log into the database, so that the log can begin anew, and syncs both.
  ///
  /// - Parameter truncating: also empties the log's file.
  func emptyLog(truncating: Bool = false) throws {
    try perform { database in
      var (all, copied): (Int32, Int32) = (0, 0)
      let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
      let code = sqlite3_wal_checkpoint_v2(database.sqliteConnection, nil, mode, &all, &copied)
      guard code == SQLITE_OK else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
          message: "while copying the write-ahead log into the database")
      }
      if copied >= all { logPages = 0 }
    }
  }

  /// Brings the tables to a version.
  func migrate(by schema: JournalSchema) throws {
    try schema.migrator.migrate(queue)
  }

  /// Writes whose journal it is, if that is not written yet.
  func begin(_ head: JournalHead) throws {
    try perform { database in
      guard try Int.fetchOne(database, sql: "SELECT count(*) FROM journal") == 0 else { return }
      try SQLiteStatement("INSERT INTO journal (id, anchorSequence, anchorLink) VALUES (?, 0, ?)", in: database)
        .run(.bytes(head.id), .bytes(head.link.bytes))
    }
  }

  /// Lets go of the files, which stay as they are.
  func close() throws {
    try queue.close()
  }
}
