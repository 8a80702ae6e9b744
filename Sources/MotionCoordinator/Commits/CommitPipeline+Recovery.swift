import Glibc
import LinuxSystem
import Logging
import MotionCore
import MotionJournal
import MotionModel
import Synchronization
import ZeroMQ

extension CommitPipeline {
  /// How often a long recovery reports its progress.
  private static let betweenProgressReports = Duration.seconds(2)

  /// Opens the journal, if one is configured, and recovers the state from it.
  ///
  /// - Throws: ``StartError`` when the journal cannot be opened, or part of it is lost.
  static func recover(
    _ settings: CoordinatorSettings, into runtime: Runtime, _ clock: inout FrameSchedule,
    _ presence: inout ClientPresence, after ring: inout RecoveredRing?, logger: Logger
  ) throws -> CommitPipeline {
    guard let (path, open) = opener(settings, logger: logger) else { return CommitPipeline() }
    let machine = settings.machine
    var memory = CommitMemory()
    do {
      try generationCheck(settings)?.check()
    } catch {
      guard settings.acceptsLoss else { throw error }
      logger.warning("\(error); this loss is accepted")
    }
    if let note = generationCheck(settings)?.noteOfAnotherPlace() { logger.warning("\(note)") }
    let thread = try JournalThread(on: machine, open: open)
    let contents: JournalContents
    do {
      contents = try thread.contents()
    } catch {
      throw StartError(opening: path, error)
    }
    let start = machine.now
    let recovery: Recovery
    if let present = ring {
      recovery = try Recovery(contents, after: present, in: runtime)
      ring?.recovery = recovery
    } else {
      var reported = start
      runtime.log.keeps.insert(.checkpoints)
      recovery = try Recovery(contents, into: runtime) { applied in
        guard machine.now - reported >= betweenProgressReports else { return }
        reported = machine.now
        logger.notice("recovering from the journal \(path): \(applied) of \(contents.rows.count) rows are applied")
      }
    }
    let now = machine.now
    clock.restore(recovery.clock, after: runtime.frame, isInMotion: recovery.isInMotion, at: now)
    for (id, digest, receipt) in recovery.acknowledged { memory.remember(id, digest, receipt, at: now) }
    presence.restore(recovery.owners, at: now)
    report(recovery, of: runtime, took: now - start, to: logger)
    var keeper = JournalKeeper(thread, at: path, contents, comparesCheckpoints: settings.comparesCheckpoints)
    // The time has just been read from the journal.
    keeper.keptTime(at: now)
    return CommitPipeline(journal: keeper, memory: memory)
  }

  /// Checks that a start could open the journal and recover from it; changes nothing.
  ///
  /// - Throws: ``StartError`` with the problem and the remedy.
  static func checkJournal(_ settings: CoordinatorSettings, _ registry: ExecutorRegistry) throws {
    guard let path = settings.journalDirectory else { return }
    try checkPlace(ofJournalIn: settings)
    // Where the start would rename an entry, the rest of the journal cannot be read beforehand.
    guard
      try StartExamination(acceptsLoss: settings.acceptsLoss).check(StartEntries.all(settings).journal)
    else { return }
    if !settings.acceptsLoss { try generationCheck(settings)?.check() }
    var contents: JournalContents
    do throws(JournalError) {
      contents = try JournalReport.contents(ofStartIn: path, acceptingLoss: settings.acceptsLoss)
    } catch {
      throw StartError(opening: path, error)
    }
    if settings.acceptsLoss { contents = Salvage(contents).contents }
    let runtime = Runtime(registry: registry, ratePerSecond: settings.ratePerSecond)
    _ = try Recovery(contents, into: runtime, compares: true)
  }

  /// Checks that no other user can put another directory in the place of the journal's.
  ///
  /// - Throws: ``StartError`` with the directory on its path that others may write.
  static func checkPlace(ofJournalIn settings: CoordinatorSettings) throws {
    guard settings.journalOpener == nil, let directory = settings.journalDirectory,
      let weakness = PathTrust.weakness(onTheWayTo: directory)
    else { return }
    throw StartError(journal: directory, weakness)
  }

  private static let salvage: @Sendable (JournalContents) -> (contents: JournalContents, losses: [String]) = {
    let salvage = Salvage($0)
    return (salvage.contents, salvage.losses)
  }

  /// The check, kept outside of the journal, of which journal is expected; `nil` if there is none on disk.
  static func generationCheck(_ settings: CoordinatorSettings) -> JournalGenerationCheck? {
    guard settings.journalOpener == nil, let directory = settings.journalDirectory else { return nil }
    return JournalGenerationCheck(of: directory, stateDirectory: settings.stateDirectory)
  }

  private static func opener(
    _ settings: CoordinatorSettings, logger: Logger
  ) -> (path: String, open: @Sendable () throws(JournalError) -> any Journal)? {
    if let opener = settings.journalOpener { return (settings.journalDirectory ?? "memory", opener) }
    guard let directory = settings.journalDirectory else { return nil }
    // Loss is accepted once, at the start: a later loss is another matter. Likewise, a missing journal is not replaced
    // later, when it was removed while motiond ran.
    let acceptsLoss = Atomic(settings.acceptsLoss)
    let isStart = Atomic(true)
    return (
      directory,
      { () throws(JournalError) in
        let makes = isStart.load(ordering: .relaxed)
        let journal = try SQLiteJournal(
          at: directory, acceptingLoss: acceptsLoss.exchange(false, ordering: .relaxed), salvage: salvage,
          making: makes)
        isStart.store(false, ordering: .relaxed)
        for loss in journal.losses { logger.warning("the journal \(directory) has lost: \(loss)") }
        return journal
      }
    )
  }

  /// Logs what was recovered, and what was not.
  private static func report(_ recovery: Recovery, of runtime: Runtime, took: Duration, to logger: Logger) {
    let counts = runtime.counts
    guard counts.targets > 0 || recovery.rows > 0 else { return }
    logger.notice(
      """
      recovered in \(took), at \(recovery.clock.time) s: targets \(counts.targets), intentions \(counts.intentions), \
      rows after the checkpoint \(recovery.rows)
      """)
    for failure in runtime.failures.prefix(10) {
      let committer = FailureLog.committer(failure.provenance)
      logger.warning("\(failure.intention.type) on \(failure.target): \(failure.reason); \(committer)")
    }
    if runtime.failures.count > 10 {
      logger.warning("\(runtime.failures.count - 10) more plans failed; to list them: motionctl list intentions")
    }
  }
}

extension StartError {
  /// The error of a start whose journal another user could replace.
  init(journal directory: String, _ weakness: PathTrust.Weakness, for user: UInt32 = geteuid()) {
    self.init(
      "keep the journal in \(directory)", "\(weakness): another user could replace the directory",
      remedy:
        "Choose one that only root and user \(user) can replace, or correct it: \(weakness.command(for: user))")
  }

  /// The error of a start whose journal cannot be opened.
  fileprivate init(opening path: String, _ error: JournalError) {
    self.init(
      "open the journal \(path)", "\(error.place): \(error.cause)", remedy: error.remedy,
      mayPass: error.code == .full || error.code == .readOnly)
  }
}
