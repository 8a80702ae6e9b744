import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Messages taken from one socket in one turn, so that a flood on one cannot starve the others or the frames.
  static let messagesPerTurn = 512
  /// A turn that begins so long after a timer was due means that we were stopped, or too busy to hear anybody.
  static let stallLimit = Duration.milliseconds(250)

  /// Waits for whatever comes next and does it.
  func turn() {
    armTimers()
    let expected = [frameTimer.deadline, houseTimer.deadline].compactMap { $0 }.min()
    do {
      // A step that waits for nobody goes on at once, after a look at everything else; so does a large request.
      switch try poller.poll(timeout: stepping?.isReady == true || !large.isEmpty ? .zero : nil) {
      case .ready, .timedOut: break
      case .interrupted: return
      case .terminated: return fail("the context of the sockets was terminated")
      }
    } catch {
      return fail("polling failed: \(error)")
    }
    let now = BootClock.now
    if let expected, now > expected + Self.stallLimit { wasStalled(at: now) }
    hearWorkers(at: now)
    hearClients(at: now)
    hearRecording()
    if poller.isReadable(watched.houseTimer) {
      houseTimer.acknowledge()
      counters.houseWakeUps += 1
    }
    keepHouse(at: now)
    if poller.isReadable(watched.frameTimer) {
      frameTimer.acknowledge()
      counters.frameWakeUps += 1
    }
    runFrames()
  }

  private func armTimers() {
    frameTimer.arm(at: clock.deadline ?? wakeForWaiting)
    houseTimer.arm(at: nextHouseDeadline)
  }

  /// When an idle runtime has to wake for a transaction that waits for its time.
  private var wakeForWaiting: Duration? {
    guard !clock.isActive, let time = runtime.nextDueTime else { return nil }
    return clock.bootTime(of: time)
  }

  private var nextHouseDeadline: Duration? {
    var deadlines = [
      publisher.nextDeadline, presence.nextDeadline, stepping?.deadline, stopping?.deadline, inspections.nextDeadline,
    ]
    for seat in seats.values {
      deadlines.append(seat.endDeadline)
      deadlines.append(seat.link?.nextDeadline)
      deadlines.append(seat.life.nextDeadline(linger: settings.workerLinger))
    }
    return deadlines.compactMap { $0 }.min()
  }

  /// Does what is due besides frames.
  private func keepHouse(at now: Duration) {
    watchWorkers(at: now)
    publisher.deadline(at: now)
    answerInspections(at: now)
    clearUp(presence.takeGone(at: now, pointersAt: clock.time(ofEventAt: now)))
    goOnStopping(at: now)
  }

  /// Takes away what clients that are gone have left.
  private func clearUp(_ remains: ClientPresence.Remains) {
    if !remains.sequences.isEmpty {
      logger.info("a client is gone; the intentions of \(remains.sequences.count) transactions are withdrawn")
      runtime.submit(.withdraw(remains.sequences))
    }
    for input in remains.inputs where runtime.takesInput(input.target) {
      logger.info("a client is gone; its pointers on \(input.target) are cancelled")
      // Not as input that may be refused when much of it waits: nobody would say it again.
      runtime.submit(.input(input))
    }
  }

  /// We were stopped, or could not run: nobody's silence in that time counts.
  private func wasStalled(at now: Duration) {
    counters.stalls += 1
    for seat in seats.values { seat.link?.wasStalled(at: now) }
    presence.wasStalled(at: now)
  }

  /// Takes messages from a socket until it is empty, at most ``messagesPerTurn``.
  func drain<Received>(_ receive: () throws -> ReceiveOutcome<Received>, _ handle: (Received) -> Void) {
    for _ in 0..<Self.messagesPerTurn {
      do {
        guard case .message(let message) = try receive() else { return }
        handle(message)
      } catch is TooManyParts {
        counters.malformedMessages += 1
      } catch {
        logger.error("receiving failed: \(error)")
        return
      }
    }
  }
}
