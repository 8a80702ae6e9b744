import CSQLite
import MotionJournal
import MotionTestKit
import PowerLoss
import PowerLossVFS

/// Where the journal of a scenario lies. It outlives whoever writes on it, and may fail.
protocol Storage: AnyObject, Sendable {
  /// Opens the journal.
  func open() throws(JournalError) -> any Journal
  /// What is on it, or was when the journal was opened last.
  var contents: JournalContents { get }
  /// Whether it has failed in what was asked of it when the journal was opened last.
  var failedOpening: Bool { get }

  /// Lets something soon fail once, after which nobody knows what is on disk.
  func failOnce()
  /// Lets everything fail from now on, or nothing any more.
  func failAlways(with fault: MemoryDisk.Fault?)
  /// Whoever writes on it dies in the middle of what it writes next.
  func dieSoon()
  /// Whoever writes on it is dead.
  func die()
  /// Another may write on it; what had not reached the disk is lost with the power.
  func abandon(losesPower: Bool) throws
}

/// Rows in memory, written whole or not at all: quick.
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

/// The journal as it is in the program, on files of which everything is known that is done to them: of each write a part may be
/// left, of what was not synced nothing.
final class FileStorage: Storage, @unchecked Sendable {
  /// Within how many steps whoever writes dies, or something fails: those of a few groups of rows.
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
    // A short log begins anew often.
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
