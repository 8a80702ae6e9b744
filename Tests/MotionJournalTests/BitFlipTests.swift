import CSQLite
import Faults
import Glibc
import MotionTestKit
import Testing

@testable import MotionJournal

/// Flips one bit at any place.
struct BitFlipTests {
  private let journal: JournalFolder

  init() throws { journal = try JournalFolder() }

  /// Leaves rows in the write-ahead log, as a killed process does, and returns the files.
  private func filesWithLog() throws -> [String: [UInt8]] {
    try journal.fill(10, checkpoint: 5)
    let open = try journal.open()
    for sequence in UInt64(11)...40 { try open.append([.sample(sequence)]) }
    let files = try journal.files()
    open.close()
    #expect((files[journal.log]?.count ?? 0) > 30 * 4096)
    return files
  }

  /// SQLite treats a log whose middle is damaged as one that ends there, and reports the database as sound.
  // Clauses: S17.21
  @Test(
    .fault(
      .storage, "A bit flips in the middle of the write-ahead log", by: "one bit there, before opening",
      promise: "refused; what would be lost is named"))
  func `a flipped bit in the middle of the log is detected`() throws {
    var files = try filesWithLog()
    let middle = (files[journal.log]?.count ?? 0) / 2
    files[journal.log]?[middle] ^= 4
    try journal.restore(files)
    let error = try #require(throws: JournalError.self) { try journal.open() }
    #expect(error.code == .damaged)
    #expect(error.cause.contains("missing at the end"))

    try journal.restore(files)
    #expect(try integrityCheck() == "ok")

    try journal.restore(files)
    let opened = try journal.open(acceptingLoss: true)
    let last = try opened.contents().lastSequence
    #expect(last > 10 && last < 40)
    #expect(opened.losses == ["rows \(last + 1) to 40 (\(40 - last) of them)"])
    #expect(try opened.contents().rows == JournalRow.samples(6...last))
    opened.close()
  }

  private func integrityCheck() throws -> String {
    var connection: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(connection)
    }
    sqlite3_open(journal.database, &connection)
    sqlite3_prepare_v2(connection, "PRAGMA integrity_check", -1, &statement, nil)
    guard sqlite3_step(statement) == SQLITE_ROW else { return "?" }
    return String(cString: sqlite3_column_text(statement, 0))
  }

  /// The pointer to the first cell of a page may lead to an empty place, which SQLite reads as a row of nulls.
  @Test func `a flipped bit in a page's cell pointers is refused or harmless`() throws {
    let files = try filesWithLog()
    let pages = (files[journal.database]?.count ?? 0) / 4096
    #expect(pages > 2)
    for page in 1..<pages {
      for bit in 0..<16 {
        var altered = files
        altered[journal.database]?[page * 4096 + 8 + bit / 8] ^= 1 << UInt8(bit % 8)
        try journal.restore(altered)
        do {
          try journal.open().close()
        } catch {
          #expect([.damaged, .newer, .inaccessible].contains(error.code), "page \(page), bit \(bit): \(error)")
        }
      }
    }
  }

  /// A flipped bit is refused, or it is in an unused place: then all contents are unchanged.
  @Test(
    .fault(
      .storage, "One bit flips anywhere in the journal", by: "bits of every file",
      promise: "refused, or the contents are unchanged"))
  func noBitChangesWhatIsRead() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "noBitChangesWhatIsRead"))
    let files = try filesWithLog()
    try journal.restore(files)
    let opened = try journal.open()
    let whole = try opened.contents()
    opened.close()
    var refused = 0
    let rounds = SeededRandom.rounds(400)
    for _ in 0..<rounds {
      let path = [journal.database, journal.log, journal.head].randomElement(using: &random) ?? journal.log
      var altered = files
      let count = altered[path]?.count ?? 0
      let place = Int.random(in: 0..<count, using: &random)
      altered[path]?[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try journal.restore(altered)
      do {
        let opened = try journal.open()
        #expect(try opened.contents() == whole, "\(path), byte \(place)")
        opened.close()
      } catch {
        refused += 1
        #expect([.damaged, .newer, .inaccessible].contains(error.code), "\(path), byte \(place): \(error)")
      }
    }
    #expect(refused > rounds / 8)
  }
}
