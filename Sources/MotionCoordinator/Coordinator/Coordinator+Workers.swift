import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

extension Coordinator {
  // MARK: Receiving

  /// Receives the messages and subscriptions of workers.
  func receiveFromWorkers(at now: Duration) {
    receiveDecoded(at: now)
    drain(watched.events, sockets.events.receiveOne) { receiveEvent($0, at: now) }
    drain(watched.link, sockets.link.receiveRouted) { receiveOnLink($0.1, from: $0.0, at: now) }
    drain(watched.commands, sockets.commands.receiveSubscriptionMessage) { receiveSubscription($0, $1, at: now) }
    drain(watched.ticks, sockets.ticks.receiveSubscriptionMessage) { receiveSubscription($0, $1, at: now) }
    for slot in allSlots {
      guard let registration = slot.registration, poller.isReadable(registration) else { continue }
      noteDeath(of: slot, at: now)
    }
  }

  private func receiveEvent(_ message: Message, at now: Duration) {
    counters.bytesFromWorkers += UInt64(message.count)
    let split = message.withUnsafeBytes { frame in Result { () throws(WireError) in try Topic.split(frame) } }
    guard case .success((let topic, let start)) = split else { return counters.malformedMessages += 1 }
    if isHandedOver(message, from: start, on: topic, at: now) { return }
    let result = message.withUnsafeBytes { frame in
      Result { () throws(WireError) in
        try Envelope(decoding: UnsafeRawBufferPointer(rebasing: frame[start...]), limit: Limits.workerMessageBytes)
      }
    }
    let envelope: Envelope
    switch result {
    case .success(let decoded): envelope = decoded
    case .failure(let error): return noteUnreadable(error, on: topic, by: machine.sender(of: message))
    }
    guard let slot = slot(of: envelope) else { return counters.foreignMessages += 1 }
    guard isSpoken(by: machine.sender(of: message), for: slot) else { return }
    if let excess = slot.gate.take(message.count, at: now) { return fence(slot, .flooding(excess), at: now) }
    perform(slot.link?.received(envelope, at: now) ?? [], for: slot, at: now)
    noteAcknowledgement(of: slot, at: now)
  }

  /// Hands a large message over to the decoding thread, and those that follow it; by now the sender is known to be the
  /// worker.
  private func isHandedOver(_ message: Message, from start: Int, on topic: String, at now: Duration) -> Bool {
    // The topic of a small message that follows no large one is not examined.
    let isLarge = message.count >= EventDecoder.largeBytes
    guard isLarge || eventDecoder.isBusy else { return false }
    guard let worker = try? WorkerTopic(topic: topic),
      let slot = slot(of: worker.address, incarnation: worker.incarnation), slot.link != nil
    else {
      if isLarge { counters.foreignMessages += 1 }
      return isLarge
    }
    let life = EventDecoder.Life(address: worker.address, incarnation: worker.incarnation)
    let isFor = message.withUnsafeBytes { frame in
      eventDecoder.isFor(UnsafeRawBufferPointer(rebasing: frame[start...]), of: life)
    }
    guard isFor else { return false }
    guard isSpoken(by: machine.sender(of: message), for: slot) else { return true }
    if let excess = slot.gate.take(message.count, at: now) {
      fence(slot, .flooding(excess), at: now)
    } else if !eventDecoder.hand(over: message, from: start, of: life) {
      fence(slot, .flooding("more than can be read: \(EventDecoder.bytesOfLife >> 20) MiB wait"), at: now)
    }
    return true
  }

  /// Receives the messages that the decoding thread has finished, unless the life that sent them is over by now.
  private func receiveDecoded(at now: Duration) {
    guard poller.isReadable(watched.eventDecoder) else { return }
    for decoded in eventDecoder.take() {
      defer { eventDecoder.finish(decoded) }
      guard let slot = slot(of: decoded.life.address, incarnation: decoded.life.incarnation), slot.link != nil else {
        continue
      }
      switch decoded.result {
      // The envelope may name another worker than the topic.
      case .success(let envelope) where self.slot(of: envelope) === slot:
        perform(slot.link?.received(envelope, at: now) ?? [], for: slot, at: now)
        noteAcknowledgement(of: slot, at: now)
      case .success: counters.foreignMessages += 1
      case .failure(let error):
        counters.malformedMessages += 1
        note(error, of: slot)
      }
    }
  }

  /// Counts a message that cannot be decoded; its topic names the worker that is at fault.
  private func noteUnreadable(_ error: WireError, on topic: String, by sender: PeerName?) {
    counters.malformedMessages += 1
    guard let worker = try? WorkerTopic(topic: topic),
      let slot = slot(of: worker.address, incarnation: worker.incarnation),
      // A worker must not be able to get another one fenced.
      isSpoken(by: sender, for: slot)
    else { return }
    note(error, of: slot)
    if let excess = slot.gate.take(0, at: machine.now) { fence(slot, .flooding(excess), at: machine.now) }
  }

  private func note(_ error: WireError, of slot: WorkerSlot) {
    slot.unreadable += 1
    slot.lastUnreadable = error.description
  }

  private func receiveOnLink(_ message: Message, from routingID: RoutingID, at now: Duration) {
    counters.bytesFromWorkers += UInt64(message.count)
    guard let envelope = message.withUnsafeBytes({ try? Envelope(decoding: $0, limit: Sockets.linkMessageBytes) })
    else { return counters.malformedMessages += 1 }
    if case .claim(let claim) = envelope.body {
      return claimed(claim, envelope, from: routingID, key: machine.sender(of: message)?.key, at: now)
    }
    guard let slot = slot(of: envelope) else { return counters.foreignMessages += 1 }
    guard isSpoken(by: machine.sender(of: message), for: slot) else { return }
    // A connection that has completed the handshake as this worker is this worker until its end; another that claims
    // the same is an impostor. A worker on another machine may have to reconnect, and shows its key.
    guard slot.remote != nil || slot.routingID == nil || slot.routingID == routingID else {
      return counters.foreignMessages += 1
    }
    if let excess = slot.gate.take(message.count, at: now) { return fence(slot, .flooding(excess), at: now) }
    slot.routingID = routingID
    perform(slot.link?.received(envelope, at: now) ?? [], for: slot, at: now)
    noteAcknowledgement(of: slot, at: now)
  }

  /// Handles a subscription to commands or ticks, or its end. A connection that subscribes to another worker's topic is
  /// closed.
  private func receiveSubscription(_ event: SubscriptionEvent, _ message: Message, at now: Duration) {
    guard let (bytes, isWanted) = note(event, message, in: &workerSubscriptions) else { return }
    let text = try? Topic.topic(ofSubscription: bytes)
    guard let topic = text, let worker = try? WorkerTopic(topic: topic) else {
      if isWanted { counters.foreignMessages += 1 }
      return hangUp(on: message)
    }
    guard let slot = slot(of: worker.address, incarnation: worker.incarnation) else {
      // A life that is over gets no more messages; a subscription to a future life would be eavesdropping.
      if isWanted { counters.foreignMessages += 1 }
      if isWanted, worker.incarnation > lastIncarnation { hangUp(on: message) }
      return
    }
    guard isWanted else { return ended(topic, of: slot, at: now) }
    guard isSpoken(by: machine.sender(of: message), for: slot) else { return hangUp(on: message) }
    perform(slot.link?.subscribed(to: topic, at: now) ?? [], for: slot, at: now)
  }

  /// Handles the end of a worker's subscription.
  private func ended(_ topic: String, of slot: WorkerSlot, at now: Duration) {
    slot.link?.unsubscribed(from: topic)
    // The coordinator cannot observe the process of a remote worker. A disconnection after the request to finish counts
    // as its end.
    if slot.remote != nil, topic == slot.link?.topics.commands, slot.link?.state == .draining {
      remoteEnded(slot, "it has finished", isReleased: true, at: now)
    }
  }

  /// The worker whose present life sent this; `nil` if the epoch or the incarnation is an older one.
  private func slot(of envelope: Envelope) -> WorkerSlot? {
    envelope.epoch == epoch ? slotOfIncarnation[envelope.incarnation] : nil
  }

  // MARK: Sending

  /// Sends the messages of the runtime to workers.
  func flushOutbox(at now: Duration) {
    for command in port.take() {
      switch command {
      case .need(let worker):
        guard let slot = slot(for: worker) else { continue }
        perform(slot.life.need(at: now), for: slot, at: now)
      case .command(let command, let worker):
        guard let slot = slots[worker], let envelope = slot.link?.send(command, at: now).publish,
          let topic = slot.link?.topics.commands
        else { continue }
        noteHandedOver(command, to: slot, at: now)
        publish(envelope, on: topic, of: sockets.commands)
      case .snapshot(let snapshot, let worker):
        guard let slot = slots[worker], let envelope = slot.link?.provide(snapshot, at: now) else { continue }
        noteHandedOver(snapshot, to: slot, at: now)
        sendOnLink(envelope, to: slot)
        if let next = clock.next { announce(next, at: now) }
      }
    }
    releaseIdleWorkers(at: now)
  }

  /// Releases the workers in which no executor lives any more, except those that the coordinator could not start again.
  private func releaseIdleWorkers(at now: Duration) {
    for slot in slots.values where slot.remote == nil && slot.life.isNeeded {
      if runtime.executorCount(in: slot.address) == 0 { slot.life.release(at: now) }
    }
  }

  func publish(_ envelope: Envelope, on topic: String, of socket: PublishSocket) {
    // A full queue loses it; the worker detects the gap and asks for a snapshot.
    let frame = Topic.frame(topic, envelope)
    counters.bytesToWorkers += UInt64(frame.count)
    _ = try? socket.send(frame)
  }

  func sendOnLink(_ envelope: Envelope, to slot: WorkerSlot) {
    guard let routingID = slot.routingID else { return }
    // Lost if the worker has gone; otherwise it retries.
    let bytes = envelope.encoded()
    counters.bytesToWorkers += UInt64(bytes.count)
    _ = try? sockets.link.send(bytes, to: routingID)
  }

  /// Carries out the actions of a link, in order.
  func perform(_ actions: [CoordinatorAction], for slot: WorkerSlot, at now: Duration) {
    for action in actions {
      switch action {
      case .send(let envelope): sendOnLink(envelope, to: slot)
      case .publish(let envelope):
        if let topic = slot.link?.topics.commands { publish(envelope, on: topic, of: sockets.commands) }
      case .provideSnapshot:
        if successors[slot.address] === slot { takeOver(slot, at: now) }
        applyNow(.provisioned(slot.address), at: now)
      case .apply(let update):
        slot.lastUpdateFrame = max(slot.lastUpdateFrame, update.frame)
        runtime.submit(.update(slot.address, update))
      case .provisioned: logger.info("\(slot.address) is ready", metadata: lifeMetadata(of: slot))
      case .reported(let report, let question): heard(report, question: question, from: slot, at: now)
      case .log(let line): heard(line.text, from: slot, at: now)
      case .report(let text): logger.warning("\(slot.address): \(text)", metadata: metadata(of: slot))
      case .fence(let reason): fence(slot, reason, at: now)
      }
    }
  }

  /// Applies an event at once, between frames, and publishes the changes.
  func applyNow(_ event: RuntimeEvent, at now: Duration) {
    if runtime.isActive || event.handsOver { runPresentFrame(at: now) }
    runtime.applyNow(event)
    flushOutbox(at: now)
    publishChanges(at: now)
    changed(at: now)
  }

  func heard(_ text: String, from slot: WorkerSlot, at now: Duration) {
    guard let line = slot.log.add(text, limit: Limits.logLineBytes, at: now) else { return }
    logger.info("\(slot.address): \(line)", metadata: metadata(of: slot))
  }

  /// Fences a worker: its messages no longer count, and its process is ended.
  private func fence(_ slot: WorkerSlot, _ reason: FenceReason, at now: Duration) {
    slot.fenceReason = reason.description
    if case .silent = reason { (slot.fellSilent, slot.lastSign) = (true, slot.link?.lastHeard) }
    endLink(of: slot, at: now)
    // A peer with the right key and the wrong program is no reason to give up the plugin: another one may come.
    guard slot.remote == nil else { return logger.warning("\(slot.address) is fenced: \(reason)") }
    if !reason.isWorthARestart, !isAside(slot) {
      perform(slot.life.giveUp(reason.description), for: slot, at: now)
    } else {
      logger.warning("\(slot.address) is fenced: \(reason)", metadata: metadata(of: slot))
    }
    kill(slot, SIGKILL)
  }

  /// Ends the present life of a worker for the runtime.
  func endLink(of slot: WorkerSlot, at now: Duration) {
    guard let link = slot.link else { return }
    try? sockets.events.unsubscribe(Topic.subscription(link.topics.events))
    slot.earlierCounters += link.counters
    if let until = link.heldUntil { slot.remote?.assignment.ended(heldUntil: until) }
    slot.link = nil
    slot.routingID = nil
    slotOfIncarnation[slot.incarnation] = nil
    slot.lastUpdateFrame = 0
    guard slots[slot.address] === slot else { return }
    applyNow(.lost(slot.address), at: now)
    clients.inspections.lost(slot.address)
    perform(clients.answerInspections(in: runtime, at: now), at: now)
  }

  /// Signals a worker's whole process group, if its process, or the zombie of it, exists.
  func kill(_ slot: WorkerSlot, _ signal: Int32) {
    guard let processID = slot.processID else { return }
    // The group has the ID of its leader, and the kernel does not reuse that ID before the leader is released. A leader
    // that has left its group is signalled through the descriptor.
    if !processes.signal(groupOf: processID, signal) { slot.handle?.send(signal: signal) }
  }
}

extension RuntimeEvent {
  /// Whether plans may begin with the event although nothing is active: those that were pending or withheld.
  fileprivate var handsOver: Bool {
    switch self {
    case .provisioned, .withheld, .restored: true
    case .commit, .update, .lost, .quarantined, .planQuarantined, .stop, .withdraw, .input: false
    }
  }
}
