import MotionModel
import MotionWire
import ZeroMQ

extension WorkerGateway {
  /// Messages received from one socket of the worker in one turn, so that motiond's messages get their turn.
  private static let messagesPerTurn = 64
  /// Messages received from one of motiond's sockets in one turn.
  private static let motiondMessagesPerTurn = 512

  // MARK: The worker

  /// Receives messages and subscriptions from the worker.
  func receiveFromWorker(at now: Duration) {
    drainWorker(watched.link, worker.link.receiveRouted) { routingID, message in
      guard isTaken(message, at: now), let envelope = envelope(of: message, limit: settings.limits.messageBytes),
        let passed = relay.asked(envelope, by: routingID, at: now)
      else { return }
      // Lost while motiond is not connected, like all messages here. The worker resends it, or it is out of date.
      _ = try? motiond.link.send(passed.encoded())
    }
    drainWorker(watched.commands, worker.commands.receiveSubscription) { hear($0, .commands, motiond.commands) }
    drainWorker(watched.ticks, worker.ticks.receiveSubscription) { hear($0, .ticks, motiond.ticks) }
    drainWorker(watched.events, worker.events.receiveOne) { message in
      guard isTaken(message, at: now), let (topic, envelope) = published(message, limit: settings.limits.messageBytes),
        relay.publishes(envelope, on: topic)
      else { return }
      _ = try? motiond.events.send(Topic.frame(topic, relay.whole(envelope)))
    }
  }

  private func drainWorker<Received>(
    _ source: Poller.Registration, _ receive: () throws -> ReceiveOutcome<Received>, _ handle: (Received) -> Void
  ) {
    loop.poller.drain(source, upTo: Self.messagesPerTurn, logger: logger, receive, handle)
  }

  private func isTaken(_ message: Message, at now: Duration) -> Bool {
    if relay.takes(message.count, at: now) { return true }
    report("dropped a message of the worker: it exceeds the limit for one second")
    return false
  }

  private func hear(_ event: SubscriptionEvent, _ kind: WorkerTopic.Kind, _ socket: SubscribeSocket) {
    // No other topic has messages for the worker.
    guard let topic = relay.life?.topic(kind) else { return }
    switch event {
    case .subscribed(Topic.subscription(topic)):
      if subscribed.insert(topic).inserted { try? socket.subscribe(Topic.subscription(topic)) }
    case .unsubscribed(Topic.subscription(topic)):
      if subscribed.remove(topic) != nil { try? socket.unsubscribe(Topic.subscription(topic)) }
    case .subscribed, .unsubscribed: return
    }
  }

  // MARK: motiond

  /// Receives messages and subscriptions from motiond.
  func receiveFromMotiond() {
    drainMotiond(watchedMotiond.link, motiond.link.receiveOne) { message in
      guard let said = envelope(of: message, limit: Limits.workerMessageBytes) else { return }
      let former = relay.life
      guard let (told, routingID) = relay.answered(said) else { return }
      if case .assignment = told.body { begin(after: former) }
      _ = try? worker.link.send(told.encoded(), to: routingID)
    }
    drainMotiond(watchedMotiond.commands, motiond.commands.receiveOne) { tell($0, worker.commands) }
    drainMotiond(watchedMotiond.ticks, motiond.ticks.receiveOne) { tell($0, worker.ticks) }
    drainMotiond(watchedMotiond.events, motiond.events.receiveSubscription) { event in
      switch event {
      case .subscribed(let bytes):
        guard let topic = try? Topic.topic(ofSubscription: bytes), wanted.insert(topic).inserted else { return }
        if topic == relay.life?.topic(.events) { try? worker.events.subscribe(bytes) }
      case .unsubscribed(let bytes):
        guard let topic = try? Topic.topic(ofSubscription: bytes), wanted.remove(topic) != nil else { return }
        if topic == relay.life?.topic(.events) { try? worker.events.unsubscribe(bytes) }
      }
    }
  }

  private func drainMotiond<Received>(
    _ source: Poller.Registration, _ receive: () throws -> ReceiveOutcome<Received>, _ handle: (Received) -> Void
  ) {
    loop.poller.drain(source, upTo: Self.motiondMessagesPerTurn, logger: logger, receive, handle)
  }

  private func tell(_ message: Message, _ socket: PublishSocket) {
    guard let (topic, envelope) = published(message, limit: Limits.workerMessageBytes),
      relay.tells(envelope, on: topic)
    else { return }
    _ = try? socket.send(Topic.frame(topic, relay.acknowledging(envelope)))
  }

  // MARK: Reading

  private func envelope(of message: Message, limit: Int) -> Envelope? {
    message.withUnsafeBytes { try? Envelope(decoding: $0, limit: limit) }
  }

  private func published(_ message: Message, limit: Int) -> (String, Envelope)? {
    message.withUnsafeBytes { frame in
      guard let (topic, start) = try? Topic.split(frame),
        let envelope = try? Envelope(decoding: UnsafeRawBufferPointer(rebasing: frame[start...]), limit: limit)
      else { return nil }
      return (topic, envelope)
    }
  }
}
