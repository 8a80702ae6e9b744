import MotionJournal
import MotionModel
import MotionWire
import Synchronization
import Testing

@testable import MotionCoordinator
@testable import MotionCore

/// Groups, failures and recovery, on a disk that the test controls.
struct JournalWriterTests {
  private let disk = MemoryDisk()

  private func writer() throws -> JournalWriter {
    let writer = JournalWriter { [disk] () throws(JournalError) in try MemoryJournal(on: disk) }
    _ = try writer.begin()
    return writer
  }

  private func submission(_ number: UInt64, id: TransactionID = .random()) -> JournalSubmission {
    var transaction = Transaction()
    transaction.add(.springTo("x", Lanes(Double(number))), to: "ball")
    let commit = Commit(transaction, id: id)
    let entry = JournalEntry(
      .commit(sequence: number, commit, client: 7), frame: Frame(number: number, time: 1, dt: 0), time: 1.5)
    return JournalSubmission(entry: entry, transaction: (id, commit.digest, Receipt(sequence: number, frame: 3)))
  }

  private func isDurable(_ outcome: JournalWriter.Outcome, _ row: UInt64) -> Bool {
    if case .durable(row) = outcome { true } else { false }
  }

  private func isWritten(_ outcome: JournalWriter.CheckpointOutcome) -> Bool {
    if case .written = outcome { true } else { false }
  }

  /// The state that a start would recover from the disk.
  private func recovered() throws -> (Runtime, Recovery) {
    let runtime = Runtime()
    return (runtime, try Recovery(disk.contents, into: runtime))
  }

  @Test func `the numbers of rows have no gaps, also after refused groups`() throws {
    let writer = try writer()
    #expect(isDurable(writer.write([submission(1), submission(2)], wallTime: 1), 2))
    disk.fail(with: .full)
    #expect(!isDurable(writer.write([submission(3)], wallTime: 2), 3))
    #expect(writer.problem?.isDoubtful == false)
    #expect(!isDurable(writer.write([submission(4)], wallTime: 2), 3), "all is refused until it is healed")
    #expect(writer.heal(wallTime: 3))
    #expect(isDurable(writer.write([submission(5)], wallTime: 4), 4))
    let (runtime, recovery) = try recovered()
    #expect(recovery.acknowledged.map(\.receipt.sequence) == [1, 2, 5])
    runtime.advanceUntilRest()
    #expect(runtime.state(of: "x", on: "ball")?.value == 5)
  }

  // Clauses: S17.8
  @Test(arguments: [0, 1, 2])
  func `refused rows that are on disk nevertheless are voided`(durable: Int) throws {
    let writer = try writer()
    let (first, second, third) = (TransactionID.random(), TransactionID.random(), TransactionID.random())
    _ = writer.write([submission(1, id: first)], wallTime: 1)
    disk.fail(with: .broken(durable: durable))
    #expect(!isDurable(writer.write([submission(2, id: second), submission(3, id: third)], wallTime: 2), 3))
    #expect(writer.problem?.isDoubtful == true)
    #expect(writer.heal(wallTime: 3))
    // One of them is resent, as its client was asked to do.
    #expect(isDurable(writer.write([submission(4, id: third)], wallTime: 4), writer.lastRow))
    let (runtime, recovery) = try recovered()
    #expect(recovery.acknowledged.map(\.id) == [first, third])
    #expect(recovery.acknowledged.map(\.receipt.sequence) == [1, 4])
    runtime.advance()
    #expect(runtime.counts.intentions == 1)
    runtime.advanceUntilRest()
    #expect(runtime.state(of: "x", on: "ball")?.value == 4)
  }

  @Test func `a failed journal is retried with backoff, and states its present problem`() throws {
    let writer = try writer()
    disk.failAlways(with: .broken(durable: 0))
    _ = writer.write([submission(1)], wallTime: 1)
    var timeout: [Duration] = []
    for _ in 0..<7 {
      timeout.append(try #require(writer.retryDelay))
      #expect(!writer.heal(wallTime: 2))
    }
    #expect(timeout == [100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
    disk.failAlways(with: nil)
    #expect(writer.heal(wallTime: 3))
    #expect(writer.retryDelay == nil)
    // After the probe row, and the row that voids the refused ones.
    #expect(isDurable(writer.write([submission(1)], wallTime: 4), 3))
  }

  @Test func `a checkpoint that cannot be written stops the journal, and the previous one counts`() throws {
    let writer = try writer()
    let runtime = Runtime()
    runtime.log.keeps.insert(.checkpoints)
    _ = writer.write([submission(1)], wallTime: 1)
    disk.fail(with: .broken(durable: 0))
    let head = runtime.checkpointHead()
    #expect(!isWritten(writer.write(JournalSnapshot(row: 1, head: head, columns: runtime.columns))))
    #expect(writer.problem != nil)
    #expect(writer.heal(wallTime: 2))
    #expect(isWritten(writer.write(JournalSnapshot(row: 2, head: head, columns: runtime.columns))))
    #expect(disk.contents.checkpoint?.sequence == 2)
  }

  // Clauses: S17.8, S17.21
  @Test func `a journal that was exchanged during a failure is not used`() throws {
    let place = Mutex(disk)
    let writer = JournalWriter { () throws(JournalError) in try MemoryJournal(on: place.withLock { $0 }) }
    _ = try writer.begin()
    #expect(isDurable(writer.write([submission(1), submission(2)], wallTime: 1), 2))
    disk.fail(with: .broken(durable: 1))
    #expect(!isDurable(writer.write([submission(3)], wallTime: 2), 3))
    // The journal was removed meanwhile: opening creates a new one.
    place.withLock { $0 = MemoryDisk() }
    #expect(!writer.heal(wallTime: 3))
    #expect(writer.problem?.cause.contains("it ends with row 0, and row 2 was acknowledged") == true)
    place.withLock { $0 = disk }
    #expect(writer.heal(wallTime: 4))
    #expect(writer.problem == nil)
    let (_, recovery) = try recovered()
    #expect(recovery.acknowledged.map(\.receipt.sequence) == [1, 2])
  }

  @Test func `a checkpoint that is too large is not written, and the rows stay`() throws {
    let journal = try SmallJournal(on: disk)
    let writer = JournalWriter { () throws(JournalError) in journal }
    _ = try writer.begin()
    let runtime = Runtime()
    let snapshot = JournalSnapshot(row: 0, head: runtime.checkpointHead(), columns: runtime.columns)
    journal.isSmall = true
    #expect(!isWritten(writer.write(snapshot)))
    #expect(writer.problem == nil && writer.checkpointProblem?.remedy == "Forget something")
    #expect(isDurable(writer.write([submission(1)], wallTime: 1), 1))
    journal.isSmall = false
    #expect(isWritten(writer.write(snapshot)))
    #expect(writer.checkpointProblem == nil)
  }
}

/// A journal that sometimes has no room for checkpoints.
private final class SmallJournal: Journal {
  private let journal: MemoryJournal
  var isSmall = false

  init(on disk: MemoryDisk) throws(JournalError) { journal = try MemoryJournal(on: disk) }

  func contents() throws(JournalError) -> JournalContents { try journal.contents() }
  func append(_ rows: [JournalRow]) throws(JournalError) { try journal.append(rows) }
  func part(_ number: UInt64) throws(JournalError) -> [UInt8]? { try journal.part(number) }
  func tidy() throws(JournalError) -> Bool { try journal.tidy() }
  func close() { journal.close() }

  func checkpoint(_ update: CheckpointUpdate, check: CheckpointCheck) throws(JournalError) -> Int {
    if isSmall { throw JournalError(.tooLarge, at: "memory", "it is too large", remedy: "Forget something") }
    return try journal.checkpoint(update, check: check)
  }
}
