import CSQLite
import Faults
import Glibc
import Testing

@testable import MotionJournal

/// Altered content is refused, with the remedy; content that is given up then is named.
struct DamageTests {
  private let journal: JournalFolder

  init() throws { journal = try JournalFolder() }

  private func refusal() throws -> JournalError {
    let error = try #require(throws: JournalError.self) { try journal.open() }
    #expect(error.code == .damaged, "\(error)")
    #expect(error.remedy.contains("--accept-loss"))
    return error
  }

  /// Opens it and gives up the lost content, and expects it to be whole from then on.
  private func acceptLoss() throws -> (losses: [String], contents: JournalContents) {
    let first = try journal.open(acceptingLoss: true)
    let losses = first.losses
    let contents = try first.contents()
    let next = contents.lastSequence + 1
    try first.append([.sample(next)])
    first.close()
    let second = try journal.open(acceptingLoss: true)
    #expect(second.losses == [])
    #expect(try second.contents().rows == contents.rows + [.sample(next)])
    second.close()
    return (losses, contents)
  }

  /// Every column of every table, in its first and its last row: numbers become others, bytes a text.
  // Clauses: S17.21
  @Test(
    .fault(
      .storage, "Values in the journal are altered", by: "every column of every table, in its first and its last row",
      promise: "refused; a row or a checkpoint that is altered is named"))
  func `an altered cell of any table is refused`() throws {
    try journal.fill(30, checkpoint: 20)
    try journal.fill(33, checkpoint: 25, tidy: false)
    let whole = try journal.files()
    func places(_ row: Int64) -> [String: String] {
      ["rows": "row \(row): ", "history": "row \(row): ", "checkpoint": "checkpoint ", "parts": "checkpoint "]
    }
    var cells = 0
    for (table, columns) in try tables() {
      for (column, isNumber) in columns {
        let new = isNumber ? "\(column) + 100000" : "CAST(hex(\(column)) || 'x' AS BLOB)"
        for end in ["min", "max"] {
          try journal.restore(whole)
          let row = try number("SELECT \(end)(rowid) FROM \(table)")
          try journal.alter("UPDATE \(table) SET \(column) = \(new) WHERE rowid = \(row)")
          let error = #expect(throws: JournalError.self, "\(table).\(column)") { try journal.open() }
          #expect(error.map { [.damaged, .newer].contains($0.code) } == true, "\(table).\(column): \(error as Any)")
          if let place = places(row)[table] {
            #expect(error?.cause.contains(place) == true, "\(table).\(column): \(error as Any)")
          }
          cells += 1
        }
      }
    }
    // Five tables of ours and the migrator's, each with several columns.
    #expect(cells >= 40)
    try journal.restore(whole)
    try journal.open().close()
  }

  /// The single number that a query returns.
  private func number(_ sql: String) throws -> Int64 {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    #expect(sqlite3_open(journal.database, &connection) == SQLITE_OK)
    sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    try #require(sqlite3_step(statement) == SQLITE_ROW)
    return sqlite3_column_int64(statement, 0)
  }

  /// The tables and their columns, and whether those hold numbers.
  private func tables() throws -> [(String, [(String, Bool)])] {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    #expect(sqlite3_open(journal.database, &connection) == SQLITE_OK)
    var found: [String: [(String, Bool)]] = [:]
    let sql = """
      SELECT t.name, c.name, c.type FROM sqlite_master t, pragma_table_info(t.name) c
      WHERE t.type = 'table' ORDER BY t.name
      """
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    while sqlite3_step(statement) == SQLITE_ROW {
      let texts = (0..<3).map { String(cString: sqlite3_column_text(statement, Int32($0))) }
      found[texts[0], default: []].append((texts[1], texts[2] == "INTEGER"))
    }
    #expect(Set(found.keys) == ["journal", "rows", "history", "checkpoint", "parts", "grdb_migrations"])
    return found.map { ($0.key, $0.value) }
  }

  // Clauses: S17.21
  @Test(
    .fault(
      .storage, "Rows are taken out of the journal", by: "DELETE at the beginning, the middle and the end",
      promise: "refused with the row"),
    arguments: [
      ("rows", "= 28", "row 28"), ("rows", "= 30", "row 30"), ("rows", "> 25", "row 26"), ("history", "= 7", "row 7"),
      ("history", "= 1", "row 1"), ("rows", "= 21", "row 21"),
    ])
  func `a deleted row is refused`(table: String, condition: String, place: String) throws {
    try journal.fill(30, checkpoint: 20)
    try journal.alter("DELETE FROM \(table) WHERE sequence \(condition)")
    #expect(try refusal().cause.contains(place))
  }

  @Test(arguments: ["journal", "checkpoint", "rows", "history", "grdb_migrations"])
  func `an emptied table is refused`(table: String) throws {
    try journal.fill(30, checkpoint: 20)
    try journal.alter("DELETE FROM \(table)")
    _ = try refusal()
  }

  @Test(
    .fault(.storage, "Rows of the journal are exchanged", by: "UPDATE", promise: "refused with the row"))
  func `exchanged rows are refused`() throws {
    try journal.fill(30)
    try journal.alter(
      """
      UPDATE rows SET sequence = 1000 WHERE sequence = 4; UPDATE rows SET sequence = 4 WHERE sequence = 5;
      UPDATE rows SET sequence = 5 WHERE sequence = 1000
      """)
    #expect(try refusal().cause.contains("row 4"))
  }

  // Clauses: S17.22
  @Test func `rows lost at the end are named`() throws {
    try journal.fill(30, checkpoint: 20)
    try journal.alter("DELETE FROM rows WHERE sequence > 25")
    #expect(try refusal().remedy.contains("rows 26 to 30 (5 of them)"))
    let (losses, contents) = try acceptLoss()
    #expect(losses == ["rows 26 to 30 (5 of them)"])
    #expect(contents.checkpoint == .sample(20))
    #expect(contents.rows == JournalRow.samples(21...25))
    #expect(contents.identities == JournalRow.samples(1...25).identities)
  }

  @Test func `an altered row loses the later ones too`() throws {
    try journal.fill(30, checkpoint: 20)
    try journal.alter("UPDATE rows SET body = x'01' WHERE sequence = 24")
    #expect(try refusal().cause.contains("row 24: its body does not match its checksum"))
    let (losses, contents) = try acceptLoss()
    #expect(losses == ["rows 24 to 30 (7 of them)"])
    #expect(contents.rows == JournalRow.samples(21...23))
  }

  @Test func anAlteredRowThatACheckpointCoversLosesItsIdentityOnly() throws {
    try journal.fill(30, checkpoint: 20)
    try journal.alter("UPDATE history SET answer = x'01' WHERE sequence = 7")
    let (losses, contents) = try acceptLoss()
    #expect(losses.count == 1 && losses[0].hasPrefix("the identities of row 7,"))
    #expect(contents.checkpoint == .sample(20))
    #expect(contents.rows == JournalRow.samples(21...30))
    #expect(contents.identities == JournalRow.samples(1...30).identities.filter { $0.sequence != 7 })
  }

  // Clauses: S17.36
  @Test func `a journal without its checkpoint keeps the rows after it`() throws {
    try journal.fill(30, checkpoint: 20)
    try journal.alter("UPDATE parts SET body = x'01'")
    let (losses, contents) = try acceptLoss()
    #expect(losses == ["everything up to row 20, identities included"])
    // The content of the checkpoint is lost; its reader substitutes an empty runtime.
    #expect(contents.checkpoint == JournalCheckpoint(sequence: 20, body: []))
    #expect(contents.rows == JournalRow.samples(21...30))
    #expect(contents.identities == JournalRow.samples(21...30).identities)
  }

  /// An older copy is whole; only the head shows that there was more.
  // Clauses: S17.21, S17.22
  @Test(
    .fault(
      .storage, "The journal is replaced by an older copy of itself", by: "the files of 0, 10 and 20 rows ago",
      promise: "refused; what is lost is named"), arguments: [0, 10, 20] as [UInt64])
  func anOlderCopyIsRefused(checkpoint: UInt64) throws {
    try journal.fill(20, checkpoint: checkpoint)
    let old = try journal.files()
    try journal.fill(30, checkpoint: 25)
    var files = try journal.files()
    files[journal.database] = old[journal.database]
    files[journal.log] = old[journal.log]
    try journal.restore(files)
    #expect(try refusal().remedy.contains("rows 21 to 30"))
    let (losses, contents) = try acceptLoss()
    #expect(losses == ["rows 21 to 30 (10 of them)"])
    #expect(contents.checkpoint == .sample(checkpoint))
    #expect(contents.lastSequence == 20)
  }

  @Test func anOlderCopyThatLacksOnlyACheckpointIsRefused() throws {
    try journal.fill(20, checkpoint: 10)
    let old = try journal.files()
    try journal.fill(20, checkpoint: 15)
    try journal.fill(20, checkpoint: 18)
    var files = try journal.files()
    files[journal.database] = old[journal.database]
    try journal.restore(files)
    #expect(try refusal().cause.contains("checkpoint 1: it is an old one"))
    let (losses, contents) = try acceptLoss()
    #expect(losses == ["checkpoints 2 to 3"])
    #expect(contents.rows == JournalRow.samples(11...20))
  }

  @Test(
    .fault(
      .storage, "The journal is replaced by that of another motiond", by: "its database with this one's head",
      promise: "refused"))
  func aDatabaseOfAnotherJournalIsRefused() throws {
    try journal.fill(20)
    let other = try JournalFolder()
    try other.fill(25)
    var files = try journal.files()
    files[journal.database] = try other.files()[other.database]
    try journal.restore(files)
    #expect(try refusal().cause.contains("journal.head: it is of journal"))
  }

  @Test(
    .fault(
      .storage, "The journal's head is damaged", by: "it is removed, or holds something else",
      promise: "refused; --accept-loss keeps all intact parts"),
    arguments: ["", "no head at all", String(repeating: "x", count: 8192)])
  func `a missing or damaged head is refused`(text: String) throws {
    try journal.fill(20, checkpoint: 10)
    if text.isEmpty { unlink(journal.head) } else { try journal.write(Array(text.utf8), to: journal.head) }
    #expect(try refusal().cause.contains("journal.head"))
    let (losses, contents) = try acceptLoss()
    #expect(losses.count == 1 && losses[0].hasPrefix("anything acknowledged after row 20"))
    #expect(contents.rows == JournalRow.samples(11...20))
  }

  @Test(
    .fault(
      .storage, "The journal's database is missing", by: "it is removed, or replaced by a text",
      promise: "refused; what is lost is named"), arguments: ["", "this is a text and no database"])
  func `a missing or invalid database is refused`(text: String) throws {
    try journal.fill(20, checkpoint: 10)
    if text.isEmpty { unlink(journal.database) } else { try journal.write(Array(text.utf8), to: journal.database) }
    #expect(try refusal().remedy.contains("everything up to row 20"))
    let (losses, contents) = try acceptLoss()
    #expect(losses == ["everything up to row 20, identities included"])
    #expect(contents == JournalContents())
  }

  /// The damaged journal is kept; `--accept-loss` deletes nothing.
  // Clauses: S17.22
  @Test func theDamagedJournalIsKept() throws {
    try journal.fill(30, checkpoint: 20)
    try journal.alter("DELETE FROM rows WHERE sequence > 25")
    let damaged = try journal.files()
    _ = try acceptLoss()
    let folders = try #require(opendir(journal.path))
    defer { closedir(folders) }
    var kept: String?
    while let entry = readdir(folders) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("damaged-") { kept = name }
      #expect(name != "building" && name != "built")
    }
    let copy = "\(journal.path)/\(try #require(kept))/journal.sqlite"
    #expect(try journal.read(copy) == damaged[journal.database])
  }

  /// The machine may lose power between two steps of replacing a damaged journal by a new one.
  @Test(
    .fault(
      .storage, "The power fails while a damaged journal is replaced", by: "each state between its steps",
      promise: "the next start completes it; the damaged one is kept"))
  func `replacing a damaged journal continues after a crash`() throws {
    try journal.fill(30, checkpoint: 20)
    let other = try JournalFolder()
    try other.fill(5)
    let built = "\(journal.path)/built"
    for step in 0...2 {
      mkdir(built, 0o700)
      try journal.write(try other.read(other.database), to: "\(built)/journal.sqlite")
      try journal.write(try other.read(other.head), to: "\(built)/journal.head")
      if step > 0 { rename("\(built)/journal.sqlite", journal.database) }
      if step > 1 { rename("\(built)/journal.head", journal.head) }
      let opened = try journal.open()
      #expect(try opened.contents().rows == JournalRow.samples(1...5))
      opened.close()
      #expect(Folder.size(of: built) == nil)
    }
  }
}
