import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// How long workers may take to finish before they are killed: the three steps of a worker's stop.
  static let drainTime = Duration.seconds(3)

  /// Drains: no commit is accepted any more, workers finish and exit, sockets close; returns when all is gone.
  ///
  /// Takes at most 4 s: a worker that does not exit is killed.
  public nonisolated func stop() async {
    // Not isolated: the thread that runs the coordinator's jobs has ended when this goes on.
    await withCheckedContinuation { done in
      Task { await self.stop(whenDone: done) }
    }
  }

  private func stop(whenDone done: CheckedContinuation<Void, Never>) {
    guard stopping == nil else {
      stopping?.done.append(done)
      return
    }
    beginStopping(done)
  }

  /// Ends every worker now, without asking.
  public func stopNow() {
    for seat in seats.values { kill(seat, SIGKILL) }
  }

  private func beginStopping(_ done: CheckedContinuation<Void, Never>) {
    let now = BootClock.now
    logger.info("stopping: workers are asked to finish")
    stopping = Stopping(deadline: now + Self.drainTime + .seconds(1), done: [done])
    for seat in seatsInOrder { perform(seat.life.stop(at: now), for: seat, at: now) }
    finishStoppingIfDone()
  }

  /// Ends the stop once no worker is left.
  func finishStoppingIfDone() {
    guard stopping != nil, seats.values.allSatisfy({ $0.process == nil && $0.link == nil }) else { return }
    finishStopping()
  }

  func finishStopping() {
    stopNow()
    executor.stop()
  }

  /// The last that happens on the coordinator's thread.
  func close() {
    recording?.close()
    directory.removeSockets()
    let done = stopping?.done ?? []
    stopping = Stopping(deadline: .seconds(Int64.max / 2), done: [])
    for continuation in done { continuation.resume() }
  }
}
