import CSQLite
import MotionJournal
import MotionTestKit
import PowerLoss
import PowerLossVFS

/// The storage of a scenario's journal. It outlives the coordinators that write it, and may fail.
protocol Storage: AnyObject, Sendable {
  /// Opens the journal.
  func open() throws(JournalError) -> any Journal
  /// The contents of the journal, or those of the last opening.
  var contents: JournalContents { get }
  /// Whether an injected fault occurred during the last opening.
  var failedOpening: Bool { get }

  /// Makes a single operation fail soon. After that, the contents of the disk are unknown.
  func failOnce()
  /// Makes every operation fail from now on, or none with `nil`.
  func failAlways(with fault: MemoryDisk.Fault?)
  /// The process that writes the journal dies during one of its next writes.
  func dieSoon()
  /// The process that writes the journal is dead.
  func die()
  /// Allows another process to open the journal. With `losesPower`, data that was not synced is lost.
  func abandon(losesPower: Bool) throws
}

/// Rows in memory, written completely or not at all: fast.
final class RowStorage: Storage, @unchecked Sendable {
  private let disk = MemoryDisk()
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  func open() throws(JournalError) -> any Journal { try MemoryJournal(on: disk) }
  var contents: JournalContents { disk.contents }
  var failedOpening: Bool { false }

  private var torn: MemoryDisk.Fault { .broken(durable: Int.random(in: 0...3, using: &random)) }

  func failOnce() { disk.fail(Int.random(in: 1...3, using: &random), with: torn) }
  func failAlways(with fault: MemoryDisk.Fault?) { disk.failAlways(with: fault) }
  func dieSoon() { disk.fail(with: torn) }
  func die() {}
  func abandon(losesPower: Bool) { disk.abandon() }
}

/// The journal of the program, on files whose every operation is recorded. A write may survive in part, and unsynced
/// data may be lost.
final class FileStorage: Storage, @unchecked Sendable {
  /// The number of steps within which the writing process dies or an operation fails: those of a few groups of rows.
  private static let soon = 0..<30

  private let disk: RecordedDisk
  private let options: JournalOptions
  private var random: SeededRandom
  private var lasting: MemoryDisk.Fault?
  private(set) var contents = JournalContents()
  private(set) var failedOpening = false

  init(below directory: String, seed: UInt64) {
    random = SeededRandom(seed: seed)
    disk = RecordedDisk(below: directory)
    // A short log restarts often.
    options = disk.options(logPages: [8, 50, 1000][Int.random(in: 0..<3, using: &random)])
  }

  func open() throws(JournalError) -> any Journal {
    let failures = disk.failures
    defer { failedOpening = disk.failures != failures }
    do {
      try disk.forgetWhatFailed(&random)
    } catch {
      throw JournalError(.inaccessible, at: disk.directory, "\(error)", remedy: "Make room in memory")
    }
    let journal = try disk.open(options)
    contents = try journal.contents()
    return journal
  }

  func failOnce() {
    if lasting == nil { disk.fail(after: Int.random(in: Self.soon, using: &random), times: 1, with: SQLITE_IOERR) }
  }

  func failAlways(with fault: MemoryDisk.Fault?) {
    lasting = fault
    switch fault {
    case .full: disk.fail(MOTION_FILE_WRITE, with: SQLITE_FULL)
    case .readOnly: disk.fail(MOTION_FILE_WRITE, with: SQLITE_READONLY)
    case .broken: disk.fail(with: SQLITE_IOERR)
    case nil: disk.heal()
    }
  }

  func dieSoon() { disk.fail(after: Int.random(in: Self.soon, using: &random), with: SQLITE_IOERR) }
  func die() { disk.fail(with: SQLITE_IOERR) }

  func abandon(losesPower: Bool) throws {
    if losesPower { try disk.losePower(&random) }
    failAlways(with: lasting)
  }
}
