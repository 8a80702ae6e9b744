import Glibc
import Logging
import MotionCore
import MotionLink
public import MotionModel
import MotionWire
import ZeroMQ

/// The state of the daemon for others, and what a start would find.
extension Coordinator {
  /// The present status of the daemon.
  public func status() -> Status { status(at: machine.now) }

  func status(at now: Duration) -> Status {
    var status = numbers(at: now)
    status.recentLateness = Status.Lateness(frames.lateness.lastMinute(at: now))
    status.lateness = Status.Lateness(frames.lateness.sinceStart)
    status.load = .ofThisProcess
    status.plugins = workers.pluginRows
    status.pluginPaths = workers.library.searched
    return status
  }

  /// The part of the status that costs next to nothing: everything except lateness, load and plugins.
  func numbers(at now: Duration) -> Status {
    var status = Status()
    status.version = settings.version
    status.epoch = epoch
    status.processID = getpid()
    status.uptime = (now - context.startTime).inSeconds
    status.ratePerSecond = settings.ratePerSecond
    status.clock = clock.state(at: now)
    status.isActive = runtime.isActive
    status.frame = runtime.frame
    status.counts = runtime.counts
    status.counters = counterRows
    status.recording = recorder?.status
    status.history = history?.status(at: machine.clocks)
    status.journal = commits.journal?.status(at: now)
    return status
  }

  private var counterRows: [Status.Counter] {
    let links = workers.linkCounters
    return [
      .init("bytes-from-clients", clients.counters.bytesFromClients),
      .init("bytes-from-workers", workers.counters.bytesFromWorkers),
      .init("bytes-published", publication.publisher.bytes), .init("bytes-to-clients", clients.counters.bytesToClients),
      .init("bytes-to-workers", workers.counters.bytesToWorkers), .init("commits", commits.commits),
      .init("conflated-ticks", links.conflatedTicks),
      .init(
        "excessive-subscribers",
        publication.excessiveSubscribers + workers.counters.excessiveSubscribers + DescriptorLimit.floods),
      .init("foreign-messages", workers.counters.foreignMessages + clients.counters.foreignMessages),
      .init("forged-messages", workers.counters.forgedMessages),
      .init("frame-wake-ups", loop.counters.frameWakeUps), .init("frames", frames.counters.frames),
      .init("held-back", UInt64(runtime.heldBack)),
      .init("maintenance-wake-ups", loop.counters.maintenanceWakeUps), .init("late-frames", frames.counters.lateFrames),
      .init("late-updates", runtime.lateUpdates),
      .init("left-out-log-lines", workers.suppressedLines),
      .init("limit-entries", runtime.limitEntries),
      .init("link-fenced", links.fenced), .init("link-gaps", links.gaps),
      .init("link-old", links.old), .init("link-stalls", links.stalls), .init("link-unexpected", links.unexpected),
      .init(
        "malformed-messages",
        loop.counters.malformedMessages + workers.counters.malformedMessages + clients.counters.malformedMessages),
      .init("messages-published", publication.publisher.messages),
      .init("refusals", clients.counters.refusals), .init("refused-checkpoints", commits.refusedCheckpoints),
      .init("refused-claims", workers.claims.refused),
      .init("refused-subscriptions", publication.publisher.refusedSubscriptions),
      .init("refused-tokens", runtime.refusedTokens), .init("refused-writes", runtime.refusedWrites),
      .init("requests", clients.counters.requests), .init("skipped-frames", clock.skipped),
      .init("stalls", loop.counters.stalls),
      .init("step-timeouts", frames.counters.stepTimeouts), .init("ticks", workers.counters.ticks),
      .init("topics", UInt64(publication.publisher.topics)), .init("turns", loop.counters.turns),
      .init("unsent-replies", clients.counters.unsentReplies),
    ] + listeners.counterRows
  }

  /// The metrics at this time.
  func metricsSnapshot(at now: Duration) -> MetricsSnapshot {
    var snapshot = MetricsSnapshot()
    snapshot.status = numbers(at: now)
    snapshot.lateness = frames.lateness.sinceStart
    if let journal = commits.journal { snapshot.journalWrites = journal.writes }
    snapshot.workers = workers.metricsRows
    snapshot.plugins = workers.library.plugins.map { ($0.name, !$0.problem.isEmpty) }
    return snapshot
  }

  /// The plugins that a start with these settings would find, each with its problem, and the problems that would
  /// prevent the start, such as an incomplete journal.
  ///
  /// Directories that are missing are made, as a start would; nothing else is changed.
  public static func check(_ settings: CoordinatorSettings) -> (library: PluginLibrary, problems: [String]) {
    var library = PluginLibrary(settings, remote: (try? RemoteDoors.read(settings))?.keys.remotePlugins ?? [])
    let registry = WorkerPool.registry(of: &library, preferring: settings.preferences)
    let unknown = settings.preferences.values.filter { library[$0] == nil }.sorted()
    let preferred =
      unknown.map { "the preferred plugin \($0) was not found" }
      + settings.preferences.sorted { $0.key < $1.key }.compactMap { type, name in
        guard let manifest = library[name]?.manifest, !manifest.intentions.contains(where: { $0.type == type }) else {
          return nil
        }
        return "the plugin \(name), preferred for \(type), has no such type"
      }
    let steps = checks(settings, registry)
    let problems = steps.compactMap { step -> String? in
      do {
        try step()
        return nil
      } catch {
        return String(describing: error)
      }
    }
    return (library, library.warnings + preferred + problems)
  }

  /// The checks of a start, in its order.
  private static func checks(_ settings: CoordinatorSettings, _ registry: ExecutorRegistry) -> [() throws -> Void] {
    let entries = StartEntries.all(settings)
    let examination = StartExamination(acceptsLoss: settings.acceptsLoss)
    return [
      {
        guard try examination.check(entries.runtime) else { return }
        _ = try RuntimeDirectory(settings.runtimeDirectory, clients: settings.clients)
      },
      {
        guard try examination.check(entries.state) else { return }
        _ = try StateDirectory(settings.stateDirectory)
        guard !settings.acceptsLoss else { return }
        try EpochFile.check(in: settings.stateDirectory)
        if settings.workerListener != nil { _ = try AssignmentRegister(in: settings.stateDirectory) }
      },
      {
        // An entry of the state directory that cannot be used is reported already, and the journal is compared with one
        // of them. Where loss is accepted, only the directory matters: it would be renamed with everything in it.
        let needed = settings.acceptsLoss ? Array(entries.state.prefix(1)) : entries.state
        guard (try? examination.check(needed)) == true else { return }
        try CommitPipeline.checkJournal(settings, registry)
      },
      { try settings.recordPath.map(RecordingPlace.check) },
      { _ = try RemoteDoors.read(settings) },
      { _ = try settings.rig.map(RigFile.init) },
    ]
  }
}
