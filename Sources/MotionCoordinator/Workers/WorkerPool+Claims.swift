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
      let slot = try slot(for: claim, of: key, at: now)
      guard var assignment = slot.remote?.assignment else { return [] }
      switch assignment.claimed(claim, at: now) {
      case .late: counters.foreignMessages += 1
      case .taken(let until): throw .taken(claim, by: slot, until: until.map { $0 - now })
      case .resend:
        slot.conversation?.routingID = routingID
        reply(.assignment(lease(of: slot)), to: routingID, number: number, at: now)
      case .assignment:
        guard try isSaved(claim, as: slot) else {
          counters.foreignMessages += 1
          break
        }
        return assign(slot, assignment, at: now)
          + [.then(.begin(slot, claim, key: key, routingID: routingID, answering: number))]
      }
      return []
    } catch {
      note(error, of: claim, at: now)
      reply(.refusal(error), to: routingID, number: number, at: now)
      return []
    }
  }

  private mutating func reply(_ body: Envelope.Body, to routingID: RoutingID, number: UInt64, at now: Duration) {
    sendOnLink(Envelope(epoch: epoch, replyTo: number, sent: now.nanosecondsSinceBoot, body), to: routingID)
  }

  /// The slot that a claim is about.
  ///
  /// - Throws: the reason why it is not available, with the remedy.
  private mutating func slot(
    for claim: Claim, of key: CurveKey?, at now: Duration
  ) throws(Refusal) -> WorkerSlot {
    guard claim.handshakeVersions.overlaps(ProtocolVersion.handshake) else { throw .versions(of: claim) }
    guard !isStopping else {
      throw Refusal(.stopping, "motiond is stopping", remedy: "Claim again when it has restarted")
    }
    guard claims.isAwaited(claim.address) else { throw .notRemote(claim) }
    guard claims.keys.allows(key, as: claim.address) else { throw .foreignKey(claim) }
    guard let manifest = library[claim.address.plugin]?.manifest, claim.address.instance < manifest.instances,
      let slot = slot(for: claim.address)
    else { throw .unknownAssignment(claim, problem: library[claim.address.plugin]?.problem ?? "") }
    guard waits(for: slot, at: now) else { throw .finishing(claim) }
    if case .quarantined(let reason) = slot.life.state { throw .quarantined(claim, reason) }
    return slot
  }

  /// Whether the slot waits for a remote worker. A worker that was started here before its key was authorized has to
  /// finish first: the new worker continues with the tokens that it holds elsewhere.
  private mutating func waits(for slot: WorkerSlot, at now: Duration) -> Bool {
    if slot.remote == nil {
      if !slot.life.hasProcess {
        slot.remote = claims.holder(of: slot.address)
      } else if slot.life.state == .running {
        logger.notice("\(slot.address) moves to another machine; its process on this machine is shut down")
        // Shutting down a worker that runs here causes no actions for others.
        _ = perform(slot.life.restart(at: now), for: slot, at: now)
      }
    }
    return slot.remote != nil
  }

  /// Whether the assignment is on disk. If not, it is being written: the claimant retries within a second.
  private func isSaved(_ claim: Claim, as slot: WorkerSlot) throws(Refusal) -> Bool {
    do {
      return try claims.register?.isSaved(claim.claimant, as: slot.address) ?? true
    } catch {
      throw Refusal(
        .storage, "the holder of the assignment \(slot.address) cannot be stored: \(error)",
        remedy: "Give motiond a state directory that it can write")
    }
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
      claims.register?.forget(slot.address)
    }
    logger.info("\(slot.address) has stopped: \(reason)")
    return actions + [.then(.remoteEnded(slot, reason: reason))]
  }

  /// The runtime has applied the end of a remote worker.
  mutating func remoteEnded(_ slot: WorkerSlot, _ reason: String, at now: Duration) -> [Action] {
    perform(slot.life.died(reason, at: now), for: slot, at: now) + dropIfRemoved(slot.address.plugin) + [.ended]
  }

  /// Other keys are authorized from now on. Workers that use a revoked one are fenced, and are refused.
  mutating func authorize(_ keys: AuthorizedKeys, revoking revoked: [CurveKey]) -> [Action] {
    claims.keys = keys
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
    guard let remote = slot.remote, slot.conversation == nil, !claims.isAwaited(slot.address) else { return nil }
    if case .stopping = slot.life.state { return nil }
    return remote.assignment.heldUntil
  }

  /// Stops waiting for a remote worker in this slot, if that is due.
  mutating func takeBack(_ slot: WorkerSlot, at now: Duration) -> [Action] {
    guard let due = takingBack(of: slot), now >= due else { return [] }
    slot.remote = nil
    claims.register?.forget(slot.address)
    guard slot.life.state == .running else { return [] }
    logger.notice("\(slot.address) has no authorized key any more, and is started on this machine")
    return perform(.spawn, for: slot, at: now)
  }

  /// Logs at intervals why a claimant does not get a slot: it retries each second.
  private mutating func note(_ refusal: Refusal, of claim: Claim, at now: Duration) {
    guard claims.noteRefusal(at: now) else { return }
    logger.warning(
      "process \(claim.processID) of \(claim.host.prefix(64)) does not get the assignment \(claim.address): \(refusal)")
  }
}

extension Refusal {
  fileprivate static func versions(of claim: Claim) -> Refusal {
    let (theirs, ours) = (claim.handshakeVersions, ProtocolVersion.handshake)
    return Refusal(
      .version,
      "the worker uses handshake \(theirs.lowerBound) to \(theirs.upperBound), motiond \(ours.lowerBound) to "
        + "\(ours.upperBound)", remedy: "Build the plugin with a kit of the same protocol as this motiond")
  }

  fileprivate static func notRemote(_ claim: Claim) -> Refusal {
    Refusal(
      .noAssignment, "\(claim.address) is not authorized as a remote worker",
      remedy: "Write worker, the worker's public key and \(claim.address.plugin) into motiond's file of authorized "
        + "keys, and send motiond HUP")
  }

  fileprivate static func foreignKey(_ claim: Claim) -> Refusal {
    Refusal(
      .noAssignment, "this key is not authorized for \(claim.address)",
      remedy: "Authorize the worker's public key for it, or use the authorized key")
  }

  fileprivate static func unknownAssignment(_ claim: Claim, problem: String) -> Refusal {
    Refusal(
      .noAssignment, "worker \(claim.address) does not exist" + (problem.isEmpty ? "" : ": \(problem)"),
      remedy: "Put the plugin's folder with its plugin.json on motiond's plugin path, with enough instances")
  }

  fileprivate static func finishing(_ claim: Claim) -> Refusal {
    Refusal(
      .assignmentTaken, "\(claim.address) is a process on motiond's machine, which is shutting down",
      remedy: "Wait; the assignment is free then")
  }

  fileprivate static func quarantined(_ claim: Claim, _ reason: String) -> Refusal {
    Refusal(
      .quarantined, "\(claim.address) is quarantined: \(reason)",
      remedy: "Fix the plugin, then run: motionctl plugin restart \(claim.address.plugin)")
  }

  fileprivate static func taken(_ claim: Claim, by slot: WorkerSlot, until: Duration?) -> Refusal {
    let place = slot.remote.map { $0.place.isEmpty ? "" : " of \($0.place)" } ?? ""
    guard let until else {
      return Refusal(
        .assignmentTaken, "another process\(place) holds the assignment \(claim.address)",
        remedy: "Stop one of the two, or give this one another instance (--instance)")
    }
    return Refusal(
      .assignmentTaken,
      "another process\(place) held the assignment \(claim.address), and its lease lasts for \(Int(until / .seconds(1)) + 1) s",
      remedy: "Wait; the assignment is free then")
  }
}
