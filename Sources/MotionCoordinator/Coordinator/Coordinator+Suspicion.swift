import Logging
import MotionCore
import MotionLink
import MotionModel

extension Coordinator {
  /// The most bytes of each of a worker's last log lines in the reason of an intention that was given up: a line of a
  /// terminal or two.
  static let lastWordBytes = 200

  // MARK: Plans sent to workers

  /// Records a command that was sent to a worker.
  func noteHandedOver(_ command: WorkerCommand, to slot: WorkerSlot, at now: Duration) {
    guard case .add(_, _, let planned) = command, let link = slot.link else { return }
    slot.suspicion.handed(planned.identity, command: link.lastCommand, at: now)
  }

  /// Records the snapshot that was sent to a worker.
  func noteHandedOver(_ snapshot: WorkerSnapshot, to slot: WorkerSlot, at now: Duration) {
    guard let link = slot.link else { return }
    for executor in snapshot.executors {
      for planned in executor.intentions {
        slot.suspicion.handed(planned.identity, command: link.lastCommand, at: now)
      }
    }
  }

  /// Records a worker's acknowledgement: it may have taken up the plans that it was sent.
  func noteAcknowledgement(of slot: WorkerSlot, at now: Duration) {
    guard let link = slot.link, link.state == .ready else { return }
    slot.suspicion.acknowledged(link.acknowledgedCommand, at: now)
  }

  // MARK: Judging

  /// Decides which plan, if any, caused the end of a worker.
  func judge(
    _ slot: WorkerSlot, _ end: ProcessEnd, _ reason: String, isExpected: Bool, at now: Duration
  ) -> Suspicion.Verdict {
    let isFailure = slot.fellSilent || slot.fenceReason == nil && end.isFailure
    let evidence = isFailure && !isExpected ? lastWords(of: slot, reason) : nil
    return slot.suspicion.died(at: slot.lastSign ?? now, evidence: evidence, isLive: runtime.isLive)
  }

  /// The reason why a worker ended, with its last log lines.
  func lastWords(of slot: WorkerSlot, _ reason: String) -> String {
    let lines = slot.log.last.filter { !$0.isEmpty }.suffix(3)
      .map { String(decoding: $0.utf8.prefix(Self.lastWordBytes), as: UTF8.self) }
    return reason + (lines.isEmpty ? "" : "; its last words: \(lines.joined(separator: " | "))")
  }

  /// Checks whether a worker has survived its bisection.
  func watchBisection(of slot: WorkerSlot, at now: Duration) {
    guard let due = slot.suspicion.nextDeadline, now >= due, let link = slot.link else { return }
    let actions = slot.suspicion.deadline(at: now, lastHeard: link.lastHeard, isLive: runtime.isLive)
    perform(actions, for: slot, at: now)
  }

  /// Carries out what follows from the end of a worker, or from a life that passed its bisection.
  func perform(_ actions: [Suspicion.Action], for slot: WorkerSlot, at now: Duration) {
    for action in actions {
      switch action {
      case .withhold(let identities):
        if let identities {
          logger.notice("\(slot.address) is tried without \(identities.count) of the intentions it may have died on")
        }
        applyNow(.withheld(slot.address, identities), at: now)
      case .quarantine(let identity, let deaths):
        let reason =
          "worker \(slot.address) died \(deaths) times on it and lives without it: \(slot.suspicion.evidence)"
        logger.error("intention \(identity) is given up: \(reason)")
        slot.life.forgive()
        applyNow(.planQuarantined(identity, reason: reason), at: now)
      case .giveUp(let count):
        perform(
          slot.life.giveUp(
            "it died on \(count) different intentions within 60 s, the last time because "
              + slot.suspicion.evidence), for: slot, at: now)
      }
    }
  }
}
