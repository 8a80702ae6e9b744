import Logging
import MotionModel
import MotionWire
import ZeroMQ

extension Gateway {
  /// Receives subscriptions from untrusted clients.
  func receiveSubscriptions(at now: Duration) {
    loop.poller.drain(
      sockets.watched.values, upTo: Self.messagesPerTurn, logger: logger, sockets.values.receiveSubscriptionMessage
    ) { event, message in hear(event, message, at: now) }
  }

  private func hear(_ event: SubscriptionEvent, _ message: Message, at now: Duration) {
    switch event {
    case .subscribed(let topic):
      guard let caller = caller(of: message, at: now), let descriptor = message.descriptor else { return }
      began(topic, ledger.subscribed(caller.serial, on: descriptor, to: topic), by: caller, at: now)
    case .unsubscribed(let topic):
      // A subscription that ends because its connection closed has no sender.
      let caller = message.sender.map { Caller(name: $0) }
      ended(topic, caller.map { ledger.unsubscribed($0.serial, from: topic) } ?? ledger.ended(topic: topic))
    }
  }

  private func began(
    _ topic: [UInt8], _ outcome: SubscriptionLedger.Outcome, by caller: Caller, at now: Duration
  ) {
    guard outcome != .tooMany else {
      return hangUp(on: caller, "more than \(settings.limits.topics) topics on one connection")
    }
    guard ledger.count <= settings.limits.allTopics else {
      return hangUp(on: caller, "more than \(settings.limits.allTopics) topics on all connections")
    }
    // A subscription to an invalid or forbidden topic is counted as well, but nothing is published on it.
    guard let text = try? Topic.topic(ofSubscription: topic), let interest = try? Interest(topic: text),
      settings.permissions.allows(interest)
    else { return }
    if interest.saysEverything {
      askForStatus(at: now)
      forwarding.wantUndecided(topic)
    } else {
      forwarding.want(topic)
    }
  }

  /// Forwards the subscriptions that wait for the counts, once these are known. Topics with too many properties are not
  /// forwarded.
  func decide(at now: Duration) {
    guard forwarding.hasUndecided else { return }
    guard let isAllowed = budget.allowsEverything else { return askForStatus(at: now) }
    forwarding.decide(isAllowed)
  }

  private func ended(_ topic: [UInt8], _ outcome: SubscriptionLedger.Outcome) {
    guard outcome == .ended else { return }
    if let action = forwarding.drop(topic) { perform(action) }
  }

  /// Subscribes at motiond to the topics that clients need, as fast as the limits allow.
  func forward(at now: Duration) {
    for action in forwarding.take(at: now, rows: { self.rows(on: $0) }) { perform(action) }
  }

  /// The number of rows that motiond sends first on a topic. Only topics of all targets matter; all others are short.
  private func rows(on topic: [UInt8]) -> Int {
    guard let text = try? Topic.topic(ofSubscription: topic), let interest = try? Interest(topic: text),
      interest.saysEverything
    else { return 0 }
    return budget.rowsOfEverything
  }

  private func perform(_ action: Forwarding.Action) {
    // A failure here means that memory has run out, which ends the process anyway.
    switch action {
    case .subscribe(let topic): try? sockets.motiondValues.subscribe(topic)
    case .repeatEverything(let topic): try? sockets.motiondValues.repeatSubscription(topic)
    case .unsubscribe(let topic): try? sockets.motiondValues.unsubscribe(topic)
    }
  }
}

extension Interest {
  /// Whether a subscriber receives the values of all targets.
  fileprivate var saysEverything: Bool {
    switch self {
    case .values(.everything), .motion(.everything): true
    case .values, .motion, .drivers, .outcomes: false
    }
  }
}
