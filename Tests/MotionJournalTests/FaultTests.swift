import CSQLite
import Faults
import PowerLoss
import PowerLossVFS
import Testing

@testable import MotionJournal

/// Disks that are full, read-only, or failing.
extension PowerLossTests {
  @Suite struct FaultTests {
    private let journal: JournalFolder
    private let disk: RecordedDisk

    init() throws {
      journal = try JournalFolder()
      disk = RecordedDisk(below: journal.path)
    }

    private static let ioWrite = SQLITE_IOERR | 3 << 8
    private static let ioSync = SQLITE_IOERR | 4 << 8

    /// Runs `body`, and expects an error with this code.
    private func expect(_ code: JournalError.Code, _ body: () throws -> Void) {
      let error = #expect(throws: JournalError.self) { try body() }
      #expect(error?.code == code, "\(error as Any)")
      #expect(error?.remedy.isEmpty == false)
    }

    // Clauses: S17.23
    @Test(
      .fault(
        .storage, "The disk accepts no writes in the middle of a group",
        by: "SQLITE_FULL and SQLITE_READONLY at the first, second and fourth write, by our file system",
        promise: "nothing of the group is stored; the journal recovers"),
      arguments: [(SQLITE_FULL, JournalError.Code.full), (SQLITE_READONLY, .readOnly)])
    func `a group that fails on a full or read-only disk is dropped`(result: Int32, code: JournalError.Code) throws {
      let open = try journal.open()
      try open.append(JournalRow.samples(1...5))
      // The group of many pages fails in its middle as well as at its beginning.
      for after in [0, 1, 3] {
        disk.fail(MOTION_FILE_WRITE, of: "-wal", after: after, with: result)
        expect(code) { try open.append(JournalRow.samples(6...30, bytes: 4000)) }
        expect(code) { try open.checkpoint(.sample(3, bytes: 20_000)) }
        #expect(
          try open.contents()
            == JournalContents(rows: JournalRow.samples(1...5), identities: JournalRow.samples(1...5).identities))
      }
      disk.heal()
      try open.append(JournalRow.samples(6...30))
      try open.checkpoint(.sample(7))
      open.close()
      let again = try journal.open()
      #expect(try again.contents().rows == JournalRow.samples(8...30))
      again.close()
    }

    /// After a sync that failed the next one may report success without having written anything.
    // Clauses: S17.23
    @Test(
      .fault(
        .storage, "A sync fails, and the next one falsely succeeds",
        by: "an I/O error at each of five syncs and writes",
        promise: "no second sync: the journal is opened again, and its contents are checked"),
      arguments: [MOTION_FILE_SYNC, MOTION_FILE_WRITE])
    func `after a failed sync a journal is broken until it is opened again`(kind: motion_file_step_kind) throws {
      var open = try journal.open()
      try open.append(JournalRow.samples(1...5))
      var last: UInt64 = 5
      for after in 0...4 {
        let code = kind == MOTION_FILE_SYNC ? Self.ioSync : Self.ioWrite
        disk.fail(kind, of: "-wal", after: after, times: 1, with: code)
        var acknowledged = last
        var group: UInt64 = last
        do {
          while true {
            group = acknowledged + 3
            try open.append(JournalRow.samples(acknowledged + 1...group))
            acknowledged = group
          }
        } catch {
          #expect(error.code == .broken)
        }
        expect(.broken) { try open.append([.sample(acknowledged + 1)]) }
        expect(.broken) { try open.checkpoint(.sample(1)) }
        expect(.broken) { _ = try open.tidy() }
        expect(.broken) { _ = try open.contents() }
        open.close()
        if kind == MOTION_FILE_SYNC {
          #expect(disk.failures == 1)
          #expect(disk.stepsAfterFailure == 0, "the log was synced again after a sync that failed")
        }
        disk.heal()
        open = try journal.open()
        last = try open.contents().lastSequence
        #expect(last == acknowledged || last == group)
        #expect(try open.contents().rows == JournalRow.samples(1...last))
      }
      open.close()
    }

    @Test(
      .fault(
        .storage, "The disk fails while the log is emptied", by: "an I/O error at sync and write of the database",
        promise: "the journal is opened again, and has everything"), arguments: [MOTION_FILE_SYNC, MOTION_FILE_WRITE])
    func aFailureWhileTheLogIsEmptiedBreaksTheJournalAndLosesNothing(kind: motion_file_step_kind) throws {
      let open = try journal.open(options: disk.options(logPages: 12))
      for sequence in UInt64(1)...20 { try open.append([.sample(sequence, bytes: 3000)]) }
      disk.fail(kind, of: ".sqlite", times: 1, with: kind == MOTION_FILE_SYNC ? Self.ioSync : Self.ioWrite)
      expect(.broken) { while try open.tidy() {} }
      expect(.broken) { try open.append([.sample(21)]) }
      open.close()
      disk.heal()
      let again = try journal.open()
      #expect(try again.contents().rows == JournalRow.samples(1...20, bytes: 3000))
      again.close()
    }

    @Test(
      .fault(
        .storage, "The disk is full while the log is emptied", by: "SQLITE_FULL from the database",
        promise: "rows are still written; the journal recovers"))
    func aFullDiskWhileTheLogIsEmptiedHeals() throws {
      let open = try journal.open(options: disk.options(logPages: 12))
      for sequence in UInt64(1)...20 { try open.append([.sample(sequence, bytes: 3000)]) }
      disk.fail(MOTION_FILE_WRITE, of: ".sqlite", with: SQLITE_FULL)
      expect(.full) { while try open.tidy() {} }
      // The log itself still has room.
      try open.append([.sample(21)])
      disk.heal()
      while try open.tidy() {}
      try open.append([.sample(22)])
      #expect(try open.contents().lastSequence == 22)
      open.close()
    }

    /// The rows are on disk then, but no head would show that they have to be.
    @Test(
      .fault(
        .storage, "The head of the journal cannot be written", by: "a head that fails",
        promise: "nothing is acknowledged; the rows are found when it is opened again"))
    func aHeadThatCannotBeWrittenBreaksTheJournal() throws {
      let faulty = FaultyHead(journal.head, in: journal.path)
      var options = JournalOptions()
      options.headStorage = { _, _ in faulty }
      let open = try journal.open(options: options)
      try open.append([.sample(1)])
      faulty.isFailing = true
      expect(.broken) { try open.append(JournalRow.samples(2...3)) }
      #expect(faulty.failures == 1)
      expect(.broken) { try open.append(JournalRow.samples(2...3)) }
      open.close()
      #expect(faulty.failures == 1, "the head was written again after a failure")
      let again = try journal.open()
      #expect(try again.contents().rows == JournalRow.samples(1...3))
      again.close()
    }

    private final class FaultyHead: HeadStorage {
      private let file: HeadDescriptor
      var isFailing = false
      var failures = 0

      init(_ path: String, in directory: String) { file = HeadDescriptor(path, in: directory) }
      func read() throws(JournalError) -> [UInt8]? { try file.read() }
      func create() throws(JournalError) { try file.create() }
      func close() { file.close() }

      func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
        guard isFailing else { return try file.write(bytes, at: offset) }
        failures += 1
        throw .system("sync", "journal.head", 5, as: .broken)
      }
    }
  }
}
