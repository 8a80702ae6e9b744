import Glibc
import LinuxSystem
public import Logging
import MotionCore
import MotionJournal
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// The daemon as a library: a loop, and the owners of its parts.
///
/// One thread does all the work, in turns: it waits for sockets and timers, receives messages of workers and clients,
/// runs the frames that are due, and publishes the changes. That thread waits for no peer and no disk; processes are
/// spawned and reaped on other threads, which notify it. Each owner decides about its part and returns what concerns
/// others, which the coordinator carries out. Call ``stop()`` before releasing the coordinator.
public actor Coordinator {
  /// How far a stop has come.
  enum StopState: Equatable {
    case running
    /// Workers were sent the command to finish. At this time all are killed.
    case draining(until: Duration)
    /// All workers were killed. At this time the coordinator stops waiting for them.
    case killing(until: Duration)
    /// The thread has finished: later requests change nothing.
    case ended

    /// When the next step is due.
    var deadline: Duration? {
      switch self {
      case .draining(let time), .killing(let time): time
      case .running, .ended: nil
      }
    }
  }

  /// How long workers may take to finish before all are killed: the three steps of a worker's stop, and one second for
  /// a process that was only being spawned.
  static let drainTime = WorkerLife.rungTime * 4
  /// How long killed workers may take to exit: the kernel needs milliseconds, unless a disk does not respond.
  static let killTime = Duration.seconds(1)

  nonisolated let thread: CoordinatorThread
  nonisolated let context: CoordinatorContext
  let runtime: Runtime
  let loop: EventLoop
  /// The plugins and their workers.
  var workers: WorkerPool
  /// The requests of clients and their replies.
  var clients: ClientSessions
  /// Takes commits from their request to their effect.
  var commits: CommitPipeline
  /// Decides which frame runs next.
  var frames: FrameDriver
  /// Records the run, if that was requested.
  var recorder: Recorder?
  /// Keeps the last minutes of the run, if that is configured.
  var history: History?
  /// What leaves the daemon besides replies.
  var publication: Publication
  /// The addresses at which peers connect.
  var listeners: Listeners
  private(set) var stopState = StopState.running

  /// Runs the coordinator's calls on its own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated var executor: PollingExecutor { thread.executor }
  /// The number of this start of the coordinator.
  public nonisolated var epoch: UInt64 { context.epoch }
  nonisolated var settings: CoordinatorSettings { context.settings }
  nonisolated var logger: Logger { context.logger }
  /// The machine that it runs on.
  nonisolated var machine: any Machine { context.settings.machine }
  var sockets: Sockets { listeners.sockets }
  /// The clock of the frames.
  var clock: FrameSchedule { frames.clock }
  /// Whether a stop is in progress: workers are not restarted, and commits are refused.
  var isStopping: Bool { stopState != .running }

  /// Takes the directory, the epoch and the sockets; no client or worker is served before ``start()``.
  ///
  /// - Throws: ``StartError`` and socket errors, each with the remedy.
  public init(_ settings: CoordinatorSettings, logger: Logger) throws {
    thread = try CoordinatorThread()
    let start = try CoordinatorStart(settings, logger: logger)
    let (logger, epoch, now) = (start.context.logger, start.context.epoch, start.context.startTime)
    context = start.context
    var library = PluginLibrary(settings, remote: start.doors?.keys.remotePlugins ?? [])
    let registry = WorkerPool.registry(of: &library, preferring: settings.preferences)
    WorkerPool.report(library, to: logger)
    let outbox = Outbox()
    var (ring, historyThread): (RecoveredRing?, HistoryThread?)
    let recovered = start.runtime(registry, continuing: &ring, as: &historyThread, outbox)
    // Before anything is bound: a peer that connects finds the recovered state.
    var clock = FrameSchedule(ratePerSecond: settings.ratePerSecond, at: now)
    var presence = ClientPresence()
    commits = try CommitPipeline.recover(
      settings, into: recovered, &clock, &presence, after: &ring, logger: logger)
    let origin = ring == nil ? start.origin(ofRecordingOf: recovered) : nil
    runtime = origin.map { recovered.successor(from: $0) } ?? recovered
    frames = FrameDriver(clock, showing: start.simulatedTime)
    let sockets = try start.sockets()
    loop = try EventLoop(
      on: settings.machine, jobs: thread.executor.descriptor, environment: settings.environment.variables,
      logger: logger)
    workers = try start.workers(runtime, library, outbox, sockets, loop.poller)
    clients = try ClientSessions(
      epoch: epoch, presence: presence, keepsBytes: commits.journal != nil, on: settings.machine)
    listeners = Listeners(sockets, start.directory, keysAt: RemoteDoors.keysPath(settings), logger: logger)
    publication = Publication(
      Publisher(sockets.values, epoch: epoch), metrics: try settings.metrics.map { try MetricsServer($0) },
      loggedFailures: runtime.failures.map(\.identity))
    recorder = try start.recorder(of: runtime, from: origin, loop)
    history = try start.history(of: runtime, from: origin, continuing: ring, historyThread, loop)
    // After the ring has the number: whichever of them an end of the process leaves unwritten, the next start uses the ring.
    try start.noteGeneration()
    start.reportMissingNotices()
    Self.register(sockets, in: loop)
    loop.add(workers.launcher.events.descriptor, for: .processEvents)
    loop.add(workers.eventDecoder.descriptor, for: .decodedEvents)
    loop.add(clients.decoder.descriptor, for: .largeRequests)
    loop.add(clients.longAnswers.encoder.descriptor, for: .answers)
    if let descriptor = commits.descriptor { loop.add(descriptor, for: .journal) }
    if let notices = start.directory.notices { loop.add(notices.descriptor, for: .directoryNotices) }
    if let metrics = publication.metrics { loop.add(metrics.questions.descriptor, for: .metrics) }
  }

  private static func register(_ sockets: Sockets, in loop: EventLoop) {
    loop.add(sockets.events, for: .events)
    loop.add(sockets.link, for: .link)
    loop.add(sockets.commands, for: .commandSubscriptions)
    loop.add(sockets.ticks, for: .tickSubscriptions)
    loop.add(sockets.control, for: .requests)
    loop.add(sockets.values, for: .valueSubscriptions)
  }

  // MARK: Start

  /// Begins to serve, on a thread of its own; returns when that runs. Once it was started or stopped, this does
  /// nothing.
  public nonisolated func start() async {
    guard thread.begin() else { return }
    await run()
  }

  /// Ends a coordinator that was never started, so that callers who wait for its end return: its thread does the final
  /// work and nothing before it. Does nothing to one that was started.
  private nonisolated func endUnlessStarted() async {
    guard thread.begin() else { return }
    thread.stop()
    await run()
  }

  private nonisolated func run() async {
    await executor.start(
      begin: { self.assumeIsolated { $0.begin() } },
      turn: { self.assumeIsolated { $0.turn() } },
      end: { self.assumeIsolated { $0.close() } })
  }

  /// Reloads the rig, plugins and authorized keys. Plugins that are new, or were unusable, are registered. Plugins that are gone
  /// are dropped once none of their workers runs and none of their plans is pending; others stay as they are. A removed
  /// key is revoked at once.
  ///
  /// While a recording is made no plugin changes: its header names the plugins once and for all.
  public func reload() {
    let now = machine.now
    if let gone = listeners.reloadKeys() {
      let revoked = gone.filter { $0.role == .worker }.map(\.key)
      perform(workers.revoke(revoked), at: now)
      if !gone.isEmpty { listeners.reopen(at: now) }
    }
    listeners.directoryChanged(at: now)
    commitRig(at: now)
    guard !isRecording else {
      return logger.warning("plugins are not added or removed while a recording is in progress")
    }
    guard stopState != .ended else { return }
    perform(workers.reload(), at: now)
  }

  // MARK: Stop

  /// Drains the coordinator: it accepts no more commits, workers finish and exit, sockets close. Returns when all have
  /// ended.
  ///
  /// Takes at most 5 s: a worker that does not exit is killed.
  public nonisolated func stop() async {
    await endUnlessStarted()
    Task { await self.beginStopping() }
    // Not awaited above: the thread that runs the coordinator's jobs may have ended by now.
    await thread.untilEnded()
  }

  /// Kills every worker now, without draining it, and stops.
  public nonisolated func stopNow() {
    Task {
      await self.endUnlessStarted()
      await self.hurry()
    }
  }

  /// Returns when the coordinator has stopped.
  ///
  /// - Throws: ``CoordinatorFailure`` when its end was not requested.
  public nonisolated func untilEnded() async throws(CoordinatorFailure) {
    await thread.untilEnded()
    try thread.checkFailure()
  }

  func beginStopping() {
    guard stopState == .running else { return }
    let now = machine.now
    // The checkpoint is taken before workers leave: the next start continues from this state.
    perform(commits.close(in: runtime, clock, clients.presence, at: now), at: now)
    logger.info("stopping: shutting down the workers")
    stopState = .draining(until: now + Self.drainTime)
    finishStepping()
    perform(workers.retireAll(at: now), at: now)
    finishStoppingIfDone()
  }

  private func hurry() {
    beginStopping()
    if stopState != .ended { killAll(at: machine.now) }
  }

  private func killAll(at now: Duration) {
    stopState = .killing(until: now + Self.killTime)
    perform(workers.endAll(at: now), at: now)
  }

  /// Takes the next step of stopping, which is due.
  func continueStopping(at now: Duration) {
    switch stopState {
    case .draining: killAll(at: now)
    case .killing:
      workers.reportLeftovers()
      thread.stop()
    case .running, .ended: break
    }
  }

  /// Ends the stop once no worker is left.
  func finishStoppingIfDone() {
    if isStopping, !workers.hasProcesses { thread.stop() }
  }

  /// Ends the coordinator after the failure of something that it cannot run without.
  func fail(_ reason: String) {
    logger.critical("\(reason)")
    workers.killAll()
    thread.fail(reason)
  }

  /// The last work on the coordinator's thread.
  func close() {
    // Beside the journal's last rows.
    history?.end()
    perform(commits.finish(), at: machine.now)
    if let ending = recorder?.finish() { end(ending) }
    history?.finish()
    stopState = .ended
    // Later events from them are not received any more.
    workers.end()
    publication.metrics?.end()
    listeners.end()
    thread.finish()
  }
}
