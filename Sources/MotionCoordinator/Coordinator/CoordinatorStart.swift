import Logging
import MotionCore
import MotionJournal
import MotionModel
import MotionWire
import ZeroMQ

/// What does not change while a coordinator lives.
struct CoordinatorContext: Sendable {
  let settings: CoordinatorSettings
  /// The number of this start of the coordinator.
  let epoch: UInt64
  /// Each line shows the simulated time.
  let logger: Logger
  let startTime: Duration
  /// Its lock is held as long as the coordinator lives.
  let state: StateDirectory
}

/// The first part of a start, before the runtime is recovered: the directories are taken, and the start gets its number.
struct CoordinatorStart {
  let context: CoordinatorContext
  let directory: RuntimeDirectory
  let simulatedTime = SimulatedTime()
  /// The keys and listeners for other machines, if they are configured.
  let doors: RemoteDoors?
  private let generationCheck: JournalGenerationCheck?

  /// - Throws: ``StartError``.
  init(_ settings: CoordinatorSettings, logger: Logger) throws {
    let machine = settings.machine
    let now = machine.now
    let entries = StartEntries.all(settings)
    var examination = StartExamination(acceptsLoss: settings.acceptsLoss)
    try examination.prepare(entries.runtime)
    directory = try RuntimeDirectory(
      settings.runtimeDirectory, clients: settings.clients, sockets: settings.socketKind)
    try examination.prepare(entries.state)
    let state = try StateDirectory(settings.stateDirectory)
    generationCheck = CommitPipeline.generationCheck(settings)
    try CommitPipeline.checkPlace(ofJournalIn: settings)
    try examination.prepare(entries.journal)
    let (epoch, damage) = try state.nextEpoch(
      above: (try? generationCheck?.epoch()) ?? nil,
      acceptingDamageAt: settings.acceptsLoss ? UInt64(max(1, machine.wallTime / 1_000_000_000)) : nil)
    let logger = simulatedTime.stamping(logger.ofStart(epoch))
    for loss in examination.renamed { logger.warning("\(loss); this loss is accepted") }
    if let damage { logger.warning("\(damage); this loss is accepted, and this start is number \(epoch)") }
    let left = machine.endLeftovers(of: directory)
    if left > 0 { logger.warning("processes of an earlier start that were left behind, and are ended: \(left)") }
    doors = try RemoteDoors.read(settings)
    _ = try settings.rig.map(RigFile.init)
    context = CoordinatorContext(settings: settings, epoch: epoch, logger: logger, startTime: now, state: state)
  }

  /// The state was recovered: a journal of an earlier start is refused from now on.
  func noteGeneration() throws { try generationCheck?.note(context.epoch) }

  /// The sockets, bound.
  func sockets() throws -> Sockets {
    try Sockets(
      directory, clients: context.settings.clients, doors: doors, cpu: context.settings.affinity?.io,
      logger: context.logger)
  }

  /// The pool of workers.
  func workers(
    _ runtime: Runtime, _ library: PluginLibrary, _ outbox: Outbox, _ sockets: Sockets, _ poller: Poller
  ) throws -> WorkerPool {
    let settings = context.settings
    let register = settings.workerListener == nil ? nil : try assignments()
    return try WorkerPool(
      settings, epoch: context.epoch, runtime, library, RemoteClaims(register, at: context.startTime),
      WorkerLauncher(settings, epoch: context.epoch, directory, admission: sockets.admission), outbox, sockets, poller,
      logger: context.logger)
  }

  private func assignments() throws -> AssignmentRegister {
    do {
      return try AssignmentRegister(in: context.state.path)
    } catch {
      guard context.settings.acceptsLoss else { throw error }
      context.logger.warning(
        "\(error); this loss is accepted: for 20 s, two workers on other machines may act for one assignment")
      return AssignmentRegister(replacing: context.state.path)
    }
  }

  /// The checkpoint with which the recording of this run begins; `nil` if there is none, or nothing was recovered. The
  /// run continues from it, as its replay does.
  func origin(ofRecordingOf runtime: Runtime) -> RuntimeCheckpoint? {
    let isRecorded = context.settings.recordPath != nil || context.settings.history != nil
    return isRecorded && !runtime.isPristine ? runtime.checkpoint() : nil
  }

  /// The recorder of this run, if it is to be recorded; the runtime records from now on.
  func recorder(
    of runtime: Runtime, from origin: RuntimeCheckpoint?, _ loop: EventLoop
  ) throws -> Recorder? {
    guard let path = context.settings.recordPath else { return nil }
    var header = header(of: runtime, from: origin)
    if origin == nil, !runtime.isPristine { header.snapshot = runtime.snapshot() }
    let wallTime = context.settings.machine.wallTime
    let recording = try RecordingThread(path, header, at: context.startTime, wallTime: wallTime)
    if let kept = recording.kept { context.logger.notice("the existing recording \(path) was renamed to \(kept)") }
    loop.add(recording.descriptor, for: .recording)
    runtime.log.keeps.insert(.events)
    runtime.computesHashes = true
    return Recorder(recording, at: context.startTime)
  }

  private func header(of runtime: Runtime, from origin: RuntimeCheckpoint?) -> RecordingHeader {
    var header = RecordingHeader(
      ratePerSecond: context.settings.ratePerSecond, plugins: runtime.registry.recordedPlugins)
    header.checkpoint = origin
    return header
  }

  /// The history of this run, if it is to be kept; the runtime records from now on.
  ///
  /// - Parameters:
  ///   - ring: the ring whose last frame is the state of the runtime.
  ///   - running: the thread that runs the frames of this ring.
  func history(
    of runtime: Runtime, from origin: RuntimeCheckpoint?, continuing ring: RecoveredRing?, _ running: HistoryThread?,
    _ loop: EventLoop
  ) throws -> History? {
    guard let limits = context.settings.history else { return nil }
    let machine = context.settings.machine
    let thread = try running ?? historyThread(limits)
    loop.add(thread.descriptor, for: .history)
    runtime.log.keeps.insert(.events)
    var history = History(thread, limits, ring: RingFolder(in: directory))
    let actions: [History.Action]
    if let ring {
      let recovery = ring.recovery
      let mark = RingFile.Mark(
        epoch: context.epoch, boot: machine.boot, lastSequence: recovery?.lastSequence ?? 0,
        waiting: recovery?.waitingSequences ?? [], isAlone: false)
      actions = history.begin(ring, of: runtime, machine.clocks, mark)
    } else {
      let mark = RingFile.Mark(
        epoch: context.epoch, boot: machine.boot, lastSequence: runtime.lastSequence,
        waiting: runtime.waitingSequences, isAlone: true)
      actions = history.begin(
        header(of: runtime, from: origin), of: runtime, machine.clocks, keepsRing ? mark : nil)
    }
    for case .log(let level, let text) in actions { context.logger.log(level: level, "\(text)") }
    return history
  }

  private func historyThread(_ limits: HistoryLimits) throws -> HistoryThread {
    try HistoryThread(
      limits, in: "\(context.state.path)/history", ring: RingFolder(in: directory), on: context.settings.machine)
  }

  /// Whether a start after a kill is to continue from the last frame: that takes a history and a journal.
  var keepsRing: Bool { context.settings.keepsRing }

  /// The runtime, in the state of the last frame of an earlier start, if its ring has that.
  ///
  /// - Parameters:
  ///   - ring: is set to the ring then.
  ///   - history: is set to the history's thread then, which runs the frames of the ring while this does.
  func runtime(
    _ registry: ExecutorRegistry, continuing ring: inout RecoveredRing?, as history: inout HistoryThread?,
    _ outbox: Outbox
  ) -> Runtime {
    let folder = RingFolder(in: directory)
    defer { if ring == nil { folder.clear() } }
    guard let limits = context.settings.history, keepsRing, !context.settings.acceptsLoss else {
      return empty(registry, outbox)
    }
    do {
      guard
        let found = try RecoveredRing(
          folder.files, ofStart: generationCheck.flatMap { try? $0.epoch() ?? 0 }, boot: context.settings.machine.boot,
          apart: folder.bytes(ofTransaction:))
      else { return empty(registry, outbox) }
      let plugins = registry.recordedPlugins
      guard found.beginning.header.plugins.allSatisfy(plugins.contains) else {
        throw RecoveredRing.Unusable("a plugin is gone, or has another manifest")
      }
      guard folder.beginReading() else {
        throw RecoveredRing.Unusable("\(RingFolder.mostReadings) starts have ended while they read it")
      }
      let start = context.settings.machine.now
      let (runtime, thread) = (empty(registry, nil), try historyThread(limits))
      thread.recover(found, context.settings.machine.clocks)
      do {
        try found.replay(in: runtime)
      } catch {
        thread.finish()
        throw error
      }
      folder.endReading()
      // A recording begins with a snapshot.
      if context.settings.recordPath != nil, !runtime.canSnapshot {
        thread.finish()
        return empty(registry, outbox)
      }
      runtime.workerPort = outbox
      let took = context.settings.machine.now - start
      context.logger.notice(
        "continues from frame \(runtime.frame.number), the last one, after \(found.frames.count) were replayed in \(took)"
      )
      (ring, history) = (found, thread)
      return runtime
    } catch {
      context.logger.warning(
        "the last checkpoint is the beginning of this start, as the ring of the history is of no use: \(error)")
      return empty(registry, outbox)
    }
  }

  private func empty(_ registry: ExecutorRegistry, _ outbox: Outbox?) -> Runtime {
    let runtime = Runtime(registry: registry, ratePerSecond: context.settings.ratePerSecond)
    // Other readers add what they need: the journal, the recorder, and the publisher when drivers have subscribers.
    runtime.log.keeps = context.settings.keepsRing ? [.endings, .remains, .checkpoints] : [.endings, .remains]
    runtime.workerPort = outbox
    return runtime
  }

  /// Reports what only a signal can restore.
  func reportMissingNotices() {
    guard directory.notices == nil, context.settings.socketKind == .files else { return }
    context.logger.warning(
      "inotify is not available: if \(context.settings.runtimeDirectory) is removed, send HUP to create it again")
  }
}
