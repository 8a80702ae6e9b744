import MotionModel
import MotionWire

extension WorkerLink {
  /// Starts the handshake with the first hello.
  public mutating func start(at now: Duration) -> [WorkerAction] {
    askingSince = now
    return greet(at: now)
  }

  /// The worker's events socket reported a subscription.
  public mutating func subscribed(to topic: String, at now: Duration) -> [WorkerAction] {
    // The welcome may come after the subscription, so the topic is compared with the expected one.
    guard topic == eventTopic else { return [] }
    hasEventSubscription = true
    return state == .subscribing ? ask(at: now) : []
  }

  /// The worker's events socket reported the end of a subscription: the coordinator does not receive what the worker
  /// publishes until it is back. A worker that claimed its assignment claims it again, because another coordinator may
  /// be running by then.
  @discardableResult
  public mutating func unsubscribed(from topic: String) -> [WorkerAction] {
    guard topic == eventTopic else { return [] }
    hasEventSubscription = false
    return lease != nil && state != .ended ? end(.disconnected) : []
  }

  /// Handles a welcome: subscribe, once; then request a snapshot as soon as the coordinator will receive the events.
  mutating func welcomed(_ welcome: Welcome, at now: Duration) -> [WorkerAction] {
    guard state == .greeting else {
      counted.old += 1
      return []
    }
    guard hello.protocolVersions.contains(welcome.protocolVersion), welcome.eventTopic == eventTopic else {
      return end(
        .refused(
          Refusal(
            .version,
            "motiond welcomed \(hello.address) with message version \(welcome.protocolVersion) and the topic "
              + "\(welcome.eventTopic)", remedy: "Build motiond and the plugin from the same release")))
    }
    let isFirst = self.welcome == nil
    self.welcome = welcome
    state = .subscribing
    return (isFirst ? [.subscribe(welcome)] : []) + (hasEventSubscription ? ask(at: now) : [])
  }

  /// Sends hello for the first time, or for the first time after the lease was lost.
  mutating func greet(at now: Duration) -> [WorkerAction] {
    state = .greeting
    retry = Retry(timing, at: now)
    return [.send(linkStamp.envelope(.hello(hello), at: now))]
  }

  /// Requests a snapshot. Until it comes, commands are kept and ticks wait.
  mutating func ask(at now: Duration) -> [WorkerAction] {
    if state == .serving {
      askingSince = now
      counted.gaps += 1
    }
    state = .awaitingSnapshot
    heartbeatDue = max(heartbeatDue, now)
    tickDeadline = nil
    retry = Retry(timing, at: now)
    firstRequest = linkStamp.last + 1
    return [.send(linkStamp.envelope(.resync(commandsApplied: commandsApplied), at: now))]
  }

  /// Resends the request that is not answered.
  mutating func askAgain(at now: Duration) -> [WorkerAction] {
    counted.retries += 1
    retry.said(at: now)
    let body: Envelope.Body = state == .awaitingSnapshot ? .resync(commandsApplied: commandsApplied) : .hello(hello)
    return [.send(linkStamp.envelope(body, at: now))]
  }

  /// The topic on which this worker publishes; the coordinator's welcome names the same.
  private var eventTopic: String { LinkTopics(hello.address, incarnation: linkStamp.incarnation).events }
}
