import MotionCore
import MotionJournal
import MotionModel

/// The loop's side of the journal: the submissions on their way to the disk, in order, and when a checkpoint is due.
struct JournalKeeper {
  /// A submission that is not on disk yet.
  enum UnderWay {
    case commit(PendingCommit)
    /// It was applied at once; the requester is answered when it is durable.
    case stop(StopRequest, Requester)
    case clock(Requester)
    /// The transactions of clients that are gone, or a waiting one that its requester cancels.
    case withdraw([UInt64], Requester?)
    /// The present time.
    case time
  }

  /// The interval between checkpoints: with the time of writing one, a second (design §9).
  static let checkpointPeriod = Duration.milliseconds(800)
  /// The most submissions on their way to the disk: ten seconds of the fastest clients, should the disk stall so long.
  static let mostUnderWay = 65_536
  /// How often the interval to the next checkpoint is doubled after checkpoints that could not be read back: to a
  /// minute at last.
  static let mostDoublings = 7
  /// The most targets and plans with which a checkpoint is compared as a whole when motiond stops: a tenth of a
  /// second's work on a machine that is not busy. With 200,000 it took 1.8 s of a stop that takes 0.1 s without.
  static let mostCompared = 10_000
  /// The rows after a checkpoint from which the next is taken although nothing has moved: replaying so many takes a
  /// start a tenth of a second.
  static let mostRows: UInt64 = 10_000
  /// The most operations of all of them: as many as ten of the largest transactions have.
  static let mostOperations = 10 * Limits.operationsPerTransaction
  /// The most bytes of their messages: four of the largest, which take up to five times as much memory when decoded.
  static let mostBytes = 4 * Limits.clientMessageBytes

  let thread: JournalThread
  /// The path of the journal.
  let path: String
  private var underWay: [UnderWay?] = []
  private var first = 0
  private var commits: [TransactionID: PendingCommit] = [:]
  private var operations = 0
  private var bytes = 0
  private var stops = 0
  /// The last row that was applied to the runtime.
  var appliedRow: UInt64
  /// How long groups of rows took to be written and synced.
  private(set) var writes = TimeHistogram()
  private var rows: UInt64 = 0
  /// Why nothing is written, and since when.
  private(set) var problem: (JournalProblem, since: Duration)?
  /// The last row of a journal that can be written again, until the checkpoint that has to come next is taken.
  var healedRow: UInt64?
  /// When the next checkpoint is due; `nil` when nothing has changed since the last.
  var checkpointDue: Duration?
  /// Until when the time written last is recent enough.
  var timeHolds = Duration.zero
  /// How many checkpoints in a row could not be read back, and how many had been written before these.
  var refusals: (count: Int, after: UInt64) = (0, 0)
  /// Whether a checkpoint was due while it could not be taken.
  var isOverdue = false
  /// Whether the last checkpoint was taken: neither time nor checkpoints are written.
  var isClosed = false
  /// Whether each checkpoint is compared with the runtime, as a whole: for tests.
  let comparesCheckpoints: Bool

  init(_ thread: JournalThread, at path: String, _ contents: JournalContents, comparesCheckpoints: Bool = false) {
    (self.thread, self.path, self.comparesCheckpoints) = (thread, path, comparesCheckpoints)
    appliedRow = contents.lastSequence
  }

  // MARK: Submissions

  /// The transaction of this id, if it is on its way to the disk.
  func commit(_ id: TransactionID) -> PendingCommit? { commits[id] }

  /// Whether there is room for another transaction, whose message has so many bytes.
  func hasRoom(for transaction: Transaction, of count: Int) -> Bool {
    underWay.count - first < Self.mostUnderWay && operations + transaction.log.count <= Self.mostOperations
      && bytes + count <= Self.mostBytes
  }

  /// Submits an entry to the journal's thread.
  mutating func submit(_ submission: JournalSubmission, _ item: UnderWay) {
    thread.submit(submission)
    underWay.append(item)
    switch item {
    case .commit(let commit):
      commit.submit()
      commits[commit.id] = commit
      operations += commit.operations
      bytes += commit.bytes
    case .stop: stops += 1
    case .clock, .withdraw, .time: break
    }
  }

  /// Removes and returns the oldest submission.
  mutating func takeOldest() -> UnderWay? {
    guard first < underWay.count, let item = underWay[first] else { return nil }
    underWay[first] = nil
    first += 1
    if first * 2 >= underWay.count {
      underWay.removeFirst(first)
      first = 0
    }
    switch item {
    case .commit(let commit):
      commits[commit.id] = nil
      operations -= commit.operations
      bytes -= commit.bytes
    case .stop: stops -= 1
    case .clock, .withdraw, .time: break
    }
    return item
  }

  /// The stops after the oldest submission, in order: they apply to it, too.
  var stopsUnderWay: [StopRequest] {
    guard stops > 0 else { return [] }
    return underWay[first...].compactMap { if case .stop(let stop, _)? = $0 { stop } else { nil } }
  }

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
    healedRow = nil
  }

  /// The journal can be written again, and holds rows up to this one; a checkpoint has to be the first.
  mutating func canHeal(_ lastRow: UInt64) { healedRow = lastRow }

  /// The journal is written again, from this row on.
  mutating func healed(_ lastRow: UInt64) {
    (problem, healedRow) = (nil, nil)
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
      status.problem = "\(problem.cause). \(problem.remedy)"
      status.problemSeconds = (now - since).inSeconds
    }
    return status
  }
}
