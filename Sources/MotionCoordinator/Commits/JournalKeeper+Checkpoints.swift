import MotionCore
import MotionModel

/// When the time and checkpoints are written.
extension JournalKeeper {
  /// When a checkpoint has to be taken; `nil` while none is due, or none can be written.
  var checkpointDeadline: Duration? { problem == nil && !isClosed ? checkpointDue : nil }

  /// When the time has to be written because a transaction waits for its time; `nil` while none does.
  func timeDeadline(in runtime: Runtime, _ clock: FrameSchedule) -> Duration? {
    guard problem == nil, !isClosed, !clock.stands, runtime.nextDueTime != nil else { return nil }
    return timeHolds
  }

  /// The time is sent to a client: it is written unless the time written last is recent enough.
  mutating func toldTime(in runtime: Runtime, _ clock: FrameSchedule, at now: Duration) {
    guard problem == nil, !isClosed, !clock.stands, now >= timeHolds else { return }
    // A checkpoint that is due contains the time, too.
    if checkpointDue == nil { submit(JournalSubmission(.void, in: runtime, time: clock.time(at: now)), .time) }
    keptTime(at: now)
  }

  /// The time is being written: within a checkpoint period it is recent enough for every answer.
  mutating func keptTime(at now: Duration) { timeHolds = now + Self.checkpointPeriod }

  /// Something has changed that a checkpoint holds.
  mutating func changed(in runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration) {
    if checkpointDue == nil {
      checkpointDue = now + Self.checkpointPeriod
    }
    // Each frame passes on its own changes, so that no frame pays for others.
    if let changes = runtime.log.takeChanges() { thread.note(changes) }
    if let due = checkpointDeadline, now >= due { takeCheckpoint(of: runtime, clock, presence, at: now) }
  }

  /// Time has passed.
  mutating func deadline(in runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration) {
    if let due = checkpointDeadline, now >= due { takeCheckpoint(of: runtime, clock, presence, at: now) }
    if let due = timeDeadline(in: runtime, clock), now >= due { toldTime(in: runtime, clock, at: now) }
  }

  /// The journal can be written again, and holds rows up to this one. Writing resumes with a full checkpoint, because
  /// the changes in the meantime are in no row. When motiond stops, it is the last one.
  mutating func heal(
    _ lastRow: UInt64, in runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration
  ) {
    healed(lastRow)
    checkpointDue = now
    passChanges(of: runtime)
    takeCheckpoint(of: runtime, clock, presence, at: now)
  }

  /// The last checkpoint could not be read back, so the next has to be full. Each following one is taken later, because
  /// its cost grows with its contents.
  mutating func refusedCheckpoint(in runtime: Runtime, at now: Duration) {
    guard !isClosed else { return }
    thread.beginAnew()
    runtime.log.touchEverything()
    let written = thread.checkpoint.count
    refusals = written == refusals.after ? (min(refusals.count + 1, Self.mostDoublings), written) : (1, written)
    checkpointDue = now + Self.checkpointPeriod * (1 << (refusals.count - 1))
  }

  /// Takes the last checkpoint.
  mutating func close(in runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration) {
    passChanges(of: runtime)
    takeCheckpoint(of: runtime, clock, presence, at: now, compares: true)
    isClosed = true
  }

  /// Passes everything that has changed to the thread, however much it is.
  private func passChanges(of runtime: Runtime) {
    while let changes = runtime.log.takeChanges() { thread.note(changes) }
  }

  /// Hands a checkpoint over to the thread. Its cost to the frame is a copy of all property states, with the next
  /// checkpoint, and of the waiting transactions.
  ///
  /// - Parameter compares: whether the stored state is compared with the complete present state, which takes
  ///   microseconds for each target and plan; not done if there are very many.
  private mutating func takeCheckpoint(
    of runtime: Runtime, _ clock: FrameSchedule, _ presence: ClientPresence, at now: Duration, compares: Bool = false
  ) {
    guard problem == nil else { return }
    if let changes = runtime.log.takeChanges() { thread.note(changes) }
    // The rest follows in the next frames, or turns: the checkpoint stays due.
    guard runtime.log.hasNoChanges else {
      checkpointDue = now
      return
    }
    var head = runtime.checkpointHead()
    head.clock = clock.state(at: now)
    head.owners = presence.owners
    (head.scenes, head.cues) = (runtime.scenes.stored, runtime.cues.stored)
    head.waiting += runtime.pendingCommits
    head.waiting.sort { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
    var snapshot = JournalSnapshot(row: appliedRow, head: head, columns: runtime.columns)
    let counts = runtime.counts
    if compares || comparesCheckpoints, counts.targets + counts.intentions <= Self.mostCompared {
      var world = runtime.checkpoint()
      (world.clock, world.owners, world.waiting) = (head.clock, head.owners, head.waiting)
      (world.scenes, world.cues) = (head.scenes, head.cues)
      snapshot.world = world
    }
    thread.snapshot(snapshot)
    checkpointDue = nil
    keptTime(at: now)
  }
}
