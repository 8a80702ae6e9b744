import Logging
import MotionModel
import MotionWire
import ZeroMQ

extension Gateway {
  /// Hears what strangers subscribe to.
  func receiveSubscriptions(at now: Duration) {
    poller.drain(
      watched.values, upTo: Self.messagesPerTurn, logger: logger, sockets.values.receiveSubscriptionMessage
    ) { event, message in hear(event, message, at: now) }
  }

  private func hear(_ event: SubscriptionEvent, _ message: Message, at now: Duration) {
    switch event {
    case .subscribed(let topic):
      guard let caller = caller(of: message, at: now), let descriptor = message.descriptor else { return }
      began(topic, ledger.subscribed(caller.serial, on: descriptor, to: topic), by: caller, at: now)
    case .unsubscribed(let topic):
      // Those that end with their connection are nobody's.
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
    // What is no topic, or not for strangers, is counted as one: they hear nothing on it, as on any that says nothing.
    guard let text = try? Topic.topic(ofSubscription: topic), let interest = try? Interest(topic: text),
      settings.permissions.allows(interest)
    else { return }
    if interest.saysEverything {
      askForStatus(at: now)
      undecided.insert(topic)
    } else {
      forwarding.want(topic)
    }
  }

  /// Passes on what waits for how much there is, once that is known; what is too much is not said.
  func decide(at now: Duration) {
    if undecided.isEmpty { return }
    guard let isAllowed = budget.allowsEverything else { return askForStatus(at: now) }
    if isAllowed { for topic in undecided { forwarding.want(topic) } }
    undecided = []
  }

  private func ended(_ topic: [UInt8], _ outcome: SubscriptionLedger.Outcome) {
    guard outcome == .ended else { return }
    undecided.remove(topic)
    if let action = forwarding.drop(topic) { perform(action) }
  }

  /// Subscribes at motiond to what strangers want, as fast as it may.
  func forward(at now: Duration) {
    for action in forwarding.take(at: now, rows: { self.rows(on: $0) }) { perform(action) }
  }

  /// How many rows motiond begins a topic with, as far as that matters: all but those of everything are short.
  private func rows(on topic: [UInt8]) -> Int {
    guard let text = try? Topic.topic(ofSubscription: topic), let interest = try? Interest(topic: text),
      interest.saysEverything
    else { return 0 }
    return budget.rowsOfEverything
  }

  private func perform(_ action: Forwarding.Action) {
    // What fails here fails for want of memory, and ends the process anyway.
    switch action {
    case .subscribe(let topic): try? sockets.motiondValues.subscribe(topic)
    case .repeatEverything(let topic): try? sockets.motiondValues.repeatSubscription(topic)
    case .unsubscribe(let topic): try? sockets.motiondValues.unsubscribe(topic)
    }
  }
}

extension Interest {
  /// Whether whoever subscribes is told the values of all targets.
  fileprivate var saysEverything: Bool {
    switch self {
    case .values(.everything), .motion(.everything): true
    case .values, .motion, .drivers, .outcomes: false
    }
  }
}
