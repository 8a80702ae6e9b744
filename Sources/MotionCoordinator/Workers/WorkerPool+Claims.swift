import Logging
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Workers on other machines: their claims, and the ends of their lives.
extension WorkerPool {
  /// A process that was not started here claims to become a worker.
  ///
  /// - Parameter number: the number of its message, for the answer.
  mutating func claimed(
    _ claim: Claim, number: UInt64, from routingID: RoutingID, key: CurveKey?, at now: Duration
  ) -> [Action] {
    do throws(Refusal) {
      guard !isStopping else { throw .stopping }
      try claims.check(claim, with: key, by: sockets.authorizedKeys)
      let (slot, holder) = try slot(for: claim, at: now)
      switch try claims.decide(claim, against: holder, at: now) {
      case .unanswered: counters.foreignMessages += 1
      case .resend:
        slot.conversation?.routingID = routingID
        reply(.assignment(lease(of: slot)), to: routingID, number: number, at: now)
      case .begin(let assignment):
        return assign(slot, assignment, at: now)
          + [.then(.begin(slot, claim, key: key, routingID: routingID, answering: number))]
      }
    } catch {
      if claims.noteRefusal(at: now) {
        let claimant = "process \(claim.processID) of \(claim.host.prefix(64))"
        logger.warning("\(claimant) does not get the assignment \(claim.address): \(error)")
      }
      reply(.refusal(error), to: routingID, number: number, at: now)
    }
    return []
  }

  /// Whether a worker connects from elsewhere and is waited for instead of started.
  func isAwaited(_ worker: WorkerAddress) -> Bool { claims.isAwaited(worker, by: sockets.authorizedKeys) }

  private mutating func reply(_ body: Envelope.Body, to routingID: RoutingID, number: UInt64, at now: Duration) {
    sendOnLink(Envelope(epoch: epoch, replyTo: number, sent: now.nanosecondsSinceBoot, body), to: routingID)
  }

  /// The slot that a claim is about, and its holder.
  ///
  /// - Throws: the reason why the slot is not available, with the remedy.
  private mutating func slot(
    for claim: Claim, at now: Duration
  ) throws(Refusal) -> (WorkerSlot, RemoteHolder) {
    guard let manifest = library[claim.address.plugin]?.manifest, claim.address.instance < manifest.instances,
      let slot = slot(for: claim.address)
    else { throw .unknownAssignment(claim, problem: library[claim.address.plugin]?.problem ?? "") }
    guard let holder = holder(of: slot, at: now) else { throw .finishing(claim) }
    if case .quarantined(let reason) = slot.life.state { throw .quarantined(claim, reason) }
    return (slot, holder)
  }

  /// The holder of a slot that waits for a remote worker; `nil` if a worker that was started here before its key was
  /// authorized has to finish first: the new worker continues with the tokens that it holds elsewhere.
  private mutating func holder(of slot: WorkerSlot, at now: Duration) -> RemoteHolder? {
    if slot.remote == nil {
      if !slot.life.hasProcess {
        slot.remote = claims.holder(of: slot.address)
      } else if slot.life.state == .running {
        logger.notice("\(slot.address) moves to another machine; its process on this machine is shut down")
        // Shutting down a worker that runs here causes no actions for others.
        _ = perform(slot.life.restart(at: now), for: slot, at: now)
      }
    }
    return slot.remote
  }

  /// Ends the previous life of a slot, and gives the slot to a claimant.
  private mutating func assign(
    _ slot: WorkerSlot, _ assignment: RemoteAssignment, at now: Duration
  ) -> [Action] {
    var actions: [Action] = []
    // The claimant has given up its previous life, which may have been about to end normally.
    if slot.link?.state == .draining { actions += endRemote(slot, "it has finished", isReleased: false, at: now) }
    actions += endLink(of: slot)
    slot.remote?.assignment = assignment
    return actions
  }

  /// Begins a life of a worker whose process already runs.
  mutating func begin(
    _ slot: WorkerSlot, by claim: Claim, _ key: CurveKey?, from routingID: RoutingID, answering number: UInt64,
    at now: Duration
  ) -> [Action] {
    slot.remote?.key = key
    slot.remote?.place = claim.host.filter { !$0.isWhitespace && $0.isASCII }
    connect(slot, .remote, incarnation: table.nextIncarnation(), at: now)
    // It stays until it leaves by itself: the coordinator could not start it again when it is needed.
    let actions = perform(slot.life.need(at: now), for: slot, at: now)
    logger.info(
      "\(slot.address) is process \(claim.processID) of \(slot.remote?.place ?? "")",
      metadata: ["incarnation": "\(slot.incarnation)"])
    slot.conversation?.routingID = routingID
    reply(.assignment(lease(of: slot)), to: routingID, number: number, at: now)
    return actions
  }

  private func lease(of slot: WorkerSlot) -> Assignment {
    let ports = settings.workerListener?.ports ?? []
    return Assignment(
      incarnation: slot.incarnation, lease: LinkTiming.network.firstLease / .seconds(1), commandsPort: ports[1],
      ticksPort: ports[2], eventsPort: ports[3], onLost: slot.program.manifest.onLost)
  }

  /// Ends the present life of a remote worker, whether it ended normally or had to end; its process may continue.
  ///
  /// - Parameter isReleased: whether the worker itself reported that this life is over, so that any claimant may
  ///   follow at once.
  mutating func endRemote(_ slot: WorkerSlot, _ reason: String, isReleased: Bool, at now: Duration) -> [Action] {
    let actions = endLink(of: slot)
    if isReleased {
      slot.remote?.assignment.released()
      claims.forget(slot.address)
    }
    logger.info("\(slot.address) has stopped: \(reason)")
    return actions + [.then(.remoteEnded(slot, reason: reason))]
  }

  /// The runtime has applied the end of a remote worker.
  mutating func remoteEnded(_ slot: WorkerSlot, _ reason: String, at now: Duration) -> [Action] {
    perform(slot.life.died(reason, at: now), for: slot, at: now) + dropIfRemoved(slot.address.plugin) + [.ended]
  }

  /// Keys are no longer authorized: workers that use them are fenced, and are refused.
  mutating func revoke(_ revoked: [CurveKey]) -> [Action] {
    var actions: [Action] = []
    for key in revoked {
      for slot in table.inOrder where slot.remote?.key == key && slot.conversation != nil {
        logger.warning("\(slot.address) is fenced: its key was revoked")
        actions += endLink(of: slot)
      }
    }
    return actions
  }

  /// When motiond may start a worker itself, whose key was revoked and for which no other key is authorized: as soon as
  /// no earlier holder of the slot can act for it any more.
  func takingBack(of slot: WorkerSlot) -> Duration? {
    guard let remote = slot.remote, slot.conversation == nil, !isAwaited(slot.address) else { return nil }
    if case .stopping = slot.life.state { return nil }
    return remote.assignment.heldUntil
  }

  /// Stops waiting for a remote worker in this slot, if that is due.
  mutating func takeBack(_ slot: WorkerSlot, at now: Duration) -> [Action] {
    guard let due = takingBack(of: slot), now >= due else { return [] }
    slot.remote = nil
    claims.forget(slot.address)
    guard slot.life.state == .running else { return [] }
    logger.notice("\(slot.address) has no authorized key any more, and is started on this machine")
    return perform(.spawn, for: slot, at: now)
  }
}
