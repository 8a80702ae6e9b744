import GRDB
import Synchronization

/// The tables, and the migrations that create them. The version is the number of migrations.
struct JournalSchema: Sendable {
  /// One migration, in a transaction of its own. A released migration is never changed.
  typealias Step = @Sendable (Database) throws -> Void

  /// The migrations, starting from an empty database.
  var steps: [Step]

  /// The schema of this motiond.
  static let current = JournalSchema(steps: [first])

  /// "MOTN": identifies the file as motiond's (`file journal.sqlite`).
  static let applicationID: Int32 = 0x4d4f_544e

  /// The version.
  var version: Int { steps.count }

  /// Migrates a database to this version.
  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (index, step) in steps.enumerated() {
      migrator.registerMigration("\(index + 1)") { try step($0) }
    }
    return migrator
  }

  /// The version of a database; 0 if it has no tables, `nil` if its tables are not those of a journal.
  static func version(of database: Database) throws -> Int? {
    guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return 0 }
    guard try database.tableExists("grdb_migrations") else { return nil }
    let applied = try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")
    let numbers = applied.compactMap(Int.init)
    guard numbers.count == applied.count, numbers.sorted() == Array(1..<numbers.count + 1) else { return nil }
    // Before its first migration, a database has only this table.
    let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
    return numbers.isEmpty || application == applicationID ? numbers.count : nil
  }

  /// The definitions of a database's tables, to compare with the required ones.
  static func text(of database: Database) throws -> [String] {
    try String.fetchAll(database, sql: "SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name")
  }

  /// The database in which ``text()`` creates the tables. It is never released: after the first release of a queue,
  /// libdispatch wakes up every second for the rest of the process, and an idle motiond must not wake up.
  private static let workbench = Mutex<DatabaseQueue?>(nil)

  /// The required definitions. Takes a millisecond.
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

  /// - journal: one row: the journal's id, and the current beginning of the chain of rows.
  /// - rows: the rows that still have a body. The checksum is the digest of the body.
  /// - history: the rows that a checkpoint covers; their bodies were removed.
  /// - checkpoint: the last checkpoint, in one row. The checksum is that of its parts.
  /// - parts: the parts of the last checkpoint. The checksum of each is the digest of its body.
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
