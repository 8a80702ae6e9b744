import MotionJournal
import Testing

/// The faults of the disk in memory, on which other tests rely.
struct MemoryJournalTests {
  private let disk = MemoryDisk()

  @Test(arguments: [(MemoryDisk.Fault.full, JournalError.Code.full), (.readOnly, .readOnly)])
  func `a fault that writes nothing breaks no journal`(fault: MemoryDisk.Fault, code: JournalError.Code) throws {
    let journal = try MemoryJournal(on: disk)
    disk.fail(2, with: fault)
    try journal.append([.sample(1)])
    let error = #expect(throws: JournalError.self) { try journal.append([.sample(2)]) }
    #expect(error?.code == code)
    #expect(try journal.contents().rows == [.sample(1)])
    try journal.append([.sample(2)])
    #expect(disk.contents.rows == JournalRow.samples(1...2))
    #expect(disk.writes == 3)
  }

  @Test func `a lasting fault continues until it is healed`() throws {
    let journal = try MemoryJournal(on: disk)
    disk.failAlways(with: .full)
    for _ in 1...3 { #expect(throws: JournalError.self) { try journal.append([.sample(1)]) } }
    disk.failAlways(with: nil)
    try journal.append([.sample(1)])
  }

  @Test(arguments: 0...3)
  func `after a failed sync the durable rows are there once it is opened again`(durable: Int) throws {
    let journal = try MemoryJournal(on: disk)
    try journal.append([.sample(1)])
    disk.fail(with: .broken(durable: durable))
    let error = #expect(throws: JournalError.self) { try journal.append(JournalRow.samples(2...4)) }
    #expect(error?.code == .broken)
    let second = #expect(throws: JournalError.self) { try journal.append(JournalRow.samples(2...4)) }
    #expect(second?.code == .broken)
    #expect(throws: JournalError.self) { try journal.contents() }
    journal.close()
    let reopened = try MemoryJournal(on: disk)
    #expect(try reopened.contents().rows == JournalRow.samples(1...UInt64(1 + durable)))
  }

  @Test(arguments: [0, 1])
  func `a checkpoint with a failed sync is stored wholly or not at all`(durable: Int) throws {
    let journal = try MemoryJournal(on: disk)
    try journal.append(JournalRow.samples(1...2))
    disk.fail(with: .broken(durable: durable))
    #expect(throws: JournalError.self) { try journal.checkpoint(.sample(2)) }
    #expect(disk.contents.checkpoint == (durable == 1 ? .sample(2) : nil))
    #expect(disk.contents.rows.count == (durable == 1 ? 0 : 2))
  }

  @Test func `a disk outlives the process that used it`() throws {
    let journal = try MemoryJournal(on: disk)
    try journal.append([.sample(1)])
    disk.abandon()
    let next = try MemoryJournal(on: disk)
    #expect(try next.contents().rows == [.sample(1)])
    // Closing the abandoned journal does not release the lock of the next one either.
    journal.close()
    #expect(throws: JournalError.self) { try MemoryJournal(on: disk) }
  }
}
