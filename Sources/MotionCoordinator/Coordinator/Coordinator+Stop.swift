import Glibc
import Logging
import MotionLink
import MotionModel
import Synchronization
import ZeroMQ

/// The reason why a coordinator ended without being asked to.
public struct CoordinatorFailure: Error, Sendable, CustomStringConvertible {
  /// The failure.
  public let description: String
}

extension Coordinator {
  /// How long workers may take to finish before all are killed: the three steps of a worker's stop, and one second for
  /// a process that was only being spawned.
  static let drainTime = WorkerLife.rungTime * 4
  /// How long killed workers may take to exit: the kernel needs milliseconds, unless a disk does not respond.
  static let killTime = Duration.seconds(1)

  /// A stop in progress.
  struct Stopping {
    /// When the next step is due: first all workers are killed, then the coordinator stops waiting for them.
    var deadline: Duration
    /// Whether all workers were killed.
    var hasKilled = false
  }

  /// Drains the coordinator: it accepts no more commits, workers finish and exit, sockets close. Returns when all have
  /// ended.
  ///
  /// Takes at most 5 s: a worker that does not exit is killed.
  public nonisolated func stop() async {
    await endUnlessStarted()
    Task { await self.beginStopping() }
    // Not awaited above: the thread that runs the coordinator's jobs may have ended by now.
    await ended.wait()
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
  /// - Throws: ``CoordinatorFailure`` when it was not asked to.
  public nonisolated func untilEnded() async throws(CoordinatorFailure) {
    await ended.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  func beginStopping() {
    guard stopping == nil else { return }
    let now = machine.now
    // The checkpoint is taken before workers leave: the next start continues from this state.
    commits.close(in: runtime, clock, clients.presence, at: now)
    logger.info("stopping: workers are asked to finish")
    stopping = Stopping(deadline: now + Self.drainTime)
    finishStepping()
    perform(workers.retireAll(at: now), at: now)
    finishStoppingIfDone()
  }

  private func hurry() {
    beginStopping()
    killAll(at: machine.now)
  }

  private func killAll(at now: Duration) {
    stopping = Stopping(deadline: now + Self.killTime, hasKilled: true)
    perform(workers.endAll(at: now), at: now)
  }

  /// Takes the next step of stopping, if it is due.
  func goOnStopping(at now: Duration) {
    guard let stopping, now >= stopping.deadline else { return }
    guard stopping.hasKilled else { return killAll(at: now) }
    workers.reportLeftovers()
    executor.stop()
  }

  /// Ends the stop once no worker is left.
  func finishStoppingIfDone() {
    guard stopping != nil, !workers.hasProcesses else { return }
    executor.stop()
  }

  /// Ends the coordinator after the failure of something that it cannot run without.
  func fail(_ reason: String) {
    logger.critical("\(reason)")
    failure.withLock { $0 = CoordinatorFailure(description: reason) }
    workers.killAll()
    executor.stop()
  }

  /// The last work on the coordinator's thread.
  func close() {
    perform(commits.finish(), at: machine.now)
    finishRecording()
    isClosed = true
    // Later events from them are not received any more.
    workers.end()
    sockets.admission?.end()
    metrics?.end()
    directory.removeSockets()
    ended.open()
  }
}
