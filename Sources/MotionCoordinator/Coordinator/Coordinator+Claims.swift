import Logging
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  /// Handles the claim of a process that was not started here and asks to become a worker.
  func claimed(_ claim: Claim, _ envelope: Envelope, from routingID: RoutingID, key: CurveKey?, at now: Duration) {
    func answer(_ body: Envelope.Body) {
      let answer = Envelope(epoch: epoch, replyTo: envelope.sequence, sent: now.nanosecondsSinceBoot, body)
      let bytes = answer.encoded()
      counters.bytesToWorkers += UInt64(bytes.count)
      // Lost if the sender has gone; otherwise the sender retries.
      _ = try? sockets.link.send(bytes, to: routingID)
    }
    do throws(Refusal) {
      guard let slot = try slot(for: claim, of: key) else { return }
      switch try verdict(on: claim, for: slot, at: now) {
      case .late: counters.foreignMessages += 1
      case .taken(let until): throw .taken(claim, by: slot, until: until.map { $0 - now })
      case .resend:
        slot.routingID = routingID
        answer(.assignment(lease(of: slot)))
      case .assignment:
        begin(slot, by: claim, key: key, at: now)
        slot.routingID = routingID
        answer(.assignment(lease(of: slot)))
      }
    } catch {
      note(error, of: claim, at: now)
      answer(.refusal(error))
    }
  }

  /// The slot that a claim is about.
  ///
  /// - Throws: the reason why it is not available, with the remedy.
  private func slot(for claim: Claim, of key: CurveKey?) throws(Refusal) -> WorkerSlot? {
    guard claim.handshakeVersions.overlaps(ProtocolVersion.handshake) else { throw .versions(of: claim) }
    guard stopping == nil else {
      throw Refusal(.stopping, "motiond is stopping", remedy: "Ask again when it is back")
    }
    guard settings.workerListener != nil, authorized.names(claim.address) else { throw .notRemote(claim) }
    guard authorized.allows(key, as: claim.address) else { throw .foreignKey(claim) }
    guard let manifest = library[claim.address.plugin]?.manifest, claim.address.instance < manifest.instances,
      let slot = slot(for: claim.address)
    else { throw .unknownAssignment(claim, problem: library[claim.address.plugin]?.problem ?? "") }
    guard waits(for: slot, at: machine.now) else { throw .finishing(claim) }
    if case .quarantined(let reason) = slot.life.state { throw .quarantined(claim, reason) }
    return slot
  }

  /// Whether the slot waits for a remote worker. A worker that was started here before its key was authorized has to
  /// finish first: the new worker continues with the tokens that it holds elsewhere.
  private func waits(for slot: WorkerSlot, at now: Duration) -> Bool {
    if slot.remote == nil {
      if !slot.life.hasProcess {
        slot.remote = remoteHolder(of: slot.address)
      } else if slot.life.state == .running {
        logger.notice("\(slot.address) is to be the process of another machine; the one here finishes")
        perform(slot.life.restart(at: now), for: slot, at: now)
      }
    }
    return slot.remote != nil
  }

  private func verdict(
    on claim: Claim, for slot: WorkerSlot, at now: Duration
  ) throws(Refusal) -> RemoteAssignment.Verdict {
    guard var bisection = slot.remote?.assignment else { return .late }
    let verdict = bisection.claimed(claim, at: now)
    guard verdict == .assignment else { return verdict }
    do {
      // The claimant retries within a second, and by then the assignment is written.
      guard try register?.isSaved(claim.claimant, as: slot.address) ?? true else { return .late }
    } catch {
      throw Refusal(
        .storage, "who has the slot of \(slot.address) cannot be written down: \(error)",
        remedy: "Give motiond a state directory that it may write")
    }
    // The claimant has given up its previous life, which may have been about to end normally.
    if slot.link?.state == .draining { remoteEnded(slot, "it has finished", isReleased: false, at: now) }
    endLink(of: slot, at: now)
    slot.remote?.assignment = bisection
    return verdict
  }

  /// Begins a life of a worker whose process already runs.
  private func begin(_ slot: WorkerSlot, by claim: Claim, key: CurveKey?, at now: Duration) {
    slot.remote?.key = key
    slot.remote?.place = claim.host.filter { !$0.isWhitespace && $0.isASCII }
    beginLink(of: slot, at: now)
    // It stays until it leaves by itself: the coordinator could not start it again when it is needed.
    perform(slot.life.need(at: now), for: slot, at: now)
    logger.info(
      "\(slot.address) is process \(claim.processID) of \(slot.remote?.place ?? "")",
      metadata: ["incarnation": "\(slot.incarnation)"])
  }

  private func lease(of slot: WorkerSlot) -> Assignment {
    let ports = settings.workerListener?.ports ?? []
    return Assignment(
      incarnation: slot.incarnation, lease: LinkTiming.network.firstLease / .seconds(1), commandsPort: ports[1],
      ticksPort: ports[2], eventsPort: ports[3], onLost: slot.manifest.onLost)
  }

  /// Ends the present life of a remote worker, whether it ended normally or had to end; its process may go on.
  ///
  /// - Parameter isReleased: whether the worker itself reported that this life is over, so that any claimant may
  ///   follow at once.
  func remoteEnded(_ slot: WorkerSlot, _ reason: String, isReleased: Bool, at now: Duration) {
    endLink(of: slot, at: now)
    if isReleased {
      slot.remote?.assignment.released()
      register?.forget(slot.address)
    }
    logger.info("\(slot.address) has stopped: \(reason)")
    perform(slot.life.died(reason, at: now), for: slot, at: now)
    if library[slot.address.plugin]?.isRemoved == true { dropRemovedPlugins() }
    finishStoppingIfDone()
  }

  /// Revokes a key: the workers that use it are fenced, and are refused from now on.
  func revokeRemote(_ key: CurveKey) {
    let now = machine.now
    for slot in slotsInOrder where slot.remote?.key == key && slot.link != nil {
      logger.warning("\(slot.address) is fenced: its key was taken away")
      endLink(of: slot, at: now)
    }
  }

  /// When motiond may start a worker itself, whose key was revoked and for which no other key is authorized: as soon as
  /// no earlier holder of the slot can act for it any more.
  func takingBack(of slot: WorkerSlot) -> Duration? {
    guard let remote = slot.remote, slot.link == nil, !isAwaited(slot.address) else { return nil }
    if case .stopping = slot.life.state { return nil }
    return remote.assignment.heldUntil
  }

  /// Stops waiting for a remote worker in this slot.
  func takeBack(_ slot: WorkerSlot, at now: Duration) {
    slot.remote = nil
    register?.forget(slot.address)
    guard slot.life.state == .running else { return }
    logger.notice("\(slot.address) is waited for no longer, and is started here")
    perform(.spawn, for: slot, at: now)
  }

  /// Logs at intervals why a claimant does not get a slot: it retries each second.
  private func note(_ refusal: Refusal, of claim: Claim, at now: Duration) {
    counters.refusedClaims += 1
    guard now >= nextClaimReport else { return }
    nextClaimReport = now + Self.claimReports
    logger.warning("process \(claim.processID) of \(claim.host.prefix(64)) is not \(claim.address): \(refusal)")
  }

  /// The interval between reports of refused claims: a claimant that retries each second must not fill the log.
  private static let claimReports = Duration.seconds(10)
}

extension Refusal {
  fileprivate static func versions(of claim: Claim) -> Refusal {
    let (theirs, ours) = (claim.handshakeVersions, ProtocolVersion.handshake)
    return Refusal(
      .version,
      "the worker speaks handshake \(theirs.lowerBound) to \(theirs.upperBound), motiond \(ours.lowerBound) to "
        + "\(ours.upperBound)", remedy: "Build the plugin with a kit of the same protocol as this motiond")
  }

  fileprivate static func notRemote(_ claim: Claim) -> Refusal {
    Refusal(
      .noAssignment, "\(claim.address) is no remote worker here",
      remedy: "Write worker, the worker's public key and \(claim.address.plugin) into motiond's file of authorized "
        + "keys, and send motiond HUP")
  }

  fileprivate static func foreignKey(_ claim: Claim) -> Refusal {
    Refusal(
      .noAssignment, "this key is not good for \(claim.address)",
      remedy: "Authorize the worker's public key for it, or use the key that is")
  }

  fileprivate static func unknownAssignment(_ claim: Claim, problem: String) -> Refusal {
    Refusal(
      .noAssignment, "there is no worker \(claim.address)" + (problem.isEmpty ? "" : ": \(problem)"),
      remedy: "Put the plugin's folder with its plugin.json on motiond's plugin path, with enough instances")
  }

  fileprivate static func finishing(_ claim: Claim) -> Refusal {
    Refusal(
      .assignmentTaken, "\(claim.address) is a process that motiond has started, and that finishes now",
      remedy: "Wait; the assignment is free then")
  }

  fileprivate static func quarantined(_ claim: Claim, _ reason: String) -> Refusal {
    Refusal(
      .quarantined, "\(claim.address) is quarantined: \(reason)",
      remedy: "Mend it, then run: motionctl plugin restart \(claim.address.plugin)")
  }

  fileprivate static func taken(_ claim: Claim, by slot: WorkerSlot, until: Duration?) -> Refusal {
    let place = slot.remote.map { $0.place.isEmpty ? "" : " of \($0.place)" } ?? ""
    guard let until else {
      return Refusal(
        .assignmentTaken, "another process\(place) is \(claim.address)",
        remedy: "Stop one of the two, or give this one another instance (--instance)")
    }
    return Refusal(
      .assignmentTaken,
      "another process\(place) was \(claim.address), and may act for \(Int(until / .seconds(1)) + 1) s yet",
      remedy: "Wait; the assignment is free then")
  }
}
