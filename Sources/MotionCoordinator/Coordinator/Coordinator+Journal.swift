import Logging
import MotionCore
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Applies an accepted transaction: at once without a journal; with a journal, when the transaction is on disk.
  ///
  /// - Returns: its receipt; `nil` if it follows.
  func keep(
    _ accepted: AcceptedTransaction, _ commit: Commit, _ decoded: DecodedCommit, by provenance: Provenance,
    from client: UInt64, _ requester: Requester, at now: Duration
  ) -> Receipt? {
    let underWay = CommitUnderWay(accepted, commit, decoded, client: client, requester)
    guard journal != nil else { return conclude(underWay, at: now) }
    var submission = submission(.commit(sequence: accepted.sequence, commit, client: client), at: now)
    submission.transaction = (commit.id, decoded.digest, accepted.receipt)
    submission.said = decoded.said
    submission.entry.provenance = provenance
    journal?.submit(submission, .commit(underWay))
    return nil
  }

  /// Refuses a transaction that could not be kept, before anything is done for it.
  ///
  /// - Returns: whether the same transaction is already in progress, so that there is nothing to do.
  func joins(
    _ commit: Commit, _ decoded: DecodedCommit, _ requester: Requester
  ) throws(Refusal) -> Bool {
    guard let journal else { return false }
    if let same = journal.commit(commit.id) {
      guard same.digest == decoded.digest else { throw .idReused(commit.id) }
      // Only the newest request of each client is kept: that is the one it waits for.
      same.requesters.removeAll { $0.client == requester.client }
      same.requesters.append(requester)
      return true
    }
    if let (problem, _) = journal.problem { throw problem.refusal }
    guard journal.hasRoom(for: commit.transaction, of: decoded.bytes) else {
      throw Refusal(
        .limit, "too much waits for the disk of \(journal.path) already", remedy: "Commit again in a second")
    }
    return false
  }

  /// Writes an event that was applied at once to the journal, and answers its requester as soon as the event is
  /// durable.
  ///
  /// - Returns: whether the answer follows.
  func keep(_ event: JournalEntry.Event, _ requester: Requester, at now: Duration) -> Bool {
    guard let journal, journal.problem == nil else { return false }
    if case .stop(let stop) = event {
      self.journal?.submit(submission(event, at: now), .stop(stop, requester))
    } else {
      self.journal?.submit(submission(event, at: now), .clock(requester))
    }
    return true
  }

  /// Withdraws the intentions that held while clients were connected, once the withdrawal is durable.
  func withdraw(_ sequences: [UInt64], at now: Duration) {
    guard let journal, journal.problem == nil else { return runtime.submit(.withdraw(sequences)) }
    self.journal?.submit(submission(.withdraw(sequences), at: now), .withdraw(sequences, nil))
  }

  /// Cancels a transaction that waits for its time, once the cancellation is durable.
  ///
  /// - Returns: whether the answer follows.
  func cancel(_ sequence: UInt64, _ requester: Requester, at now: Duration) throws(Refusal) -> Bool {
    guard runtime.isWaiting(sequence) else {
      throw Refusal(
        .notFound, "no transaction \(sequence) waits for its time", remedy: "See those that do: motionctl list waiting")
    }
    guard let journal else {
      applyNow(.withdraw([sequence]), at: now)
      return false
    }
    if let (problem, _) = journal.problem { throw problem.refusal }
    self.journal?.submit(submission(.withdraw([sequence]), at: now), .withdraw([sequence], requester))
    return true
  }

  private func submission(_ event: JournalEntry.Event, at now: Duration) -> JournalSubmission {
    JournalSubmission(entry: JournalEntry(event, frame: runtime.frame, time: clock.time(at: now)))
  }

  // MARK: Journal events

  /// Receives which rows have reached the disk, and applies them.
  func receiveJournalEvents(at now: Duration) {
    guard let journal, let registration = watched.journal, poller.isReadable(registration) else { return }
    for event in journal.thread.takeEvents() {
      switch event {
      case .durable(let count, let lastRow, let nanoseconds):
        self.journal?.wrote(count, nanoseconds: nanoseconds)
        for left in (0..<UInt64(count)).reversed() {
          // First, because a stop that follows may take a checkpoint, and this row is then part of it.
          self.journal?.appliedRow = lastRow - left
          concludeOldest(at: now)
        }
        // Changes that take effect in a frame are noted there. A transaction that waits for its time is in its row and
        // needs no checkpoint.
        if self.journal?.rowsSinceCheckpoint ?? 0 > JournalKeeper.mostRows { changed(at: now) }
      case .refused(let count, let problem):
        for _ in 0..<count { refuseOldest(problem, at: now) }
      case .failed(let problem):
        logger.error("nothing is accepted while the journal cannot be written: \(problem.cause). \(problem.remedy)")
        self.journal?.failed(problem, at: now)
      case .withoutCheckpoint(let problem):
        logger.error("no checkpoint can be written, so that starts take longer: \(problem.cause). \(problem.remedy)")
      case .checkpointRefused(let problem): refusedCheckpoint(problem, at: now)
      case .healed(let lastRow):
        self.journal?.canHeal(lastRow)
        heal(at: now)
      }
    }
  }

  /// Resumes writing when the journal can be written again: with a full checkpoint first, because the changes in the
  /// meantime are in no row. While time stands and a transaction has not been applied, no checkpoint can be taken;
  /// until then nothing is accepted.
  private func heal(at now: Duration) {
    guard let row = journal?.healedRow, runtime.holdsAllCommits else { return }
    logger.notice("the journal is written again")
    journal?.healed(row, at: now)
    tellChanges()
    takeCheckpoint(at: now)
  }

  private func concludeOldest(at now: Duration) {
    switch journal?.takeOldest() {
    case .commit(let commit):
      var receipt = conclude(commit, at: now)
      for requester in commit.requesters {
        reply(.receipt(receipt), to: requester.client, request: requester.request)
        receipt.isRepeat = true
      }
    case .stop(_, let requester), .clock(let requester):
      reply(.done(clock.state(at: now)), to: requester.client, request: requester.request)
    case .withdraw(let sequences, nil): runtime.submit(.withdraw(sequences))
    case .withdraw(let sequences, let requester?):
      applyNow(.withdraw(sequences), at: now)
      reply(.done(clock.state(at: now)), to: requester.client, request: requester.request)
    case .time, nil: break
    }
  }

  /// Applies a transaction.
  private func conclude(_ commit: CommitUnderWay, at now: Duration) -> Receipt {
    let receipt = runtime.apply(commit.accepted)
    memory.remember(commit.id, commit.digest, receipt, at: now)
    if let owner = commit.owner {
      presence.committed(receipt.sequence, by: owner, at: now, unfinished: runtime.unfinished)
    }
    counters.commits += 1
    // The transaction was accepted before these stops, so it is stopped before it begins.
    for stop in journal?.stopsUnderWay ?? [] { applyNow(.stop(stop), at: now) }
    return receipt
  }

  private func refuseOldest(_ problem: JournalProblem, at now: Duration) {
    switch journal?.takeOldest() {
    case .commit(let commit):
      runtime.discard(commit.accepted)
      for requester in commit.requesters {
        refuse(problem.refusalUnderWay, to: requester.client, request: requester.request)
      }
    // These events were already applied, so the first checkpoint after the failure contains their effect.
    case .stop(_, let requester), .clock(let requester):
      reply(.done(clock.state(at: now)), to: requester.client, request: requester.request)
    case .withdraw(let sequences, nil): runtime.submit(.withdraw(sequences))
    case .withdraw(_, let requester?): refuse(problem.refusalUnderWay, to: requester.client, request: requester.request)
    case .time, nil: break
    }
  }

  // MARK: Time

  /// Called when the time is sent to a client. A restart may take back at most one checkpoint period of it, also when
  /// nothing moves and no checkpoint is taken. This costs no wake-up.
  func toldTime(at now: Duration) {
    guard let journal, journal.problem == nil, stopping == nil, !clock.isPaused, now >= journal.timeHolds else {
      return
    }
    // A checkpoint that is due contains the time, too.
    if journal.checkpointDue == nil { self.journal?.submit(submission(.void, at: now), .time) }
    self.journal?.keptTime(at: now)
  }

  /// When the time has to be written to the journal because a transaction waits for its time; `nil` while none does.
  var timeDeadline: Duration? {
    guard let journal, journal.problem == nil, stopping == nil, !clock.isPaused, runtime.nextDueTime != nil else {
      return nil
    }
    return journal.timeHolds
  }

  // MARK: Checkpoints

  /// Notes that something has changed: a frame was run, or something took effect between frames.
  func changed(at now: Duration) {
    guard journal != nil else { return }
    heal(at: now)
    journal?.changed(at: now)
    // Each frame passes on its own changes, so that no frame pays for others.
    if let changes = runtime.takeCheckpointChanges() { journal?.thread.note(changes) }
    if let due = checkpointDeadline, now >= due { takeCheckpoint(at: now) }
  }

  /// Passes everything that has changed to the journal, however much it is.
  func tellChanges() {
    while let changes = runtime.takeCheckpointChanges() { journal?.thread.note(changes) }
  }

  /// When a checkpoint has to be taken; `nil` while none is due, or none can be written.
  var checkpointDeadline: Duration? { journal?.problem == nil && stopping == nil ? journal?.checkpointDue : nil }

  /// Handles a checkpoint that could not be read back. Nothing is lost: the previous checkpoint and all rows are there.
  /// The next checkpoint is full. The runtime passes its contents again, in parts small enough that no frame is late.
  private func refusedCheckpoint(_ problem: JournalProblem, at now: Duration) {
    logger.error("a checkpoint was refused: \(problem.cause). \(problem.remedy)")
    counters.refusedCheckpoints += 1
    guard stopping == nil else { return }
    journal?.thread.beginAnew()
    runtime.touchEverything()
    journal?.refusedCheckpoint(at: now)
  }

  /// Hands a checkpoint over to the journal. Its cost to the frame is a copy of all property states, with the next
  /// checkpoint, and of the waiting transactions.
  ///
  /// - Parameter compares: whether the stored state is compared with the complete present state, which takes
  ///   microseconds for each target and plan; not done if there are very many.
  func takeCheckpoint(at now: Duration, compares: Bool = false) {
    guard let journal, journal.problem == nil, stopping == nil else { return }
    guard runtime.holdsAllCommits else {
      self.journal?.postpone()
      return
    }
    if let changes = runtime.takeCheckpointChanges() { journal.thread.note(changes) }
    // The rest follows in the next frames, or turns: the checkpoint stays due.
    guard runtime.hasToldChanges else {
      self.journal?.stayDue(at: now)
      return
    }
    var head = runtime.checkpointHead()
    head.clock = clock.state(at: now)
    head.owners = presence.owners
    var snapshot = JournalSnapshot(row: journal.appliedRow, head: head, columns: runtime.columns)
    let counts = runtime.counts
    if compares || settings.comparesCheckpoints, counts.targets + counts.intentions <= JournalKeeper.mostCompared {
      var world = runtime.checkpoint()
      (world.clock, world.owners) = (head.clock, head.owners)
      snapshot.world = world
    }
    journal.thread.snapshot(snapshot)
    self.journal?.tookCheckpoint(at: now)
  }

  /// Ends the journal with the coordinator: waits until everything has reached the disk.
  func finishJournal() {
    guard let journal else { return }
    if !journal.thread.finish() {
      logger.error("the end of the journal did not reach \(journal.path) within \(JournalThread.endTimeout)")
    }
    self.journal = nil
  }
}

extension Refusal {
  /// The refusal of an id that was committed before with another body.
  static func idReused(_ id: TransactionID) -> Refusal {
    Refusal(
      .idReused, "the id \(id) was committed before with another body",
      remedy: "Give each transaction an id of its own")
  }
}
