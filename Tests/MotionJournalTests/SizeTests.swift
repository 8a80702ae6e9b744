import Glibc
import Testing

@testable import MotionJournal

/// However long it is used, a journal stays as small as its present content.
struct SizeTests {
  private func bytes(_ journal: JournalFolder) -> (database: Int, log: Int) {
    (Folder.size(of: journal.database) ?? 0, Folder.size(of: journal.log) ?? 0)
  }

  /// Twenty thousand rows of 2 kB and two hundred checkpoints of 100 kB, of which one checkpoint and a hundred rows are
  /// current.
  // Clauses: S17.25
  @Test(arguments: [true, false]) func `the journal's size does not grow with time`(isTidied: Bool) throws {
    let folder = try JournalFolder()
    let journal = try folder.open()
    var largest = (database: 0, log: 0)
    var early = 0
    for round in UInt64(0)..<200 {
      let first = round * 100 + 1
      var rows = JournalRow.samples(first...first + 99, bytes: 2000)
      for index in rows.indices { rows[index].identity = [] }
      for start in stride(from: 0, to: 100, by: 10) { try journal.append(Array(rows[start..<start + 10])) }
      try journal.checkpoint(.sample(first + 50, bytes: 100_000))
      if isTidied { while try journal.tidy() {} }
      let now = bytes(folder)
      largest = (max(largest.database, now.database), max(largest.log, now.log))
      if round == 40 { early = largest.database }
    }
    // 40 MB of bodies and 20 MB of checkpoints were written to it.
    #expect(largest.database < 4 << 20)
    #expect(largest.database <= early + 1 << 18, "it still grows")
    // Four times the length at which it is emptied, and the size of one group.
    #expect(largest.log < (isTidied ? 6 : 20) << 20)
    journal.close()
    #expect(bytes(folder).log == 0)
  }

  /// A day with a row every ten seconds, and then another one.
  @Test func `identities of a day are removed on the next`() throws {
    let folder = try JournalFolder()
    let journal = try folder.open()
    func row(_ sequence: UInt64) -> JournalRow {
      JournalRow(
        sequence: sequence, wallTime: Int64(sequence) * 10_000_000_000,
        identity: withUnsafeBytes(of: sequence, Array.init), answer: [1, 2, 3], body: [4])
    }
    for hour in UInt64(0)..<72 {
      for part in UInt64(0)..<4 {
        let first = hour * 360 + part * 90 + 1
        try journal.append((first..<first + 90).map(row))
      }
      try journal.checkpoint(.sample((hour + 1) * 360))
      while try journal.tidy() {}
    }
    // 24 hours of 360 rows, and the newest.
    #expect(try journal.contents().identities.count == 24 * 360 + 1)
    let kept = try journal.connection.perform { StoredJournal(readingFrom: $0) }.rows.count
    #expect(kept <= 24 * 360 + 360)
    journal.close()
  }

  @Test func `the space of a large body is returned`() throws {
    let folder = try JournalFolder()
    let journal = try folder.open()
    try journal.append([.sample(1, bytes: 20 << 20)])
    try journal.append([.sample(2)])
    try journal.checkpoint(.sample(2))
    while try journal.tidy() {}
    let (database, log) = bytes(folder)
    #expect(database < 8 << 20)
    #expect(log <= 40 << 20)
    journal.close()
    let again = try folder.open()
    try again.append([.sample(3)])
    #expect(try again.contents().rows == [.sample(3)])
    #expect(bytes(folder).log <= 16 << 20)
    again.close()
  }
}
