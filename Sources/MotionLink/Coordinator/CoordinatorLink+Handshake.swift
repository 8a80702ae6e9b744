public import MotionModel
public import MotionWire

extension CoordinatorLink {
  /// One of the owner's sockets (commands or ticks) reported a subscription. Topics of other workers are ignored.
  public mutating func subscribed(to topic: String, at now: Duration) -> [CoordinatorAction] {
    if topic == topics.commands {
      hasCommandSubscription = true
      heartbeatDue = now
    }
    if topic == topics.ticks { hasTickSubscription = true }
    return askForSnapshot()
  }

  /// One of the owner's sockets reported the end of a subscription. No snapshot is sent until the subscription is back,
  /// because the worker would miss the commands and ticks that follow it.
  public mutating func unsubscribed(from topic: String) {
    if topic == topics.commands { hasCommandSubscription = false }
    if topic == topics.ticks { hasTickSubscription = false }
  }

  /// Answers `provideSnapshot` with the complete state for the worker, including the effect of every command sent so
  /// far.
  ///
  /// - Returns: the envelope to send on the link; nothing if there is no request, or the worker would not receive the
  ///   answer.
  public mutating func provide(_ snapshot: WorkerSnapshot, at now: Duration) -> Envelope? {
    guard canProvision, let request = snapshotRequest else { return nil }
    snapshotRequest = nil
    announcedFrame = max(announcedFrame, snapshot.frame.number)
    state = .provisioning(command: lastCommand)
    return linkStamp.envelope(
      .snapshot(command: lastCommand, lastEventApplied: inbox.lastApplied, snapshot), replyTo: request, at: now)
  }

  /// Handles hello: answers each one with a welcome. A worker that lost its lease sends hello again and keeps its
  /// assignment.
  mutating func greeted(_ hello: Hello, sequence: UInt64, at now: Duration) -> [CoordinatorAction] {
    guard hello.address == address else {
      counted.unexpected += 1
      return [.send(linkStamp.envelope(.refusal(.wrongWorker(hello, expected: address)), replyTo: sequence, at: now))]
    }
    if state == .draining { return refuse(.draining(address), sequence: sequence, at: now) }
    if let refusal = objection(to: hello) {
      end()
      return refuse(refusal, sequence: sequence, at: now) + [.fence(.refused(refusal))]
    }
    silence.relax(timing)
    if state == .starting { state = .welcomed }
    let welcome = Welcome(
      protocolVersion: min(hello.protocolVersions.upperBound, ProtocolVersion.messages.upperBound),
      commandTopic: topics.commands, tickTopic: topics.ticks, eventTopic: topics.events, wantsUpdates: wantsUpdates)
    return [.send(linkStamp.envelope(.welcome(welcome), replyTo: sequence, at: now))]
  }

  /// Handles resync: the worker is ready to receive a snapshot.
  mutating func asked(sequence: UInt64, at now: Duration) -> [CoordinatorAction] {
    switch state {
    case .starting: return unexpected()
    case .draining: return refuse(.draining(address), sequence: sequence, at: now)
    case .welcomed, .provisioning, .ready, .fenced:
      if isProvisioned { counted.gaps += 1 }
      snapshotRequest = sequence
      return askForSnapshot()
    }
  }

  /// A snapshot can be sent once the worker has requested it and will receive the commands and ticks that follow it.
  private func askForSnapshot() -> [CoordinatorAction] { canProvision ? [.provideSnapshot] : [] }

  private var canProvision: Bool {
    snapshotRequest != nil && hasCommandSubscription && (hasTickSubscription || !wantsUpdates)
  }

  private mutating func refuse(_ refusal: Refusal, sequence: UInt64, at now: Duration) -> [CoordinatorAction] {
    [.send(linkStamp.envelope(.refusal(refusal), replyTo: sequence, at: now))]
  }

  private func objection(to hello: Hello) -> Refusal? {
    guard hello.handshakeVersions.overlaps(ProtocolVersion.handshake),
      hello.protocolVersions.overlaps(ProtocolVersion.messages)
    else { return .versions(of: hello) }
    let missing = executors.filter { !hello.executors.contains($0) }
    return missing.isEmpty ? nil : .missing(missing, in: hello)
  }
}

extension Refusal.Code {
  /// The worker is not the one that was started.
  public static let wrongWorker = Refusal.Code(rawValue: "wrong-worker")
}

extension Refusal {
  fileprivate static func versions(of hello: Hello) -> Refusal {
    Refusal(
      .version,
      "worker \(hello.address) uses handshake \(hello.handshakeVersions.spoken) and messages "
        + "\(hello.protocolVersions.spoken), motiond uses handshake \(ProtocolVersion.handshake.spoken) and "
        + "messages \(ProtocolVersion.messages.spoken)",
      remedy: "Build the plugin with a kit of the same protocol as this motiond")
  }

  fileprivate static func missing(_ types: [ExecutorType], in hello: Hello) -> Refusal {
    Refusal(
      .unknownType,
      "worker \(hello.address) does not have \(types.map(\.text).joined(separator: ", ")), which its manifest declares",
      remedy: "Declare these executors in the plugin's program, or take their intentions out of its plugin.json")
  }

  fileprivate static func wrongWorker(_ hello: Hello, expected: WorkerAddress) -> Refusal {
    Refusal(
      .wrongWorker, "worker \(hello.address) sent a hello with an incarnation that was given to \(expected)",
      remedy: "Let motiond start the plugin; do not pass its environment on")
  }

  fileprivate static func draining(_ address: WorkerAddress) -> Refusal {
    Refusal(.stopping, "worker \(address) is being drained", remedy: "Exit; motiond starts it again when needed")
  }
}

extension ClosedRange<Int> {
  /// `1`, or `1 to 3`.
  fileprivate var spoken: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)" }
}
