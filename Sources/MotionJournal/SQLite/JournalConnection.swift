import CSQLite
import GRDB

/// The only connection to a journal's database, configured so that a committed transaction is on disk.
///
/// A queue and not a pool: there is one writer and no other reader, and GRDB's pool sets `synchronous` to NORMAL. No
/// work runs on another thread: the queue runs each block on the calling thread.
final class JournalConnection {
  let path: String
  private let queue: DatabaseQueue

  /// Pages in the write-ahead log after the last commit.
  private(set) var logPages: Int32 = 0

  /// Opens the database, and creates it if it does not exist.
  ///
  /// - Throws: `DatabaseError`, or ``JournalError`` if SQLite did not apply the settings.
  convenience init(_ path: String, options: JournalOptions) throws {
    try self.init(path, pragmas: Self.pragmas(options))
    try perform { try Self.check($0, options, path) }
  }

  /// Opens an existing database and changes nothing.
  convenience init(readingAt path: String) throws {
    try self.init(path, pragmas: ["locking_mode = EXCLUSIVE", "query_only = ON"])
  }

  private init(_ path: String, pragmas: [String]) throws {
    self.path = path
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      if let connection = database.sqliteConnection {
        // Closing would sync the log once more, even after a failed sync, and then remove it.
        _ = motion_sqlite_keep_log_on_close(connection)
      }
      for pragma in pragmas { try database.execute(sql: "PRAGMA \(pragma)") }
    }
    // SQLite would parse a name that begins with "file:" as a URI.
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
      // Before the first read: then SQLite needs no shared memory, and no other process can open the database.
      "locking_mode = EXCLUSIVE",
      // This must precede the first table. The pages of large bodies return to the file system in steps.
      "auto_vacuum = INCREMENTAL",
      "journal_mode = WAL",
      "synchronous = \(options.synchronous.name)",
      // An automatic checkpoint would hide the errors of its syncs.
      "wal_autocheckpoint = 0",
      // Cuts the log to this size when it restarts after a large checkpoint.
      "journal_size_limit = \(16 << 20)",
      // Debian's SQLite overwrites deleted content, which doubles the writes of compaction.
      "secure_delete = OFF",
      "temp_store = MEMORY",
    ]
  }

  /// Reads the required settings back, because SQLite does not always apply a setting.
  private static func check(_ database: Database, _ options: JournalOptions, _ path: String) throws {
    let found = [
      try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
      try String.fetchOne(database, sql: "PRAGMA locking_mode") ?? "",
      String(try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1),
    ]
    guard found == ["wal", "exclusive", String(options.synchronous.rawValue)] else {
      throw JournalError(
        .inaccessible, at: path,
        "SQLite does not use the requested settings: journal_mode, locking_mode and synchronous are "
          + found.joined(separator: ", "),
        remedy: "Name a journal on a local disk")
    }
  }

  /// Runs `body` with the database, outside of any transaction.
  func perform<T>(_ body: (Database) throws -> T) throws -> T {
    try queue.writeWithoutTransaction(body)
  }

  /// Runs `body` in a transaction, and returns when it is on disk.
  func transact(_ body: (Database) throws -> Void) throws {
    try perform { database in
      try database.inTransaction(.immediate) {
        try body(database)
        return .commit
      }
    }
  }

  /// Copies the write-ahead log into the database, so that the log can restart, and syncs both.
  ///
  /// - Parameter truncating: whether the log's file is also truncated.
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

  /// Migrates the tables to a version.
  func migrate(by schema: JournalSchema) throws {
    try schema.migrator.migrate(queue)
  }

  /// Writes the journal's id, if it is not written yet.
  func begin(_ head: JournalHead) throws {
    try perform { database in
      guard try Int.fetchOne(database, sql: "SELECT count(*) FROM journal") == 0 else { return }
      try SQLiteStatement("INSERT INTO journal (id, anchorSequence, anchorLink) VALUES (?, 0, ?)", in: database)
        .run(.bytes(head.id), .bytes(head.link.bytes))
    }
  }

  /// Closes the files and leaves them unchanged.
  func close() throws {
    try queue.close()
  }
}
