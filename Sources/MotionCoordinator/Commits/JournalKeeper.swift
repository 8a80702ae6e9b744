import MotionCore
import MotionJournal
import MotionModel

/// The loop's side of the journal: the submissions on their way to the disk, in order, and when a checkpoint is due.
struct JournalKeeper {
  /// The interval between checkpoints: with the time of writing one, a second (design §9).
  static let checkpointPeriod = Duration.milliseconds(800)
  /// How often the interval to the next checkpoint is doubled after checkpoints that could not be read back: to a
  /// minute at last.
  static let mostDoublings = 7
  /// The most targets and plans with which a checkpoint is compared as a whole when motiond stops: a tenth of a
  /// second's work on a machine that is not busy. With 200,000 it took 1.8 s of a stop that takes 0.1 s without.
  static let mostCompared = 10_000
  /// The rows after a checkpoint from which the next is taken although nothing has moved: replaying so many takes a
  /// start a tenth of a second.
  static let mostRows: UInt64 = 10_000

  let thread: JournalThread
  /// The path of the journal.
  let path: String
  /// The submissions that are not on disk yet.
  private(set) var queue = SubmissionQueue()
  /// The last row that was applied to the runtime.
  var appliedRow: UInt64
  /// How long groups of rows took to be written and synced.
  private(set) var writes = TimeHistogram()
  private var rows: UInt64 = 0
  /// Why nothing is written, and since when.
  private(set) var problem: (JournalProblem, since: Duration)?
  /// How many stops and changes of the clock since then are in effect and not stored.
  private(set) var unkept = 0
  /// The transactions that were refused although their rows may be on disk, until these are voided.
  var unvoided: Set<UInt64> = []
  /// When the next checkpoint is due; `nil` when nothing has changed since the last.
  var checkpointDue: Duration?
  /// Until when the time written last is recent enough.
  var timeHolds = Duration.zero
  /// How many checkpoints in a row could not be read back, and how many had been written before these.
  var refusals: (count: Int, after: UInt64) = (0, 0)
  /// Whether the last checkpoint was taken: neither time nor checkpoints are written.
  var isClosed = false
  /// Whether each checkpoint is compared with the runtime, as a whole: for tests.
  let comparesCheckpoints: Bool

  init(_ thread: JournalThread, at path: String, _ contents: JournalContents, comparesCheckpoints: Bool = false) {
    (self.thread, self.path, self.comparesCheckpoints) = (thread, path, comparesCheckpoints)
    appliedRow = contents.lastSequence
  }

  // MARK: Submissions

  /// Submits an entry to the journal's thread.
  mutating func submit(_ submission: JournalSubmission, _ item: SubmissionQueue.Item) {
    thread.submit(submission)
    queue.append(item)
  }

  /// Removes and returns the oldest submission: it is on disk, or will never be.
  mutating func takeOldest() -> SubmissionQueue.Item? { queue.takeOldest() }

  // MARK: Progress

  /// How many rows a start would replay.
  var rowsSinceCheckpoint: UInt64 { appliedRow - min(appliedRow, thread.checkpoint.row) }

  /// Records a group that was written.
  mutating func wrote(_ count: Int, nanoseconds: Int64) {
    writes.add(nanoseconds: nanoseconds)
    rows += UInt64(count)
  }

  /// Records that nothing is written any more, or that the reason has changed.
  mutating func failed(_ problem: JournalProblem, at now: Duration) {
    self.problem = (problem, self.problem?.since ?? now)
  }

  /// Counts a stop or a change of the clock that cannot be stored, and returns how many there are.
  mutating func countUnkept() -> Int {
    unkept += 1
    return unkept
  }

  /// The journal is written again, from this row on.
  mutating func healed(_ lastRow: UInt64) {
    (problem, unkept, unvoided) = (nil, 0, [])
    appliedRow = lastRow
  }

  /// The state of the journal, for the status.
  func status(at now: Duration) -> Status.Journal {
    var status = Status.Journal(path: path)
    status.lastRow = appliedRow
    status.rowsSinceCheckpoint = rowsSinceCheckpoint
    status.checkpointBytes = UInt64(thread.checkpoint.bytes)
    status.writes.groups = writes.count
    status.writes.rows = rows
    status.writes.p50 = Double(writes.length(notExceededBy: 500)) * 1e-9
    status.writes.p99 = Double(writes.length(notExceededBy: 990)) * 1e-9
    status.writes.max = Double(writes.longest) * 1e-9
    if let (problem, since) = problem {
      status.problem = problem.text
      status.problemSeconds = (now - since).inSeconds
    }
    return status
  }
}
