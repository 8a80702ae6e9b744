import MotionCore
import MotionJournal
import MotionModel
import ZeroMQ

/// Whoever is answered when something is on disk.
struct Requester {
  let client: RoutingID
  let request: UInt64
  /// Who is at the other end of its connection, as far as that is known and of use.
  var peer: PeerName.Peer?
}

/// A transaction that was accepted and is not on disk yet, so that nothing of it has happened.
final class CommitUnderWay {
  let accepted: AcceptedTransaction
  let id: TransactionID
  let digest: TransactionDigest
  /// The length of its message.
  let bytes: Int
  /// The client that committed it.
  let client: UInt64
  /// The client, if the transaction holds only while it is connected.
  let owner: UInt64?
  /// Who has committed it, the first first: whoever asks again meanwhile gets the same answer.
  var requesters: [Requester]

  init(
    _ accepted: AcceptedTransaction, _ commit: Commit, _ decoded: DecodedCommit, client: UInt64, _ requester: Requester
  ) {
    (self.accepted, id, digest, bytes) = (accepted, commit.id, decoded.digest, decoded.bytes)
    self.client = client
    owner = commit.whileConnected ? client : nil
    requesters = [requester]
  }
}

/// What the loop knows of the journal: what is under way to the disk, in order, and when a checkpoint is due.
struct JournalKeeper {
  /// What was given away and is not on disk yet.
  enum UnderWay {
    case commit(CommitUnderWay)
    /// It was done at once; whoever asked hears of it when it will not be forgotten.
    case stop(StopRequest, Requester)
    case clock(Requester)
    /// The transactions of clients that are gone, or one that waits and is cancelled by whoever asked.
    case withdraw([UInt64], Requester?)
    /// What time it is.
    case time
  }

  /// How old a checkpoint may be when the next is taken: with what writing it takes, a second (design §9).
  static let checkpointPeriod = Duration.milliseconds(800)
  /// Transactions that may be under way to the disk: ten seconds of the fastest clients, should it stand still so long.
  static let mostUnderWay = 65_536
  /// How often the time to the next checkpoint is doubled after some that could not be read back: to a minute at last.
  static let mostDoublings = 7
  /// How many targets and plans a checkpoint is compared with as a whole when motiond stops: a tenth of a second's work on a
  /// machine that is not busy. Of 200,000 it took 1.8 s of a stop that takes 0.1 s without.
  static let mostCompared = 10_000
  /// Rows after a checkpoint from which on the next is taken although nothing has moved: doing so many again takes a start
  /// a tenth of a second.
  static let mostRows: UInt64 = 10_000
  /// Operations of all of them: as many as ten of the largest transactions have.
  static let mostOperations = 10 * Limits.operationsPerTransaction
  /// Bytes of their messages: four of the largest, which decoded take up to five times as much memory.
  static let mostBytes = 4 * Limits.clientMessageBytes

  let thread: JournalThread
  /// Where it is.
  let path: String
  private var underWay: [UnderWay?] = []
  private var first = 0
  private var commits: [TransactionID: CommitUnderWay] = [:]
  private var operations = 0
  private var bytes = 0
  private var stops = 0
  /// The last row whose effect the runtime has.
  var appliedRow: UInt64
  /// How long groups of rows took to be written and synced.
  private(set) var writes = TimeHistogram()
  private var rows: UInt64 = 0
  /// Why nothing is written, and since when.
  private(set) var problem: (JournalProblem, since: Duration)?
  /// The last row of a journal that can be written again, until the checkpoint can be taken that has to be its next.
  private(set) var healedRow: UInt64?
  /// When the next checkpoint is due; `nil` when nothing has changed since the last.
  private(set) var checkpointDue: Duration?
  /// Until when the time that was written down last is near enough.
  private(set) var timeHolds = Duration.zero
  /// How many in a row could not be read back, and how many had been written before these.
  private var refusals: (count: Int, after: UInt64) = (0, 0)
  /// Whether one was due while it could not be taken.
  private var isOverdue = false

  init(_ thread: JournalThread, at path: String, _ contents: JournalContents) {
    (self.thread, self.path) = (thread, path)
    appliedRow = contents.lastSequence
  }

  // MARK: What is under way

  /// The transaction of this id, if it is under way.
  func commit(_ id: TransactionID) -> CommitUnderWay? { commits[id] }

  /// Whether there is room for another transaction, whose message has so many bytes.
  func hasRoom(for transaction: Transaction, of count: Int) -> Bool {
    underWay.count - first < Self.mostUnderWay && operations + transaction.log.count <= Self.mostOperations
      && bytes + count <= Self.mostBytes
  }

  /// Gives something away to be kept.
  mutating func submit(_ submission: JournalSubmission, _ item: UnderWay) {
    thread.submit(submission)
    underWay.append(item)
    switch item {
    case .commit(let commit):
      commits[commit.id] = commit
      operations += commit.accepted.transaction.log.count
      bytes += commit.bytes
    case .stop: stops += 1
    case .clock, .withdraw, .time: break
    }
  }

  /// Takes out the oldest that is under way.
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
      operations -= commit.accepted.transaction.log.count
      bytes -= commit.bytes
    case .stop: stops -= 1
    case .clock, .withdraw, .time: break
    }
    return item
  }

  /// The stops that came after the oldest, in order: they stop it, too.
  var stopsUnderWay: [StopRequest] {
    guard stops > 0 else { return [] }
    return underWay[first...].compactMap { if case .stop(let stop, _)? = $0 { stop } else { nil } }
  }

  // MARK: How it goes

  /// How many rows a start would do again.
  var rowsSinceCheckpoint: UInt64 { appliedRow - min(appliedRow, thread.checkpoint.row) }

  /// A group was written.
  mutating func wrote(_ count: Int, nanoseconds: Int64) {
    writes.add(nanoseconds: nanoseconds)
    rows += UInt64(count)
  }

  /// Nothing is written any more, or still nothing, for another reason.
  mutating func failed(_ problem: JournalProblem, at now: Duration) {
    self.problem = (problem, self.problem?.since ?? now)
    healedRow = nil
  }

  /// It can be written again, and holds rows up to this one; a checkpoint has to be the first.
  mutating func canHeal(_ lastRow: UInt64) { healedRow = lastRow }

  /// That checkpoint is the next.
  mutating func healed(_ lastRow: UInt64, at now: Duration) {
    (problem, healedRow) = (nil, nil)
    appliedRow = lastRow
    checkpointDue = now
  }

  // MARK: Checkpoints

  /// Something has changed that a checkpoint holds.
  mutating func changed(at now: Duration) {
    guard checkpointDue == nil else { return }
    checkpointDue = isOverdue ? now : now + Self.checkpointPeriod
    isOverdue = false
  }

  /// A checkpoint was given away.
  mutating func tookCheckpoint(at now: Duration) {
    checkpointDue = nil
    keptTime(at: now)
  }

  /// One is due, and not everything that it needs was told yet.
  mutating func stayDue(at now: Duration) { checkpointDue = now }

  /// The last one could not be read back: the next is taken later each time, because it is whole and costs what there is.
  mutating func refusedCheckpoint(at now: Duration) {
    let written = thread.checkpoint.count
    refusals = written == refusals.after ? (min(refusals.count + 1, Self.mostDoublings), written) : (1, written)
    checkpointDue = now + Self.checkpointPeriod * (1 << (refusals.count - 1))
  }

  /// One is due and cannot be taken before the next frame has been run.
  mutating func postpone() { (checkpointDue, isOverdue) = (nil, true) }

  // MARK: Time

  /// The time is being written down: what is told of it within a checkpoint period is near enough.
  mutating func keptTime(at now: Duration) { timeHolds = now + Self.checkpointPeriod }

  /// What the status says.
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
