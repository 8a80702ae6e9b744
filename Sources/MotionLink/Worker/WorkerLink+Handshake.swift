import MotionModel
import MotionWire

extension WorkerLink {
  /// Starts the handshake with the first hello.
  public mutating func start(at now: Duration) -> [WorkerAction] {
    greet(isSubscribed: false, at: now)
  }

  /// The worker's events socket reported a subscription.
  public mutating func subscribed(to topic: String, at now: Duration) -> [WorkerAction] {
    // The welcome may come after the subscription, so the topic is compared with the expected one.
    guard topic == eventTopic else { return [] }
    hasEventSubscription = true
    guard case .subscribing(let request, let tick) = state else { return [] }
    return ask(request, tick, at: now)
  }

  /// The worker's events socket reported the end of a subscription: the coordinator does not receive what the worker
  /// publishes until it is back. A worker that claimed its assignment claims it again, because another coordinator may
  /// be running by then.
  @discardableResult
  public mutating func unsubscribed(from topic: String) -> [WorkerAction] {
    guard topic == eventTopic else { return [] }
    hasEventSubscription = false
    guard lease != nil else { return [] }
    if case .ended = state { return [] }
    return end(.disconnected)
  }

  /// Handles a welcome: subscribe, once; then request a snapshot as soon as the coordinator will receive the events.
  mutating func welcomed(_ welcome: Welcome, at now: Duration) -> [WorkerAction] {
    guard case .greeting(let request, let isSubscribed) = state else {
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
    state = .subscribing(request, tick: nil)
    return (isSubscribed ? [] : [.subscribe(welcome)]) + (hasEventSubscription ? ask(request, nil, at: now) : [])
  }

  /// Sends hello for the first time, or for the first time after the lease was lost.
  mutating func greet(
    isSubscribed: Bool, keeping commands: CommandBuffer = CommandBuffer(), at now: Duration
  ) -> [WorkerAction] {
    state = .greeting(
      Request(retry: Retry(timing, at: now), since: now, commands: commands), isSubscribed: isSubscribed)
    return [.send(linkStamp.envelope(.hello(hello), at: now))]
  }

  /// Requests the first snapshot after a hello. Until it comes, commands are kept and ticks wait.
  private mutating func ask(_ hello: Request, _ tick: Tick?, at now: Duration) -> [WorkerAction] {
    ask(since: hello.since, keeping: hello.commands, tick, isActing: false, at: now)
  }

  /// Requests another snapshot, because a command is missing. The executors continue to act.
  ///
  /// - Parameter commands: the commands that have come after the missing one.
  mutating func askAgain(keeping commands: CommandBuffer = CommandBuffer(), at now: Duration) -> [WorkerAction] {
    guard case .serving(let waiting) = state else { return [] }
    counted.gaps += 1
    return ask(since: now, keeping: commands, waiting?.tick, isActing: true, at: now)
  }

  private mutating func ask(
    since: Duration, keeping commands: CommandBuffer, _ tick: Tick?, isActing: Bool, at now: Duration
  ) -> [WorkerAction] {
    state = .awaitingSnapshot(
      SnapshotRequest(
        request: Request(retry: Retry(timing, at: now), since: since, commands: commands),
        first: linkStamp.last + 1, tick: tick, isActing: isActing))
    heartbeatDue = max(heartbeatDue, now)
    return [.send(linkStamp.envelope(.resync(commandsApplied: commandsApplied), at: now))]
  }

  /// Resends the request that is not answered.
  mutating func resend(at now: Duration) -> [WorkerAction] {
    counted.retries += 1
    state.changeRequest { $0.retry.said(at: now) }
    let body: Envelope.Body = isAwaitingSnapshot ? .resync(commandsApplied: commandsApplied) : .hello(hello)
    return [.send(linkStamp.envelope(body, at: now))]
  }

  /// The topic on which this worker publishes; the coordinator's welcome names the same.
  private var eventTopic: String { LinkTopics(hello.address, incarnation: linkStamp.incarnation).events }
}
