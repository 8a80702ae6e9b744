import GRDB
import Synchronization

/// The tables, and the steps that lead to them. The version is how many steps there are.
struct JournalSchema: Sendable {
  /// One step, in a transaction of its own. Those that were released are never changed.
  typealias Step = @Sendable (Database) throws -> Void

  /// The steps, from an empty database on.
  var steps: [Step]

  /// As this motiond writes it.
  static let current = JournalSchema(steps: [first])

  /// "MOTN": what makes the file say of itself whose it is (`file journal.sqlite`).
  static let applicationID: Int32 = 0x4d4f_544e

  /// The version.
  var version: Int { steps.count }

  /// Brings a database up to this version.
  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (index, step) in steps.enumerated() {
      migrator.registerMigration("\(index + 1)") { try step($0) }
    }
    return migrator
  }

  /// The version of a database; 0 if it has no tables, `nil` if they are not those of a journal.
  static func version(of database: Database) throws -> Int? {
    guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return 0 }
    guard try database.tableExists("grdb_migrations") else { return nil }
    let applied = try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")
    let numbers = applied.compactMap(Int.init)
    guard numbers.count == applied.count, numbers.sorted() == Array(1..<numbers.count + 1) else { return nil }
    // Before its first step a database has this one table and no more.
    let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
    return numbers.isEmpty || application == applicationID ? numbers.count : nil
  }

  /// What the tables of a database look like, to compare with what they ought to look like.
  static func text(of database: Database) throws -> [String] {
    try String.fetchAll(database, sql: "SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name")
  }

  /// Where ``text()`` makes the tables. It stays: from the first queue on that is released, libdispatch wakes up each second
  /// for ever, and a motiond in which nothing happens is not to wake up.
  private static let workbench = Mutex<DatabaseQueue?>(nil)

  /// What they ought to look like. Takes a millisecond.
  func text() throws -> [String] {
    try Self.workbench.withLock { workbench in
      let database = try workbench ?? DatabaseQueue()
      workbench = database
      try database.write { database in
        for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
          try database.execute(sql: "DROP TABLE \(table)")
        }
      }
      try migrator.migrate(database)
      return try database.read(Self.text)
    }
  }

  /// - journal: one row: whose journal it is, and where the chain of its rows begins now.
  /// - rows: those whose bodies are still there. The checksum is the digest of the body.
  /// - history: those that a checkpoint covers; their bodies have gone.
  /// - checkpoint: the last one, in one row. The checksum is that of its parts.
  /// - parts: the parts of that one. The checksum of each is the digest of its body.
  private static let first: Step = { database in
    try database.execute(
      sql: """
        CREATE TABLE journal (
          id BLOB NOT NULL, anchorSequence INTEGER NOT NULL, anchorLink BLOB NOT NULL
        );
        CREATE TABLE rows (
          sequence INTEGER PRIMARY KEY, wallTime INTEGER NOT NULL,
          identity BLOB NOT NULL, digest BLOB NOT NULL, answer BLOB NOT NULL,
          checksum BLOB NOT NULL, link BLOB NOT NULL, body BLOB NOT NULL
        );
        CREATE TABLE history (
          sequence INTEGER PRIMARY KEY, wallTime INTEGER NOT NULL,
          identity BLOB NOT NULL, digest BLOB NOT NULL, answer BLOB NOT NULL,
          checksum BLOB NOT NULL, link BLOB NOT NULL
        );
        CREATE TABLE checkpoint (
          number INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, rowLink BLOB NOT NULL,
          previous BLOB NOT NULL, checksum BLOB NOT NULL, link BLOB NOT NULL
        );
        CREATE TABLE parts (
          number INTEGER PRIMARY KEY, checksum BLOB NOT NULL, body BLOB NOT NULL
        );
        PRAGMA application_id = \(applicationID);
        """)
  }
}
