import Logging
import MotionCore
import MotionModel
import MotionWire

/// Takes commits from their request to their effect, and everything else that is kept over a restart to the journal.
///
/// A commit is checked, submitted to the journal, durable, and then applied; without a journal it is applied at once
/// (``PendingCommit``). A resent commit joins the one in progress, or gets the receipt of the one before.
///
/// Each call is one event. It returns what the owner has to do, in order.
struct CommitPipeline {
  /// An action for the owner.
  enum Action {
    /// Send the receipt.
    case reply(Receipt, Requester)
    /// What was requested is done; answer with the present time and, if that is so, why it is not stored.
    case done(Requester, unkept: String = "")
    case refuse(Refusal, Requester)
    /// The transaction holds while this client is connected.
    case hold(sequence: UInt64, client: UInt64)
    /// Apply this at once, between frames.
    case apply(RuntimeEvent)
    case log(Logger.Level, String)
  }

  /// The journal; `nil` if nothing is kept.
  private(set) var journal: JournalKeeper?
  private var memory = CommitMemory()
  /// What lists of cues do by themselves.
  var cues = CueDriver()
  /// How many commits were applied since the start.
  private(set) var commits: UInt64 = 0
  /// How many checkpoints could not be read back and were rolled back.
  private(set) var refusedCheckpoints: UInt64 = 0
  /// The bytes of messages with transactions for the next frame, and that frame.
  private var next: (frame: UInt64, bytes: Int) = (0, 0)
  /// Whether the coordinator stops: commits are refused.
  private var isClosing = false

  init(journal: JournalKeeper? = nil, memory: CommitMemory = CommitMemory()) {
    (self.journal, self.memory) = (journal, memory)
  }

  /// The descriptor that becomes readable when there are events of the journal; `nil` without one.
  var descriptor: Int32? { journal?.thread.descriptor }

  /// Why nothing is written, and the remedy; empty while everything is.
  var problem: String { journal?.problem?.0.text ?? "" }

  /// The sequences of the transactions that a journal may have and that were not applied: a start applies them.
  var unapplied: Set<UInt64> { journal.map { $0.queue.sequences.union($0.unvoided) } ?? [] }

  /// The ids of the transactions that were committed.
  var remembered: CommitMemory { memory }

  // MARK: Commits

  /// Looks up whether a transaction was committed before.
  mutating func recall(_ id: TransactionID, _ digest: TransactionDigest, at now: Duration) -> CommitMemory.Recall {
    memory.recall(id, digest, at: now)
  }

  /// A client commits a transaction.
  ///
  /// - Parameters:
  ///   - check: the finished check of the transaction, if it was checked already.
  ///   - time: the present simulated time.
  ///   - hold: the hold in effect, which may refuse what was not committed before.
  /// - Throws: ``MotionModel/Refusal``; nothing has changed then.
  mutating func receive(
    _ request: CommitRequest, _ check: TransactionCheck?, in runtime: Runtime, time: Double,
    held hold: ClockHold? = nil,
    at now: Duration
  ) throws(Refusal) -> [Action] {
    guard !isClosing else {
      throw Refusal(.stopping, "motiond is stopping", remedy: "Commit again when it is back")
    }
    let commit = request.commit
    switch memory.recall(commit.id, request.decoded.digest, at: now) {
    case .same(let receipt): return request.requester.map { [.reply(receipt, $0)] } ?? []
    case .other: throw .idReused(commit.id)
    case .new: if try joins(request) { return [] }
    }
    try request.grant?.check(request.decoded.highestPriority)
    // Limits of the rig wait for the release: nobody would commit them again.
    if let hold, hold.refuses, request.requester != nil {
      throw Refusal(.held, "motion is held by \(hold.by)", remedy: "Commit again after a release: motionctl release")
    }
    let check = if let check { check } else { try TransactionCheck(commit.transaction, in: runtime) }
    try check.finish()
    try checkPriorities(of: check.transaction, recalledBy: request)
    let room = try room(for: request, check.bytes, in: runtime)
    let provenance = Provenance(of: commit, from: request.requester?.peer, wallTime: request.wallTime)
    var accepted = try runtime.accept(check, at: commit.at, by: provenance, now: time)
    next = (runtime.frame.number, room)
    accepted.overdue = commit.at.map { time - $0 }.flatMap { $0 > 0 ? $0 : nil }
    let pending = PendingCommit(accepted, request, bytes: check.bytes)
    guard journal != nil else { return apply(pending, in: runtime, at: now) }
    // With the targets for which its selectors stood, and the plans of the scenes that it recalls.
    var stored = commit
    stored.transaction = accepted.transaction
    let event = JournalEntry.Event.commit(sequence: accepted.sequence, stored, client: request.client)
    var submission = JournalSubmission(event, in: runtime, time: time)
    submission.transaction = (commit.id, request.decoded.digest, accepted.receipt)
    submission.said = !commit.transaction.hasRequests ? request.decoded.said : nil
    submission.entry.provenance = provenance
    journal?.submit(submission, .commit(pending))
    return []
  }

  /// Refuses a transaction that recalls a scene, or lets a cue go, with a priority above the grant.
  private func checkPriorities(of resolved: Transaction, recalledBy request: CommitRequest) throws(Refusal) {
    let committed = request.commit.transaction
    guard let operation = (Array(committed.recalls.keys) + committed.cueSteps.keys).min() else { return }
    do throws(Refusal) {
      try request.grant?.check(HighestPriority(of: resolved))
    } catch {
      var refusal = error
      (refusal.operation, refusal.field) = (operation, committed.recalls[operation] == nil ? "cue" : "recall")
      throw refusal
    }
  }

  /// Refuses a transaction that could not be kept, before anything is done for it.
  ///
  /// - Returns: whether the same transaction is already in progress, so that there is nothing to do.
  private func joins(_ request: CommitRequest) throws(Refusal) -> Bool {
    guard let journal else { return false }
    if let same = journal.queue.commit(request.commit.id) {
      guard same.digest == request.decoded.digest else { throw .idReused(request.commit.id) }
      if let requester = request.requester { same.join(requester) }
      return true
    }
    if let (problem, _) = journal.problem { throw problem.refusal }
    guard journal.queue.hasRoom(for: request.commit.transaction, of: request.decoded.bytes) else {
      throw Refusal(
        .limit, "too many transactions wait for the disk of \(journal.path)", remedy: "Commit again in a second")
    }
    return false
  }

  /// Refuses a transaction for the next frame when very much waits for that frame: time stands, or frames are late.
  ///
  /// - Returns: how many bytes are committed for the next frame with this transaction.
  private func room(for request: CommitRequest, _ more: Int?, in runtime: Runtime) throws(Refusal) -> Int {
    let more = more ?? request.decoded.bytes
    let bytes = next.frame == runtime.frame.number ? next.bytes : 0
    guard request.commit.at.map({ $0 <= runtime.frame.time }) ?? true else { return bytes }
    guard runtime.waitingCount < Limits.waitingTransactions, bytes + more <= Limits.waitingBytes
    else {
      throw Refusal(
        .limit, "\(runtime.waitingCount) transactions wait, and \(bytes) bytes were committed for the next frame",
        remedy: "Commit again after the next frame")
    }
    return bytes + more
  }

  /// Applies a transaction, and sends its receipt to everyone who waits for it.
  private mutating func apply(_ commit: PendingCommit, in runtime: Runtime, at now: Duration) -> [Action] {
    var receipt = commit.apply(in: runtime)
    memory.remember(commit.id, commit.digest, receipt, at: now)
    commits += 1
    var actions: [Action] = []
    if let owner = commit.owner { actions.append(.hold(sequence: receipt.sequence, client: owner)) }
    // The transaction was accepted before these stops, so it is stopped before it begins.
    for stop in journal?.queue.stops ?? [] { actions.append(.apply(.stop(stop))) }
    for requester in commit.requesters {
      actions.append(.reply(receipt, requester))
      receipt.isRepeat = true
    }
    return actions
  }

  // MARK: Other events

  /// A stop or a change of the clock was applied. It is written, and answered as soon as it is durable.
  mutating func keep(
    _ event: JournalEntry.Event, for requester: Requester, in runtime: Runtime, time: Double
  ) -> [Action] {
    guard let journal else { return [.done(requester)] }
    if let (problem, _) = journal.problem { return unkept(problem, requester) }
    let submission = JournalSubmission(event, in: runtime, time: time)
    if case .stop(let stop) = event {
      self.journal?.submit(submission, .stop(stop, requester))
    } else {
      self.journal?.submit(submission, .clock(requester))
    }
    return []
  }

  /// A stop or a change of the clock cannot be written. It is in effect, and the first checkpoint after the failure
  /// contains it; a restart before that would undo it.
  private mutating func unkept(_ problem: JournalProblem, _ requester: Requester) -> [Action] {
    let text = problem.text
    var actions = [Action.done(requester, unkept: text)]
    if journal?.countUnkept() == 1 {
      actions.append(
        .log(
          .warning, "a stop or a change of the clock is in effect and cannot be stored: a restart undoes it. \(text)"))
    }
    return actions
  }

  /// Clients are gone whose transactions held while they were connected: these are withdrawn, once that is durable.
  mutating func withdraw(_ sequences: [UInt64], in runtime: Runtime, time: Double) -> [Action] {
    guard let journal, journal.problem == nil else { return [.apply(.withdraw(sequences))] }
    self.journal?.submit(
      JournalSubmission(.withdraw(sequences), in: runtime, time: time), .withdraw(sequences, nil))
    return []
  }

  /// Cancels a transaction that waits for its time or for the next frame, once the cancellation is durable.
  ///
  /// - Throws: ``MotionModel/Refusal`` if no such transaction waits, or nothing can be written.
  mutating func cancel(
    _ sequence: UInt64, for requester: Requester, in runtime: Runtime, time: Double
  ) throws(Refusal) -> [Action] {
    guard runtime.isWaiting(sequence) else {
      throw Refusal(
        .notFound, "no transaction \(sequence) waits",
        remedy: "List the waiting transactions: motionctl list waiting")
    }
    guard let journal else { return [.apply(.withdraw([sequence])), .done(requester)] }
    if let (problem, _) = journal.problem { throw problem.refusal }
    self.journal?.submit(
      JournalSubmission(.withdraw([sequence]), in: runtime, time: time), .withdraw([sequence], requester))
    return []
  }

  // MARK: Events of the journal

  /// The events of the journal since the last call; each is passed to one of the methods below.
  func takeEvents() -> [JournalThread.Event] { journal?.thread.takeEvents() ?? [] }

  /// A group of submissions was written; each is then passed to ``durable(_:in:at:)``.
  mutating func wrote(_ count: Int, nanoseconds: Int64) { journal?.wrote(count, nanoseconds: nanoseconds) }

  /// The oldest submission is on disk, as this row. The caller carries out the actions before it passes the next row.
  mutating func durable(_ row: UInt64, in runtime: Runtime, at now: Duration) -> [Action] {
    // First, because a stop that follows may take a checkpoint, and this row is then part of it.
    journal?.appliedRow = row
    switch journal?.takeOldest() {
    case .commit(let commit):
      commit.reachDisk()
      return apply(commit, in: runtime, at: now)
    case .stop(_, let requester), .clock(let requester): return [.done(requester)]
    case .withdraw(let sequences, nil): return [.apply(.withdraw(sequences))]
    case .withdraw(let sequences, let requester?): return [.apply(.withdraw(sequences)), .done(requester)]
    case .time, nil: return []
    }
  }

  /// The oldest submission could not be written.
  mutating func refused(_ problem: JournalProblem, in runtime: Runtime) -> [Action] {
    switch journal?.takeOldest() {
    case .commit(let commit):
      if let sequence = commit.sequence { journal?.unvoided.insert(sequence) }
      commit.refuse(in: runtime)
      return commit.requesters.map { .refuse(problem.refusalUnderWay, $0) }
    case .stop(_, let requester), .clock(let requester): return unkept(problem, requester)
    case .withdraw(let sequences, nil): return [.apply(.withdraw(sequences))]
    case .withdraw(_, let requester?): return [.refuse(problem.refusalUnderWay, requester)]
    case .time, nil: return []
    }
  }

  /// Nothing is written from now on.
  mutating func failed(_ problem: JournalProblem, at now: Duration) -> [Action] {
    journal?.failed(problem, at: now)
    return [
      .log(.error, "transactions are refused while the journal cannot be written: \(problem.text)")
    ]
  }

  /// Rows are written, but no checkpoint until one can be written again.
  func withoutCheckpoint(_ problem: JournalProblem) -> [Action] {
    [.log(.error, "no checkpoint can be written, so the next start takes longer: \(problem.text)")]
  }

  /// A checkpoint could not be read back. Nothing is lost: the previous checkpoint and all rows are there. The next
  /// checkpoint is full. The runtime passes its contents again, in parts small enough that no frame is late.
  mutating func refusedCheckpoint(_ problem: JournalProblem, in runtime: Runtime, at now: Duration) -> [Action] {
    refusedCheckpoints += 1
    journal?.refusedCheckpoint(in: runtime, at: now)
    return [.log(.error, "a checkpoint was refused: \(problem.text)")]
  }

  /// The journal can be written again, and holds rows up to this one.
  mutating func healed(
    _ lastRow: UInt64, in runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration
  ) -> [Action] {
    journal?.heal(lastRow, in: runtime, clock, presence, at: now)
    return [.log(.notice, "the journal can be written again\(isClosing ? "" : ", and transactions are accepted")")]
  }

  // MARK: Time and checkpoints

  /// The time is sent to a client. A restart may take back at most one checkpoint period of it, also when nothing moves
  /// and no checkpoint is taken. This costs no wake-up.
  mutating func toldTime(in runtime: Runtime, _ clock: FrameSchedule, at now: Duration) {
    journal?.toldTime(in: runtime, clock, at: now)
  }

  /// When the time has to be written to the journal because a transaction waits for its time; `nil` while none does.
  func timeDeadline(in runtime: Runtime, _ clock: FrameSchedule) -> Duration? {
    journal?.timeDeadline(in: runtime, clock)
  }

  /// When a checkpoint has to be taken; `nil` while none is due, or none can be written.
  var checkpointDeadline: Duration? { journal?.checkpointDeadline }

  /// Whether so many rows follow the last checkpoint that the next is taken although nothing has moved.
  var hasManyRows: Bool { journal?.rowsSinceCheckpoint ?? 0 > JournalKeeper.mostRows }

  /// Something has changed: a frame was run, or something took effect between frames.
  mutating func changed(
    in runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration
  ) {
    journal?.changed(in: runtime, clock, presence, at: now)
  }

  /// The last checkpoint is older than a second of motion: the next is due.
  mutating func needCheckpoint(at now: Duration) { journal?.checkpointDue = now }

  /// Time has passed.
  mutating func deadline(in runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration) {
    journal?.deadline(in: runtime, clock, presence, at: now)
  }

  // MARK: The end

  /// The coordinator stops: takes the last checkpoint, and accepts nothing from now on. What is on its way to the disk
  /// is still applied and answered.
  mutating func close(
    in runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration
  ) -> [Action] {
    journal?.close(in: runtime, clock, presence, at: now)
    isClosing = true
    guard let journal, journal.problem != nil, journal.unkept > 0 else { return [] }
    return [
      .log(
        .error,
        "the journal cannot be written, so the next start undoes the stops and changes of the clock since: \(journal.unkept)"
      )
    ]
  }

  /// The coordinator has stopped: waits until everything has reached the disk.
  mutating func finish() -> [Action] {
    guard let journal else { return [] }
    defer { self.journal = nil }
    guard !journal.thread.finish() else { return [] }
    return [
      .log(.error, "the last rows of the journal did not reach \(journal.path) within \(JournalThread.endTimeout)")
    ]
  }
}

extension JournalSubmission {
  /// An event that is applied after the last frame, at this simulated time.
  init(_ event: JournalEntry.Event, in runtime: Runtime, time: Double) {
    self.init(entry: JournalEntry(event, frame: runtime.frame, time: time, applied: runtime.lastApplied))
  }
}

extension Refusal {
  /// The refusal of an id that was committed before with another body.
  fileprivate static func idReused(_ id: TransactionID) -> Refusal {
    Refusal(
      .idReused, "the id \(id) was committed before with another body",
      remedy: "Give each transaction an id of its own")
  }
}
