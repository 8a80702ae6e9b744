import Glibc
import Logging
import MotionCore
import MotionLink
public import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Answers a query: at once if that takes no longer than a small commit, otherwise piece by piece.
  ///
  /// - Returns: the answer; `nil` when it follows later.
  /// - Throws: ``MotionModel/Refusal`` when the subject of the query does not exist, or the answer would be too long.
  func answer(
    _ query: Query, for client: RoutingID, on connection: Int32?, request: UInt64, at now: Duration
  ) throws(Refusal) -> Answer? {
    try QueryLimits.check(query, in: runtime)
    _ = try runtime.known(query.target)
    if runtime.places(for: query) > QueryLimits.rowsAtOnce {
      try clients.ask(.init(client: client, request: request, query: query, connection: connection))
      return nil
    }
    return try answer(query, at: now)
  }

  /// Answers a query that is about one target, or about few things.
  private func answer(_ query: Query, at now: Duration) throws(Refusal) -> Answer {
    let answer: Answer?
    do {
      answer = try runtime.answer(query)
    } catch {
      if case .types(let type) = query { throw workers.explain(error, of: type) }
      throw error
    }
    if let answer {
      guard AnswerSize(answer).isAcceptable else { throw .tooLong(query) }
      return answer
    }
    if case .plugins = query { return .plugins(workers.pluginRows) }
    return .status(status(at: now))
  }

  /// The present status of the daemon.
  public func status() -> Status { status(at: machine.now) }

  private func status(at now: Duration) -> Status {
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
    status.uptime = (now - startTime).inSeconds
    status.ratePerSecond = settings.ratePerSecond
    status.clock = clock.state(at: now)
    status.isActive = runtime.isActive
    status.frame = runtime.frame
    status.counts = runtime.counts
    status.counters = counterRows
    status.recording = recorder?.status
    status.journal = commits.journal?.status(at: now)
    return status
  }

  private var counterRows: [Status.Counter] {
    let links = workers.linkCounters
    return [
      .init("bytes-from-clients", clients.counters.bytesFromClients),
      .init("bytes-from-workers", workers.counters.bytesFromWorkers),
      .init("bytes-published", publisher.bytes), .init("bytes-to-clients", clients.counters.bytesToClients),
      .init("bytes-to-workers", workers.counters.bytesToWorkers), .init("commits", commits.commits),
      .init("conflated-ticks", links.conflatedTicks),
      .init(
        "excessive-subscribers",
        counters.excessiveSubscribers + workers.counters.excessiveSubscribers + DescriptorLimit.floods),
      .init("foreign-messages", workers.counters.foreignMessages + clients.counters.foreignMessages),
      .init("forged-messages", workers.counters.forgedMessages),
      .init("frame-wake-ups", counters.frameWakeUps), .init("frames", frames.counters.frames),
      .init("maintenance-wake-ups", counters.maintenanceWakeUps), .init("late-frames", frames.counters.lateFrames),
      .init("late-updates", runtime.lateUpdates),
      .init("left-out-log-lines", workers.suppressedLines),
      .init("link-fenced", links.fenced), .init("link-gaps", links.gaps),
      .init("link-old", links.old), .init("link-stalls", links.stalls), .init("link-unexpected", links.unexpected),
      .init(
        "malformed-messages",
        counters.malformedMessages + workers.counters.malformedMessages + clients.counters.malformedMessages),
      .init("messages-published", publisher.messages),
      .init("refusals", clients.counters.refusals), .init("refused-checkpoints", commits.refusedCheckpoints),
      .init("refused-claims", workers.claims.refused),
      .init("refused-subscriptions", publisher.refusedSubscriptions),
      .init("refused-tokens", runtime.refusedTokens), .init("refused-writes", runtime.refusedWrites),
      .init("requests", clients.counters.requests), .init("skipped-frames", clock.skipped),
      .init("stalls", counters.stalls),
      .init("step-timeouts", frames.counters.stepTimeouts), .init("ticks", workers.counters.ticks),
      .init("topics", UInt64(publisher.topics)), .init("turns", counters.turns),
      .init("unsent-replies", clients.counters.unsentReplies),
    ] + admissionRows
  }
}

extension Duration {
  /// The length in seconds, as a number.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
