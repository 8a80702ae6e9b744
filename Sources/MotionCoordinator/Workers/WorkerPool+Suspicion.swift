import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel

/// Judges the ends of workers: which plan, if any, a worker crashes on, and when a plugin is quarantined.
extension WorkerPool {
  /// The most bytes of each of a worker's last log lines in the reason of an intention that was given up: a line of a
  /// terminal or two.
  private static let lastWordBytes = 200

  // MARK: Plans sent to workers

  /// Records a command that was sent to a worker.
  func noteHandedOver(_ command: WorkerCommand, to slot: WorkerSlot, at now: Duration) {
    guard case .add(_, _, let planned) = command, let conversation = slot.conversation else { return }
    slot.suspicion.handed(planned.identity, command: conversation.link.lastCommand, at: now)
  }

  /// Records the snapshot that was sent to a worker.
  func noteHandedOver(_ snapshot: WorkerSnapshot, to slot: WorkerSlot, at now: Duration) {
    guard let conversation = slot.conversation else { return }
    for executor in snapshot.executors {
      for planned in executor.intentions {
        slot.suspicion.handed(planned.identity, command: conversation.link.lastCommand, at: now)
      }
    }
  }

  /// Records a worker's acknowledgement: it may have taken up the plans that it was sent.
  func noteAcknowledgement(of slot: WorkerSlot, at now: Duration) {
    guard let conversation = slot.conversation, conversation.link.state == .ready else { return }
    slot.suspicion.acknowledged(conversation.link.acknowledgedCommand, at: now)
  }

  // MARK: Judging

  func verdict(
    on slot: WorkerSlot, _ end: ProcessEnd, _ reason: String, isExpected: Bool, at now: Duration
  ) -> Suspicion.Verdict {
    let isFailure =
      switch slot.fencing {
      case .silent: true
      case .none: end.isFailure
      case .fenced, .unwatchable: false
      }
    let evidence = isFailure && !isExpected ? lastWords(of: slot, reason) : nil
    return slot.suspicion.died(at: slot.lastSign ?? now, evidence: evidence, isLive: runtime.isLive)
  }

  /// The reason why a worker ended, with its last log lines.
  func lastWords(of slot: WorkerSlot, _ reason: String) -> String {
    let lines = slot.log.last.filter { !$0.isEmpty }.suffix(3)
      .map { String(decoding: $0.utf8.prefix(Self.lastWordBytes), as: UTF8.self) }
    return reason + (lines.isEmpty ? "" : "; its last log lines: \(lines.joined(separator: " | "))")
  }

  /// Checks whether a worker has survived its bisection.
  mutating func watchBisection(of slot: WorkerSlot, at now: Duration) -> [Action] {
    guard let due = slot.suspicion.nextDeadline, now >= due, let conversation = slot.conversation else { return [] }
    return perform(
      slot.suspicion.deadline(at: now, lastHeard: conversation.link.lastHeard, isLive: runtime.isLive), for: slot,
      at: now)
  }

  /// Carries out what follows from the end of a worker, or from a life that passed its bisection.
  mutating func perform(_ due: [Suspicion.Action], for slot: WorkerSlot, at now: Duration) -> [Action] {
    var actions: [Action] = []
    for action in due {
      switch action {
      case .withhold(let identities):
        if let identities {
          logger.notice("\(slot.address) runs without \(identities.count) of the intentions that it may have died on")
        }
        actions.append(.apply(.withheld(slot.address, identities)))
      case .quarantine(let identity, let deaths):
        let reason =
          "worker \(slot.address) died \(deaths) times on it and lives without it: \(slot.suspicion.evidence)"
        logger.error("intention \(identity) is given up: \(reason)")
        slot.life.forgive()
        actions.append(.apply(.planQuarantined(identity, reason: reason)))
      case .giveUp(let count):
        let reason =
          "it died on \(count) different intentions within 60 s, the last time because \(slot.suspicion.evidence)"
        actions += perform(slot.life.giveUp(reason), for: slot, at: now)
      }
    }
    return actions
  }

  // MARK: Quarantine

  /// Quarantines a plugin that failed too often: it is not started again until an operator restarts it; others are
  /// untouched.
  mutating func quarantine(_ plugin: PluginName, because culprit: WorkerSlot, _ reason: String) -> [Action] {
    let last = culprit.log.last.filter { !$0.isEmpty }.suffix(3).joined(separator: " | ")
    let text = "\(culprit.address): \(reason)" + (last.isEmpty ? "" : "; its last log lines: \(last)")
    logger.error("plugin \(plugin) is quarantined: \(text)", metadata: metadata(of: culprit))
    library.report("quarantined: \(text). Fix the plugin, then run: motionctl plugin restart \(plugin)", of: plugin)
    var actions: [Action] = []
    for slot in table.slots(of: plugin) {
      if slot !== culprit { slot.life.quarantine("another worker of the plugin: \(text)") }
      launcher.kill(slot, SIGKILL)
      actions += endLink(of: slot)
      actions += perform(slot.suspicion.end(), for: slot, at: machine.now)
    }
    for slot in table.successors.values where slot.address.plugin == plugin { launcher.kill(slot, SIGKILL) }
    return actions + [.apply(.quarantined(plugin, reason: reason))]
  }

  /// Extends the refusal of a type that no usable plugin offers: names the plugin that would offer it, if it had no
  /// problem.
  func explain(_ refusal: Refusal, of type: IntentionType?) -> Refusal {
    guard refusal.code == .unknownType, let type,
      let plugin = library.plugins.first(where: { plugin in
        !plugin.problem.isEmpty && plugin.manifest?.intentions.contains { $0.type == type } == true
      })
    else { return refusal }
    var refusal = refusal
    refusal.remedy = "Plugin \(plugin.name) would fulfil it, but cannot be used: \(plugin.problem)"
    return refusal
  }

  /// The same for the refused operation of a transaction.
  func explain(_ refusal: Refusal, of transaction: Transaction) -> Refusal {
    guard let index = refusal.operation, case .add(let intention, _, _) = transaction.log[index] else { return refusal }
    return explain(refusal, of: intention.type)
  }
}
