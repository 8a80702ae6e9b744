import CSQLite
import Faults
import GRDB
import Glibc
import Testing

@testable import MotionJournal

/// Versions of the tables, and the layout of the files.
struct SchemaTests {
  private let journal: JournalFolder

  init() throws { journal = try JournalFolder() }

  private func value(_ sql: String) throws -> String {
    let queue = try DatabaseQueue(path: journal.database)
    return try queue.read { try String.fetchOne($0, sql: sql) } ?? ""
  }

  @Test func `the synchronous setting is full by default`() throws {
    var options = JournalOptions()
    options.synchronous = .normal
    // A caller that sets NORMAL gets exactly that; the program sets FULL.
    try journal.open(options: options).close()
    let open = try journal.open()
    #expect(try open.connection.perform { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    #expect(try open.connection.perform { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    #expect(try open.connection.perform { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") } == 2)
    open.close()
  }

  // Clauses: S17.27
  @Test(
    .fault(
      .operators, "An older motiond opens the journal of a newer one", by: "an unknown version",
      promise: "refused with the remedy"))
  func aNewerVersionIsRefusedWithTheRemedy() throws {
    try journal.fill(5)
    try journal.alter("INSERT INTO grdb_migrations VALUES ('2')")
    let files = try journal.files()
    let error = try #require(throws: JournalError.self) { try journal.open() }
    #expect(error.code == .newer)
    #expect(error.cause.contains("its version is 2, and this one supports 1"))
    #expect(error.remedy.contains("Run the newer motiond"))
    // Not even with --accept-loss: it is whole, and belongs to another program.
    #expect(throws: JournalError.self) { try journal.open(acceptingLoss: true) }
    #expect(try journal.files()[journal.database] == files[journal.database])
  }

  @Test func anotherProgramsDatabaseIsRefused() throws {
    try journal.fill(5)
    unlink(journal.database)
    try journal.alter("CREATE TABLE songs (title TEXT)")
    let error = try #require(throws: JournalError.self) { try journal.open() }
    #expect(error.code == .damaged)
    #expect(error.cause.contains("not those of a journal"))
  }

  @Test func `changed tables are refused`() throws {
    try journal.fill(5)
    try journal.alter("ALTER TABLE rows ADD COLUMN remark TEXT")
    let error = try #require(throws: JournalError.self) { try journal.open() }
    #expect(error.cause.contains("not those of version 1"))
  }

  /// A journal that the first version wrote, 25 rows and a checkpoint of row 20, as stored in the repository.
  @Test func `a journal of version 1 is opened`() throws {
    mkdir(journal.path, 0o700)
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let isUpdating = getenv("MOTION_JOURNAL_UPDATE") != nil
    if isUpdating {
      try journal.fill(20)
      try journal.fill(25, checkpoint: 20)
      mkdir("/\(folder)/Version1", 0o755)
    }
    for name in ["journal.sqlite", "journal.head"] {
      let (stored, own) = ("/\(folder)/Version1/\(name)", "\(journal.path)/\(name)")
      if isUpdating { try journal.write(try journal.read(own), to: stored) }
      if !isUpdating { try journal.write(try journal.read(stored), to: own) }
    }
    let open = try journal.open()
    let rows = JournalRow.samples(1...25)
    let expected = JournalContents(checkpoint: .sample(20), rows: Array(rows[20...]), identities: rows.identities)
    #expect(try open.contents() == expected)
    try open.append([.sample(26)])
    open.close()
  }

  /// The steps of a later version: one more step, in a transaction, once, with all content kept.
  @Test func aLaterVersionMigratesAnOlderJournal() throws {
    try journal.fill(25, checkpoint: 20)
    var options = JournalOptions()
    options.schema.steps.append { try $0.execute(sql: "CREATE TABLE remarks (text TEXT)") }
    for _ in 1...2 {
      let open = try journal.open(options: options)
      #expect(try open.contents().rows == JournalRow.samples(21...25))
      open.close()
    }
    #expect(try value("SELECT group_concat(identifier) FROM grdb_migrations") == "1,2")
    let error = #expect(throws: JournalError.self) { try journal.open() }
    #expect(error?.code == .newer)
  }

  // Clauses: S17.27
  @Test(
    .fault(
      .storage, "A migration of the journal fails", by: "an error in its last step", promise: "the journal is as it was"
    ))
  func `a failed migration leaves the journal unchanged`() throws {
    try journal.fill(25, checkpoint: 20)
    var options = JournalOptions()
    options.schema.steps.append { try $0.execute(sql: "CREATE TABLE remarks (text TEXT); CREATE TABLE rows (x)") }
    #expect(throws: JournalError.self) { try journal.open(options: options) }
    let open = try journal.open()
    #expect(try open.contents().rows == JournalRow.samples(21...25))
    open.close()
  }

  @Test func `only the owner can read the journal's files`() throws {
    let mask = umask(0)
    let open = try journal.open()
    try open.append([.sample(1)])
    umask(mask)
    for path in [journal.database, journal.log, journal.head, "\(journal.path)/journal.lock"] {
      var status = stat()
      #expect(stat(path, &status) == 0, "\(path)")
      #expect(status.st_mode & 0o777 == 0o600, "\(path)")
    }
    var status = stat()
    stat(journal.path, &status)
    #expect(status.st_mode & 0o777 == 0o700)
    open.close()
    // A mode that was widened is narrowed again.
    chmod(journal.database, 0o644)
    try journal.open().close()
    stat(journal.database, &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a missing parent directory is reported with the remedy`() throws {
    let error = try #require(throws: JournalError.self) { try SQLiteJournal(at: "\(journal.path)/a/b") }
    #expect(error.code == .inaccessible)
    #expect(error.remedy == "Make the directory for the journal")
  }
}
