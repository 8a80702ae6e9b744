import Logging
import MotionCore
import MotionLink
import MotionModel

extension Coordinator {
  /// Bytes of each of a worker's last words in the reason of an intention that was given up: a line of a terminal or two.
  static let lastWordBytes = 200

  // MARK: What workers are given

  /// A worker was sent a command.
  func noteHandedOver(_ command: WorkerCommand, to seat: WorkerSeat, at now: Duration) {
    guard case .add(_, _, let planned) = command, let link = seat.link else { return }
    seat.suspicion.handed(planned.identity, command: link.lastCommand, at: now)
  }

  /// A worker was sent all it has to know.
  func noteHandedOver(_ snapshot: WorkerSnapshot, to seat: WorkerSeat, at now: Duration) {
    guard let link = seat.link else { return }
    for executor in snapshot.executors {
      for planned in executor.intentions {
        seat.suspicion.handed(planned.identity, command: link.lastCommand, at: now)
      }
    }
  }

  /// A worker said something: it may have taken up what it was given.
  func noteAcknowledgement(of seat: WorkerSeat, at now: Duration) {
    guard let link = seat.link, link.state == .ready else { return }
    seat.suspicion.acknowledged(link.acknowledgedCommand, at: now)
  }

  // MARK: Judging

  /// Asks whose fault the end of a worker is.
  func judge(
    _ seat: WorkerSeat, _ end: ProcessEnd, _ reason: String, isExpected: Bool, at now: Duration
  ) -> Suspicion.Verdict {
    let isFailure = seat.fellSilent || seat.fenceReason == nil && end.isFailure
    let evidence = isFailure && !isExpected ? lastWords(of: seat, reason) : nil
    return seat.suspicion.died(at: seat.lastSign ?? now, evidence: evidence, isLive: runtime.isLive)
  }

  /// Why a worker ended, with the last that it said.
  func lastWords(of seat: WorkerSeat, _ reason: String) -> String {
    let lines = seat.log.last.filter { !$0.isEmpty }.suffix(3)
      .map { String(decoding: $0.utf8.prefix(Self.lastWordBytes), as: UTF8.self) }
    return reason + (lines.isEmpty ? "" : "; its last words: \(lines.joined(separator: " | "))")
  }

  /// Looks whether a worker has lived through its trial.
  func watchTrial(of seat: WorkerSeat, at now: Duration) {
    guard let due = seat.suspicion.nextDeadline, now >= due, let link = seat.link else { return }
    let actions = seat.suspicion.deadline(at: now, lastHeard: link.lastHeard, isLive: runtime.isLive)
    perform(actions, for: seat, at: now)
  }

  /// Does what follows from a death, or from a life without one.
  func perform(_ actions: [Suspicion.Action], for seat: WorkerSeat, at now: Duration) {
    for action in actions {
      switch action {
      case .withhold(let identities):
        if let identities {
          logger.notice("\(seat.address) is tried without \(identities.count) of the intentions it may have died on")
        }
        applyNow(.withheld(seat.address, identities), at: now)
      case .condemn(let identity, let deaths):
        let reason =
          "worker \(seat.address) died \(deaths) times on it and lives without it: \(seat.suspicion.evidence)"
        logger.error("intention \(identity) is given up: \(reason)")
        seat.life.forgive()
        applyNow(.condemned(identity, reason: reason), at: now)
      case .giveUp(let count):
        perform(
          seat.life.giveUp(
            "it died on \(count) different intentions within 60 s, the last time because "
              + seat.suspicion.evidence), for: seat, at: now)
      }
    }
  }
}
