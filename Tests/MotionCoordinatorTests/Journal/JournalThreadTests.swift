import Glibc
import LinuxSystem
import MotionJournal
import MotionModel
import Testing
import ZeroMQ

@testable import MotionCoordinator
@testable import MotionCore

/// The thread between the loop and the disk.
struct JournalThreadTests {
  private let disk = MemoryDisk()

  private func thread() throws -> JournalThread {
    let thread = try JournalThread { [disk] () throws(JournalError) in try MemoryJournal(on: disk) }
    _ = try thread.contents()
    return thread
  }

  private var submission: JournalSubmission {
    JournalSubmission(entry: JournalEntry(.stop([]), frame: Frame(number: 0, time: 0, dt: 0), time: 0))
  }

  /// Takes events until one matches, and performs an action in between.
  private func hear(
    from thread: JournalThread, until isLast: (JournalThread.Event) -> Bool, meanwhile: () -> Void = {}
  ) throws -> [JournalThread.Event] {
    var heard: [JournalThread.Event] = []
    let deadline = BootClock.now + .seconds(10)
    while BootClock.now < deadline {
      for event in thread.takeEvents() {
        heard.append(event)
        if isLast(event) { return heard }
      }
      meanwhile()
      poll(nil, 0, 1)
    }
    Issue.record("it was not heard within 10 s")
    return heard
  }

  @Test(.timeLimit(.minutes(1)))
  func `rows that arrive during a write form the next group, and are reported in order`() throws {
    let thread = try thread()
    for _ in 0..<1000 { thread.submit(submission) }
    var rows = 0
    _ = try hear(
      from: thread,
      until: { event in
        guard case .durable(let count, let lastRow, _) = event else { return false }
        rows += count
        #expect(lastRow == UInt64(rows))
        return rows == 1000
      })
    #expect(disk.contents.rows.count == 1000)
    #expect(disk.writes <= 1000)
    #expect(thread.finish())
  }

  // Clauses: S17.8
  @Test(.timeLimit(.minutes(1)))
  func `the journal recovers while the loop keeps reporting changes`() throws {
    let thread = try thread()
    disk.failAlways(with: .broken(durable: 0))
    thread.submit(submission)
    let failure = try hear(from: thread, until: { if case .failed = $0 { true } else { false } })
    guard case .refused(1, _)? = failure.first else {
      Issue.record("\(failure)")
      return
    }
    thread.submit(submission)
    _ = try hear(from: thread, until: { if case .refused(1, _) = $0 { true } else { false } })
    disk.failAlways(with: nil)
    _ = try hear(
      from: thread, until: { if case .healed = $0 { true } else { false } },
      meanwhile: { thread.note(CheckpointChanges()) })
    // The snapshot comes first, then the rows that follow it.
    let runtime = Runtime()
    thread.snapshot(JournalSnapshot(row: 1, head: runtime.checkpointHead(), columns: runtime.columns))
    thread.submit(submission)
    _ = try hear(from: thread, until: { if case .durable = $0 { true } else { false } })
    #expect(disk.contents.checkpoint?.sequence == 1)
    #expect(thread.checkpoint.row == 1 && thread.checkpoint.bytes > 0)
    #expect(thread.finish())
  }

  @Test(.timeLimit(.minutes(1)))
  func `a journal that cannot be opened is reported`() throws {
    let first = try thread()
    let second = try JournalThread { [disk] () throws(JournalError) in try MemoryJournal(on: disk) }
    #expect(throws: JournalError.self) { try second.contents() }
    #expect(first.finish())
  }
}
