import MotionJournal
import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator
@testable import MotionCore

/// The way of a commit, event by event: the test says what has reached the disk.
struct CommitPipelineTests {
  private let runtime = Runtime(ratePerSecond: 10)
  private let clock = FrameSchedule(ratePerSecond: 10, at: .zero)
  private var commits = CommitPipeline()

  /// A pipeline with a journal.
  private mutating func keepJournal() throws {
    let thread = try JournalThread { () throws(JournalError) in try MemoryJournal(on: MemoryDisk()) }
    runtime.log.keeps.insert(.checkpoints)
    commits = CommitPipeline(journal: JournalKeeper(thread, at: "memory", try thread.contents()))
  }

  private mutating func receive(
    _ id: UInt64, to target: TargetName = "ball", from client: UInt64 = 1, request: UInt64 = 1,
    whileConnected: Bool = false, at time: Double? = nil, bytes: Int = 100
  ) throws -> [String] {
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 1), to: target)
    var commit = Commit(transaction, id: TransactionID(high: 1, low: id))
    (commit.whileConnected, commit.at) = (whileConnected, time)
    let actions = try commits.receive(
      CommitRequest(
        commit: commit, decoded: DecodedCommit(of: commit, bytes: bytes), client: client,
        requester: requester(client, request), wallTime: 0),
      nil, in: runtime, time: 0, at: .zero)
    return texts(actions)
  }

  private func requester(_ client: UInt64, _ request: UInt64) -> Requester {
    Requester(client: RoutingID([UInt8(client)]), request: request)
  }

  /// The actions in short, such as `receipt 1 to 1/7`.
  private func texts(_ actions: [CommitPipeline.Action]) -> [String] {
    func text(_ requester: Requester) -> String { "\(requester.client.bytes[0])/\(requester.request)" }
    return actions.map { action in
      switch action {
      case .reply(let receipt, let requester):
        "receipt \(receipt.sequence)\(receipt.isRepeat ? " again" : "") to \(text(requester))"
      case .done(let requester, let unkept): "done \(text(requester))\(unkept.isEmpty ? "" : " unkept")"
      case .refuse(let refusal, let requester): "refuse \(refusal.code.rawValue) \(text(requester))"
      case .hold(let sequence, let client): "hold \(sequence) for \(client)"
      case .apply(let event): "apply \(event)".prefix { $0 != "(" }.description
      case .log(let level, _): "log \(level)"
      }
    }
  }

  private mutating func durable(_ row: UInt64) -> [String] {
    texts(commits.durable(row, in: runtime, at: .zero))
  }

  private var problem: JournalProblem {
    JournalProblem(JournalError(.full, at: "memory", "the disk is full", remedy: "Make room"))
  }

  @Test mutating func `without a journal a commit is applied at once, and a resent one gets the same receipt`() throws {
    #expect(try receive(1, request: 1, whileConnected: true) == ["hold 1 for 1", "receipt 1 to 1/1"])
    #expect(try receive(1, request: 2, whileConnected: true) == ["receipt 1 again to 1/2"])
    #expect(throws: Refusal.self) { try receive(1, to: "lamp") }
    #expect(commits.commits == 1 && commits.descriptor == nil)
  }

  @Test mutating func `with a journal a commit has no effect and no receipt before it is durable`() throws {
    try keepJournal()
    #expect(try receive(1) == [])
    #expect(runtime.queue.pending.isEmpty && commits.commits == 0)
    #expect(durable(1) == ["receipt 1 to 1/1"])
    #expect(runtime.queue.pending.count == 1 && commits.journal?.appliedRow == 1)
  }

  @Test mutating func `a commit resent before it is durable is applied once, and each sender gets a receipt`()
    throws
  {
    try keepJournal()
    #expect(try receive(1, from: 1, request: 1) == [])
    #expect(try receive(1, from: 1, request: 2) == [])
    #expect(try receive(1, from: 2, request: 9) == [])
    #expect(throws: Refusal.self) { try receive(1, to: "lamp", from: 3) }
    #expect(durable(1) == ["receipt 1 to 1/2", "receipt 1 again to 2/9"])
    #expect(commits.commits == 1)
  }

  @Test mutating func `a stop applied before a commit became durable stops that commit, too`() throws {
    try keepJournal()
    #expect(try receive(1) == [])
    let stop = texts(commits.keep(.stop([]), for: requester(2, 1), in: runtime, time: 0))
    #expect(stop == [])
    #expect(durable(1) == ["apply stop", "receipt 1 to 1/1"])
    #expect(durable(2) == ["done 2/1"])
  }

  @Test mutating func `commits that could not be written are refused and have no effect`() throws {
    try keepJournal()
    #expect(try receive(1) == [])
    #expect(texts(commits.keep(.stop([]), for: requester(2, 1), in: runtime, time: 0)) == [])
    #expect(texts(commits.refused(problem, in: runtime)) == ["refuse storage 1/1"])
    // The stop was applied already.
    #expect(texts(commits.refused(problem, in: runtime)) == ["done 2/1 unkept", "log warning"])
    #expect(texts(commits.failed(problem, at: .zero)) == ["log error"])
    #expect(runtime.queue.pending.isEmpty && runtime.pendingCommits.isEmpty)
    #expect(throws: Refusal.self) { try receive(2) }
    #expect(texts(commits.keep(.stop([]), for: requester(2, 2), in: runtime, time: 0)) == ["done 2/2 unkept"])
    #expect(texts(commits.keep(.clock(.pause), for: requester(2, 3), in: runtime, time: 0)) == ["done 2/3 unkept"])
    // After the disk is well again, the same commit is a new one.
    #expect(texts(commits.healed(0, in: runtime, clock, ClientPresence(), at: .zero)) == ["log notice"])
    #expect(try receive(1) == [])
    #expect(durable(1).count == 1)
  }

  @Test mutating func `the transactions of a disconnected client are withdrawn when the withdrawal is durable`() throws
  {
    #expect(texts(commits.withdraw([1], in: runtime, time: 0)) == ["apply withdraw"])
    try keepJournal()
    #expect(texts(commits.withdraw([1], in: runtime, time: 0)) == [])
    #expect(durable(1) == ["apply withdraw"])
  }

  // Clauses: S11.26
  @Test mutating func `what waits for one frame is bounded, and what is refused takes no room`() throws {
    let half = Limits.waitingBytes / 2
    #expect(try receive(1, bytes: half).count == 1)
    for id in 2...4 as ClosedRange<UInt64> {
      let error = #expect(throws: Refusal.self) { try receive(id, bytes: half + 1) }
      #expect(error?.code == .limit && error?.description.contains("\(half) bytes") == true)
    }
    #expect(try receive(5, bytes: half).count == 1)
    #expect(throws: Refusal.self) { try receive(6) }
    // Those for a later time have a limit of their own, and the next frame makes room.
    #expect(try receive(7, at: 5).count == 1)
    runtime.advance()
    #expect(try receive(8, bytes: half).count == 1)
  }

  @Test mutating func `a waiting transaction is cancelled when that is durable, and no other can be`() throws {
    try keepJournal()
    #expect(try receive(1, at: 5) == [])
    #expect(throws: Refusal.self) { try commits.cancel(1, for: requester(1, 2), in: runtime, time: 0) }
    #expect(durable(1) == ["receipt 1 to 1/1"])
    #expect(texts(try commits.cancel(1, for: requester(1, 2), in: runtime, time: 0)) == [])
    #expect(durable(2) == ["apply withdraw", "done 1/2"])
  }

  @Test mutating func `the time is written at most once in a checkpoint period, and not during a pause`() throws {
    try keepJournal()
    commits.toldTime(in: runtime, clock, at: .zero)
    #expect(commits.timeDeadline(in: runtime, clock) == nil, "no transaction waits")
    _ = try receive(1, at: 5)
    _ = durable(1)
    _ = durable(2)
    #expect(commits.timeDeadline(in: runtime, clock) == JournalKeeper.checkpointPeriod)
    var paused = clock
    paused.pause(at: .zero)
    #expect(commits.timeDeadline(in: runtime, paused) == nil)
  }

  @Test mutating func `a pipeline that is closed refuses commits, and still finishes those under way`() throws {
    try keepJournal()
    #expect(try receive(1) == [])
    commits.close(in: runtime, clock, ClientPresence(), at: .zero)
    #expect(commits.checkpointDeadline == nil)
    #expect(#expect(throws: Refusal.self) { try receive(2) }?.code == .stopping)
    #expect(durable(1) == ["receipt 1 to 1/1"])
    #expect(texts(commits.finish()) == [])
    #expect(commits.journal == nil)
  }
}
