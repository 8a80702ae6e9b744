import Glibc
import LinuxSystem
public import Logging
import MotionCore
import MotionJournal
import MotionLink
import MotionModel
import MotionWire
import Synchronization
import ZeroMQ

/// Owns the runtime, its clock and all its sockets: the daemon as a library.
///
/// One thread does all the work, in turns: it waits for sockets and timers, receives messages of workers and clients,
/// runs the frames that are due, and publishes the changes. That thread waits for no peer and no disk; processes are
/// spawned and reaped on other threads, which notify it. Call ``stop()`` before releasing the coordinator.
public actor Coordinator {
  nonisolated let executor: PollingExecutor
  /// Runs the coordinator's calls on its own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The machine that it runs on.
  let machine: any Machine
  let settings: CoordinatorSettings
  let logger: Logger
  /// The number of this start of the coordinator.
  public nonisolated let epoch: UInt64

  let runtime: Runtime
  var frames: FrameDriver
  let directory: RuntimeDirectory
  let state: StateDirectory
  /// When the directory has to be checked, and what follows from a check.
  var directoryWatch = RuntimeWatch()
  let sockets: Sockets
  let poller = Poller()
  var watched: Watched
  let frameTimer: any Alarm
  let maintenanceTimer: any Alarm
  let publisher: Publisher
  /// The clients' subscriptions to values.
  var subscriptions = SubscriptionLedger(
    topics: Sockets.topicsOfSubscriber, bytes: Sockets.topicBytesOfSubscriber, allBytes: Sockets.topicBytesOfAll,
    share: Sockets.topicBytesOfEach)
  let startTime: Duration

  /// The plugins and their workers.
  var workers: WorkerPool
  /// Takes commits from their request to their effect.
  var commits: CommitPipeline
  /// The requests of clients and their replies.
  var clients: ClientSessions
  var failureLog = FailureLog()
  /// Records the run, if that was asked for.
  var recorder: Recorder?
  var counters = Counters()
  /// When the last turn polled the sockets.
  var lastLook: Duration?
  /// How long messages of clients are taken while a frame is due (``timeBeforeFrame``); tests that count them set more.
  var timeout = Coordinator.timeBeforeFrame
  /// The keys by which peers on other machines may connect.
  var authorized: AuthorizedKeys
  /// When listening to other machines is tried again, if it failed.
  var remoteRetry: Duration?
  /// The count of connections closed because there were too many, at the last report; and when the next report may be
  /// made.
  var reportedRefusedConnections = DescriptorLimit.refusedConnections
  var nextRefusedConnectionsReport = Duration.zero
  var stopping: Stopping?
  /// The server of metrics, which reports the daemon's state to others than clients.
  let metrics: MetricsServer?
  /// The watchdog of systemd, if it supervises the loop.
  var watchdog: Watchdog?
  let notifier: ServiceNotifier
  /// Whether its thread was started, even if only to end.
  nonisolated let isStarted = Atomic(false)
  /// Opens when the coordinator's thread has finished.
  nonisolated let ended = Latch()
  /// Whether the thread has finished: later requests change nothing.
  var isClosed = false
  /// Why the coordinator ended, if it was not asked to.
  nonisolated let failure = Mutex<CoordinatorFailure?>(nil)

  /// The registrations of the poll besides workers.
  struct Watched {
    let jobs: Poller.Registration
    let frameTimer: Poller.Registration
    let maintenanceTimer: Poller.Registration
    let control: Poller.Registration
    let values: Poller.Registration
    let link: Poller.Registration
    let commands: Poller.Registration
    let ticks: Poller.Registration
    let events: Poller.Registration
    let decoder: Poller.Registration
    let answers: Poller.Registration
    let eventDecoder: Poller.Registration
    let processEvents: Poller.Registration
    /// Whether something was removed from the directory of the sockets; `nil` where there are no such notifications.
    var directory: Poller.Registration?
    /// Whether there are events of the journal; `nil` without one.
    var journal: Poller.Registration?
    /// Whether a recording has failed; `nil` without one.
    var recording: Poller.Registration?
    /// Whether metrics are asked for; `nil` without them.
    var metrics: Poller.Registration?
  }

  /// Takes the directory, the epoch and the sockets; no client or worker is served before ``start()``.
  ///
  /// - Throws: ``StartError`` and socket errors, each with the remedy.
  public init(_ settings: CoordinatorSettings, logger: Logger) throws {
    let machine = settings.machine
    let now = machine.now
    (self.machine, self.settings) = (machine, settings)
    executor = try PollingExecutor()
    directory = try RuntimeDirectory(
      settings.runtimeDirectory, clients: settings.clients, sockets: settings.socketKind)
    state = try StateDirectory(settings.stateDirectory)
    let generationCheck = CommitPipeline.generationCheck(settings)
    let setAside = settings.acceptsLoss ? try Misplaced.setAside(settings) : []
    try Misplaced.check(settings)
    let (epoch, damage) = try state.nextEpoch(
      above: (try? generationCheck?.epoch()) ?? nil,
      acceptingDamageAt: settings.acceptsLoss ? UInt64(max(1, machine.wallTime / 1_000_000_000)) : nil)
    self.epoch = epoch
    let simulatedTime = SimulatedTime()
    let logger = simulatedTime.stamping(Self.logger(logger, of: epoch))
    self.logger = logger
    for loss in setAside { logger.warning("\(loss); this loss is accepted") }
    if let damage { logger.warning("\(damage); this loss is accepted, and this start is number \(epoch)") }
    let left = machine.endLeftovers(of: directory)
    if left > 0 { logger.warning("\(left) processes that an earlier start had left behind were ended") }
    let doors = try Self.remoteDoors(settings)
    authorized = doors?.keys ?? AuthorizedKeys()
    var library = PluginLibrary(settings, remote: doors?.keys.remotePlugins ?? [])
    runtime = Runtime(
      registry: WorkerPool.registry(of: &library, preferring: settings.preferences),
      ratePerSecond: settings.ratePerSecond)
    WorkerPool.report(library, to: logger)
    var clock = FrameSchedule(ratePerSecond: settings.ratePerSecond, at: now)
    // Before anything is bound: a peer that connects finds the recovered state.
    let outbox = Outbox()
    runtime.workerPort = outbox
    var presence = ClientPresence()
    commits = try CommitPipeline.recover(settings, into: runtime, &clock, &presence, logger: logger)
    frames = FrameDriver(clock, showing: simulatedTime)
    failureLog.noteLogged(runtime.failures.map(\.identity))
    try generationCheck?.note(epoch)
    sockets = try Sockets(
      directory, clients: settings.clients, doors: doors, cpu: settings.affinity?.io, logger: logger)
    let register = settings.workerListener == nil ? nil : try AssignmentRegister(in: state.path)
    frameTimer = try machine.alarm()
    maintenanceTimer = try machine.alarm()
    publisher = Publisher(sockets.values, epoch: epoch)
    startTime = now
    notifier = ServiceNotifier(environment: settings.environment.variables)
    watchdog = Watchdog(environment: settings.environment.variables, processID: getpid(), at: now)
    clients = try ClientSessions(
      epoch: epoch, presence: presence, keepsBytes: commits.journal != nil, on: machine)
    workers = try WorkerPool(
      settings, epoch: epoch, runtime, library, RemoteClaims(register, keys: authorized, at: now),
      WorkerLauncher(settings, epoch: epoch, directory, admission: sockets.admission), outbox, sockets, poller,
      logger: logger)
    watched = Watched(
      jobs: poller.add(descriptor: executor.descriptor), frameTimer: poller.add(descriptor: frameTimer.descriptor),
      maintenanceTimer: poller.add(descriptor: maintenanceTimer.descriptor), control: poller.add(sockets.control),
      values: poller.add(sockets.values), link: poller.add(sockets.link), commands: poller.add(sockets.commands),
      ticks: poller.add(sockets.ticks), events: poller.add(sockets.events),
      decoder: poller.add(descriptor: clients.decoder.descriptor),
      answers: poller.add(descriptor: clients.longAnswers.encoder.descriptor),
      eventDecoder: poller.add(descriptor: workers.eventDecoder.descriptor),
      processEvents: poller.add(descriptor: workers.launcher.events.descriptor))
    if let notices = directory.notices {
      watched.directory = poller.add(descriptor: notices.descriptor)
    } else if settings.socketKind == .files {
      logger.warning(
        "the system gives no notices of files: if \(settings.runtimeDirectory) is removed, HUP makes it again")
    }
    if let descriptor = commits.descriptor { watched.journal = poller.add(descriptor: descriptor) }
    metrics = try settings.metrics.map { try MetricsServer($0) }
    if let metrics { watched.metrics = poller.add(descriptor: metrics.questions.descriptor) }
    if let path = settings.recordPath {
      var header = RecordingHeader(
        ratePerSecond: settings.ratePerSecond, plugins: library.plugins.compactMap(\.manifest))
      if !runtime.isPristine { header.checkpoint = runtime.checkpoint() }
      let recording = try RecordingThread(path, header, at: now)
      if let kept = recording.kept { logger.notice("the recording that was \(path) is now \(kept)") }
      recorder = Recorder(recording)
      watched.recording = poller.add(descriptor: recording.descriptor)
      runtime.isRecording = true
      runtime.computesHashes = true
    }
  }

  /// Begins to serve, on a thread of its own; returns when that runs. Once it was started or stopped, this does
  /// nothing.
  public nonisolated func start() async {
    guard !isStarted.exchange(true, ordering: .relaxed) else { return }
    await run()
  }

  /// Ends a coordinator that was never started, so that callers who wait for its end return: its thread does the final
  /// work and nothing before it. Does nothing to one that was started.
  nonisolated func endUnlessStarted() async {
    guard !isStarted.exchange(true, ordering: .relaxed) else { return }
    executor.stop()
    await run()
  }

  private nonisolated func run() async {
    await executor.start(
      begin: { self.assumeIsolated { $0.begin() } },
      turn: { self.assumeIsolated { $0.turn() } },
      end: { self.assumeIsolated { $0.close() } })
  }
}
