import Glibc
import Logging
import MotionCore
import MotionLink
import MotionModel
import MotionWire
import ZeroMQ

/// Receives the messages and subscriptions of workers.
extension WorkerPool {
  /// A message came on the socket of events.
  mutating func receive(event message: Message, at now: Duration) -> [Action] {
    counters.bytesFromWorkers += UInt64(message.count)
    let split = message.withUnsafeBytes { frame in Result { () throws(WireError) in try Topic.split(frame) } }
    guard case .success((let topic, let start)) = split else {
      counters.malformedMessages += 1
      return []
    }
    if let actions = handOver(message, from: start, on: topic, at: now) { return actions }
    let result = message.withUnsafeBytes { frame in
      Result { () throws(WireError) in
        try Envelope(decoding: UnsafeRawBufferPointer(rebasing: frame[start...]), limit: Limits.workerMessageBytes)
      }
    }
    let envelope: Envelope
    switch result {
    case .success(let decoded): envelope = decoded
    case .failure(let error): return noteUnreadable(error, on: topic, by: machine.sender(of: message), at: now)
    }
    guard let slot = slot(of: envelope) else {
      counters.foreignMessages += 1
      return []
    }
    var actions: [Action] = []
    guard isSpoken(by: machine.sender(of: message), for: slot, &actions, at: now) else { return actions }
    if let excess = slot.gate.take(message.count, at: now) { return actions + fence(slot, .flooding(excess), at: now) }
    return actions + receive(envelope, from: slot, at: now)
  }

  /// Hands a large message over to the decoding thread, and those that follow it; by now the sender is known to be the
  /// worker.
  ///
  /// - Returns: `nil` if the message is to be decoded here.
  private mutating func handOver(
    _ message: Message, from start: Int, on topic: String, at now: Duration
  ) -> [Action]? {
    // The topic of a small message that follows no large one is not examined.
    let isLarge = message.count >= EventDecoder.largeBytes
    guard isLarge || eventDecoder.isBusy else { return nil }
    guard let worker = try? WorkerTopic(topic: topic),
      let slot = table.slot(of: worker.address, incarnation: worker.incarnation), slot.conversation != nil
    else {
      if isLarge { counters.foreignMessages += 1 }
      return isLarge ? [] : nil
    }
    let life = EventDecoder.Life(address: worker.address, incarnation: worker.incarnation)
    let isFor = message.withUnsafeBytes { frame in
      eventDecoder.isFor(UnsafeRawBufferPointer(rebasing: frame[start...]), of: life)
    }
    guard isFor else { return nil }
    var actions: [Action] = []
    guard isSpoken(by: machine.sender(of: message), for: slot, &actions, at: now) else { return actions }
    if let excess = slot.gate.take(message.count, at: now) {
      actions += fence(slot, .flooding(excess), at: now)
    } else if !eventDecoder.hand(over: message, from: start, of: life) {
      let reason = "more than can be decoded: \(EventDecoder.bytesOfLife >> 20) MiB wait"
      actions += fence(slot, .flooding(reason), at: now)
    }
    return actions
  }

  /// A message that the decoding thread has finished; it does not count if the life that sent it is over by now.
  mutating func receive(_ decoded: EventDecoder.Decoded, at now: Duration) -> [Action] {
    defer { eventDecoder.finish(decoded) }
    guard let slot = table.slot(of: decoded.life.address, incarnation: decoded.life.incarnation),
      slot.conversation != nil
    else { return [] }
    switch decoded.result {
    // The envelope may name another worker than the topic.
    case .success(let envelope) where self.slot(of: envelope) === slot: return receive(envelope, from: slot, at: now)
    case .success: counters.foreignMessages += 1
    case .failure(let error):
      counters.malformedMessages += 1
      slot.note(unreadable: error.description)
    }
    return []
  }

  /// Counts a message that cannot be decoded; its topic names the worker that is at fault.
  private mutating func noteUnreadable(
    _ error: WireError, on topic: String, by sender: PeerName?, at now: Duration
  ) -> [Action] {
    counters.malformedMessages += 1
    var actions: [Action] = []
    guard let worker = try? WorkerTopic(topic: topic),
      let slot = table.slot(of: worker.address, incarnation: worker.incarnation),
      // A worker must not be able to get another one fenced.
      isSpoken(by: sender, for: slot, &actions, at: now)
    else { return actions }
    slot.note(unreadable: error.description)
    if let excess = slot.gate.take(0, at: now) { actions += fence(slot, .flooding(excess), at: now) }
    return actions
  }

  /// A message came on the link.
  mutating func receive(link message: Message, from routingID: RoutingID, at now: Duration) -> [Action] {
    counters.bytesFromWorkers += UInt64(message.count)
    guard let envelope = message.withUnsafeBytes({ try? Envelope(decoding: $0, limit: Sockets.linkMessageBytes) })
    else {
      counters.malformedMessages += 1
      return []
    }
    if case .claim(let claim) = envelope.body {
      return claimed(
        claim, number: envelope.sequence, from: routingID, key: machine.sender(of: message)?.key, at: now)
    }
    guard let slot = slot(of: envelope) else {
      counters.foreignMessages += 1
      return []
    }
    var actions: [Action] = []
    guard isSpoken(by: machine.sender(of: message), for: slot, &actions, at: now) else { return actions }
    // A connection that has completed the handshake as this worker is this worker until its end; another that claims
    // the same is an impostor. A worker on another machine may have to reconnect, and shows its key.
    guard let conversation = slot.conversation,
      slot.remote != nil || conversation.routingID == nil || conversation.routingID == routingID
    else {
      counters.foreignMessages += 1
      return actions
    }
    if let excess = slot.gate.take(message.count, at: now) { return actions + fence(slot, .flooding(excess), at: now) }
    conversation.routingID = routingID
    return actions + receive(envelope, from: slot, at: now)
  }

  /// A subscription to commands or ticks, or its end. A connection that subscribes to another worker's topic is closed.
  mutating func receive(
    subscription event: SubscriptionEvent, _ message: Message, at now: Duration
  ) -> [Action] {
    let change: (topic: [UInt8], isWanted: Bool)?
    do throws(ExcessiveSubscriber) {
      change = try subscriptions.note(event, message, on: machine)
    } catch {
      counters.excessiveSubscribers += 1
      machine.hangUp(on: message)
      return []
    }
    guard let (bytes, isWanted) = change else { return [] }
    let text = try? Topic.topic(ofSubscription: bytes)
    guard let topic = text, let worker = try? WorkerTopic(topic: topic) else {
      if isWanted { counters.foreignMessages += 1 }
      machine.hangUp(on: message)
      return []
    }
    guard let slot = table.slot(of: worker.address, incarnation: worker.incarnation) else {
      // A life that is over gets no more messages; a subscription to a future life would be eavesdropping.
      if isWanted { counters.foreignMessages += 1 }
      if isWanted, worker.incarnation > table.lastIncarnation { machine.hangUp(on: message) }
      return []
    }
    guard isWanted else { return ended(topic, of: slot, at: now) }
    var actions: [Action] = []
    guard isSpoken(by: machine.sender(of: message), for: slot, &actions, at: now) else {
      machine.hangUp(on: message)
      return actions
    }
    let due = slot.conversation?.link.subscribed(to: topic, at: now) ?? []
    return actions + perform(due, for: slot, at: now)
  }

  /// A worker's subscription has ended.
  private mutating func ended(_ topic: String, of slot: WorkerSlot, at now: Duration) -> [Action] {
    guard let conversation = slot.conversation else { return [] }
    conversation.link.unsubscribed(from: topic)
    // The coordinator cannot observe the process of a remote worker. A disconnection after the request to finish counts
    // as its end.
    guard slot.remote != nil, topic == conversation.link.topics.commands, conversation.link.state == .draining else {
      return []
    }
    return endRemote(slot, "it has finished", isReleased: true, at: now)
  }

  /// The worker whose present life sent this; `nil` if the epoch or the incarnation is an older one.
  private func slot(of envelope: Envelope) -> WorkerSlot? {
    envelope.epoch == epoch ? table.connected(envelope.incarnation) : nil
  }

  /// Whether a message for a worker's slot was sent by the process that was started for it, or with the key that holds
  /// the slot. Counts messages from other senders. Without this check any admitted worker could send messages in the
  /// name of another.
  ///
  /// - Parameters:
  ///   - sender: the sender of the message, as named by the authenticator.
  ///   - actions: takes what follows from events that had to be received first.
  private mutating func isSpoken(
    by sender: PeerName?, for slot: WorkerSlot, _ actions: inout [Action], at now: Duration
  ) -> Bool {
    if let remote = slot.remote {
      if let key = sender?.key, key == remote.key { return true }
      counters.forgedMessages += 1
      return false
    }
    // The worker may send before the coordinator has read the event with its process ID; that event was queued before
    // the worker was admitted.
    if slot.running == nil {
      for event in takeProcessEvents() { actions += receive(event, at: now) }
    }
    if let running = slot.running, sender?.process?.processID == running.id { return true }
    counters.forgedMessages += 1
    return false
  }

  /// A message of the present life.
  private mutating func receive(_ envelope: Envelope, from slot: WorkerSlot, at now: Duration) -> [Action] {
    guard let conversation = slot.conversation else { return [] }
    let actions = perform(conversation.link.received(envelope, at: now), for: slot, at: now)
    noteAcknowledgement(of: slot, at: now)
    return actions
  }

  /// Carries out the actions of a link, in order.
  mutating func perform(_ due: [CoordinatorAction], for slot: WorkerSlot, at now: Duration) -> [Action] {
    var actions: [Action] = []
    for action in due {
      switch action {
      case .send(let envelope): sendOnLink(envelope, to: slot)
      case .publish(let envelope):
        if let topic = slot.conversation?.link.topics.commands {
          publish(envelope, on: topic, of: sockets.commands)
        }
      case .provideSnapshot:
        if table.successors[slot.address] === slot { actions += takeOver(slot, at: now) }
        actions.append(.apply(.provisioned(slot.address)))
      case .apply(let update):
        if let conversation = slot.conversation {
          conversation.lastUpdateFrame = max(conversation.lastUpdateFrame, update.frame)
        }
        runtime.submit(.update(slot.address, update))
      case .provisioned: logger.info("\(slot.address) is ready", metadata: lifeMetadata(of: slot))
      case .reported(let report, let question):
        actions.append(.reported(report, question: question, by: slot.address))
      case .log(let line): heard(line.text, from: slot, at: now)
      case .report(let text): logger.warning("\(slot.address): \(text)", metadata: metadata(of: slot))
      case .fence(let reason): actions += fence(slot, reason, at: now)
      }
    }
    return actions
  }

  /// Logs a line of a worker.
  func heard(_ text: String, from slot: WorkerSlot, at now: Duration) {
    guard let line = slot.log.add(text, limit: Limits.logLineBytes, at: now) else { return }
    logger.info("\(slot.address): \(line)", metadata: metadata(of: slot))
  }

  /// Fences a worker: its messages no longer count, and its process is ended.
  private mutating func fence(_ slot: WorkerSlot, _ reason: FenceReason, at now: Duration) -> [Action] {
    if case .silent = reason {
      slot.fence(.silent(reason.description), lastHeard: slot.link?.lastHeard)
    } else {
      slot.fence(.fenced(reason.description))
    }
    var actions = endLink(of: slot)
    // A peer with the right key and the wrong program is no reason to give up the plugin: another one may come.
    guard slot.remote == nil else {
      logger.warning("\(slot.address) is fenced: \(reason)")
      return actions
    }
    if !reason.isWorthARestart, !table.isAside(slot) {
      actions += perform(slot.life.giveUp(reason.description), for: slot, at: now)
    } else {
      logger.warning("\(slot.address) is fenced: \(reason)", metadata: metadata(of: slot))
    }
    launcher.kill(slot, SIGKILL)
    return actions
  }

  /// Ends the present life of a worker for the runtime.
  mutating func endLink(of slot: WorkerSlot) -> [Action] {
    guard let conversation = slot.disconnect() else { return [] }
    try? sockets.events.unsubscribe(Topic.subscription(conversation.link.topics.events))
    table.disconnect(slot)
    guard !table.isAside(slot) else { return [] }
    return [.apply(.lost(slot.address)), .lost(slot.address)]
  }
}
