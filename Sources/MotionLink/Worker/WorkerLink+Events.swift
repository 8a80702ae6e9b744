public import MotionModel
public import MotionWire

extension WorkerLink {
  /// Numbers an event. It is sent with every update until the coordinator acknowledges it.
  public mutating func record(_ event: WorkerEvent) { outbox.record(event) }

  /// Answers a tick: the envelope to publish on the topic of events, with values and all events not yet acknowledged.
  ///
  /// Every tick is answered, even if nothing changed: a coordinator that steps waits for the answer.
  public mutating func update(frame: UInt64, writes: [PropertyWrite], at now: Duration) -> Envelope {
    outbox.said()
    lastSaidAt = now
    lastSaidCommand = commandsApplied
    var update = WorkerUpdate(
      frame: frame, writes: writes, events: outbox.events, commandsApplied: commandsApplied)
    update.shape = shape.shape(of: writes)
    return eventStamp.envelope(.update(update), at: now)
  }

  /// A line for the coordinator's log, as the envelope to publish on the topic of events. Lines may get lost.
  public mutating func log(_ line: LogLine, at now: Duration) -> Envelope {
    eventStamp.envelope(.log(line), at: now)
  }

  /// Answers a question about streams: the envelope to send on the link. It may get lost, as may the question.
  public mutating func report(_ report: StreamReport, to question: UInt64, at now: Duration) -> Envelope {
    linkStamp.envelope(.streamReport(report), replyTo: question, at: now)
  }

  /// Whether something moves: heartbeats become frequent at once, or rare after the next one.
  public mutating func setActive(_ isActive: Bool, at now: Duration) {
    if isActive && !self.isActive { heartbeatDue = now }
    self.isActive = isActive
  }

  /// Whether the coordinator receives what the worker publishes.
  var canPublish: Bool {
    switch state {
    case .awaitingSnapshot, .serving, .draining: hasEventSubscription
    case .greeting, .subscribing, .ended: false
    }
  }

  /// Whether there is an event or acknowledgement that was never sent: it is sent without waiting for a tick.
  var hasNews: Bool {
    canPublish && !isAwaitingSnapshot && (outbox.lastSaid < outbox.last || lastSaidCommand < commandsApplied)
  }

  /// When sent but unacknowledged events are resent.
  var repeatDue: Duration? {
    canPublish && !outbox.events.isEmpty ? lastSaidAt + timing.eventRepeat : nil
  }

  /// The heartbeat, if one is due: the envelope to publish on the topic of events. It serves a caller that is busy with
  /// a long frame and does nothing else meanwhile; otherwise ``deadline(at:)`` sends it.
  public mutating func heartbeatIfDue(at now: Duration) -> Envelope? {
    canPublish && now >= heartbeatDue ? heartbeat(at: now) : nil
  }

  mutating func heartbeat(at now: Duration) -> Envelope {
    let interval = timing.interval(isActive: isActive)
    heartbeatDue = timing.next(after: now, isActive: isActive)
    let heartbeat = WorkerHeartbeat(
      commandsApplied: commandsApplied, lastEvent: outbox.last, tokens: tokens.stableHash, interval: interval.inSeconds,
      conflatedTicks: counted.conflatedTicks)
    return eventStamp.envelope(.workerHeartbeat(heartbeat), at: now)
  }
}
