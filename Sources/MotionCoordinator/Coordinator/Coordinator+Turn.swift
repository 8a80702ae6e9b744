import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Messages taken from one socket in one turn, so that a flood on one cannot starve the others or the frames.
  static let messagesPerTurn = 512
  /// Of those, the number taken although a frame is due meanwhile. It takes half a millisecond of commits, by which a
  /// flood of clients can delay a frame, and is enough to serve clients when a frame is always due.
  static let messagesBeforeFrame = 32
  /// The time limit for the same. A large message may take as long as thirty small ones, so fewer are received, and at
  /// least one.
  static let timeBeforeFrame = Duration.milliseconds(2)
  /// A turn that lasts longer, or begins so long after a timer was due, means that the coordinator was suspended, or
  /// too busy to receive any message.
  static let stallLimit = Duration.milliseconds(250)

  /// The first work on the coordinator's thread.
  func begin() {
    // Recovered motion continues by itself, and workers are started for it.
    wakeOrRest()
    reportListener()
    guard let affinity = settings.affinity else { return }
    if Affinity.pin(to: affinity.loop) {
      logger.info("\(affinity)")
    } else {
      logger.warning("the kernel does not let the loop keep to processor \(affinity.loop); it goes on anywhere")
    }
  }

  /// Waits for the next event and handles it.
  func turn() {
    armTimers()
    let expected = [frameTimer.deadline, maintenanceTimer.deadline].compactMap { $0 }.min()
    // A machine that does not wait lets time pass between turns.
    let wasLong = machine.waits && lastLook.map { machine.now > $0 + Self.stallLimit } == true
    do {
      switch try poller.poll(timeout: isHurried || !machine.waits ? .zero : nil) {
      case .ready, .timedOut: break
      case .interrupted: return
      case .terminated: return fail("the context of the sockets was terminated")
      }
    } catch {
      return fail("polling failed: \(error)")
    }
    counters.turns += 1
    let now = machine.now
    lastLook = now
    frames.showTime(at: now)
    if wasLong || expected.map({ now > $0 + Self.stallLimit }) == true { wasStalled(at: now) }
    receiveProcessEvents(at: now)
    receiveFromWorkers(at: now)
    receiveFromClients(at: now)
    receiveJournalEvents(at: now)
    receiveRecordingEvents()
    receiveDirectoryEvents(at: now)
    if poller.isReadable(watched.maintenanceTimer) {
      maintenanceTimer.acknowledge()
      counters.maintenanceWakeUps += 1
    }
    runMaintenance(at: now)
    if poller.isReadable(watched.frameTimer) {
      frameTimer.acknowledge()
      counters.frameWakeUps += 1
    }
    runFrames()
    makeAnswers(at: now)
    answerMetrics(at: now)
    // Last, and nowhere else: a hang anywhere in a turn then stops the heartbeat to systemd.
    if watchdog?.deadline(at: now) == true { notifier.notifyAtOnce("WATCHDOG=1") }
  }

  /// Whether the next turn comes at once because work is left: a step that waits for no worker, or a large request.
  var isHurried: Bool { frames.stepping?.isReady == true || !clients.large.isEmpty }

  func armTimers() {
    frameTimer.arm(
      at: frames.deadline(forWaiting: runtime.nextDueTime, writingBy: commits.timeDeadline(in: runtime, clock)))
    maintenanceTimer.arm(at: nextMaintenanceDeadline)
  }

  private var nextMaintenanceDeadline: Duration? {
    // No array: this property is read in every turn.
    var next: Duration?
    func note(_ deadline: Duration?) {
      guard let deadline else { return }
      next = next.map { min($0, deadline) } ?? deadline
    }
    note(publisher.nextDeadline)
    note(clients.presence.nextDeadline)
    note(frames.stepping?.deadline)
    note(stopping?.deadline)
    note(clients.inspections.nextDeadline)
    note(clients.longAnswers.queue.deadline)
    note(commits.checkpointDeadline)
    note(remoteRetry)
    note(stopping == nil ? directoryWatch.due : nil)
    note(watchdog?.nextDeadline)
    note(workers.nextDeadline)
    return next
  }

  /// Handles everything that is due besides frames.
  func runMaintenance(at now: Duration) {
    watchWorkers(at: now)
    publisher.deadline(at: now)
    perform(clients.answerInspections(in: runtime, at: now), at: now)
    clearUp(clients.takeGone(at: now, pointersAt: clock.time(ofEventAt: now)), at: now)
    commits.deadline(in: runtime, clock, clients.presence, at: now)
    reportRefusedConnections(at: now)
    if stopping == nil { lookAfterDirectory(at: now) }
    if let remoteRetry, now >= remoteRetry { listenToOtherMachines(at: now) }
    goOnStopping(at: now)
  }

  /// Removes the intentions and pointers of clients that are gone.
  private func clearUp(_ remains: ClientPresence.Remains, at now: Duration) {
    if !remains.sequences.isEmpty {
      logger.info("a client is gone; the intentions of \(remains.sequences.count) transactions are withdrawn")
      perform(commits.withdraw(remains.sequences, in: runtime, time: clock.time(at: now)), at: now)
    }
    for input in remains.inputs where runtime.takesInput(input.target) {
      logger.info(
        "a client is gone; its pointers on \(input.target) are cancelled", metadata: metadata(of: input.target))
      // Not as input that may be refused when much of it waits: a cancellation would not be sent again.
      runtime.submit(.input(input))
    }
  }

  /// The coordinator was suspended, or could not run: the silence of peers in that time does not count against them.
  private func wasStalled(at now: Duration) {
    counters.stalls += 1
    workers.wasStalled(at: now)
    clients.wasStalled(at: now)
  }

  /// Takes messages from a socket until it is empty, at most ``messagesPerTurn``, if the poll has found any: reading an
  /// empty socket is a system call.
  ///
  /// - Parameter yields: whether frames go before what remains, after ``messagesBeforeFrame`` or ``timeBeforeFrame``.
  func drain<Received>(
    _ source: Poller.Registration, yields: Bool = false, _ receive: () throws -> ReceiveOutcome<Received>,
    _ handle: (Received) -> Void
  ) {
    guard poller.isReadable(source) else { return }
    let begin = machine.now
    for count in 0..<Self.messagesPerTurn {
      if yields, count > 0, let due = clock.deadline {
        let now = machine.now
        if now >= due, count >= Self.messagesBeforeFrame || now >= begin + timeout { return }
      }
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
