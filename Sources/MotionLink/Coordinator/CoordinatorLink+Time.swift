import MotionWire

extension CoordinatorLink {
  /// When ``deadline(at:)`` is to be called next; `nil` once the worker is done with.
  public var nextDeadline: Duration? {
    switch state {
    case .fenced: nil
    case .starting: startDeadline
    case .draining: hasCommandSubscription ? heartbeatDue : nil
    case .welcomed: min(startDeadline, silenceOrHeartbeat)
    case .provisioning, .ready: silenceOrHeartbeat
    }
  }

  /// Says what is due at `now`, and judges the worker's silence. Calling it early does nothing.
  ///
  /// If a deadline is looked at later than `LinkTiming.stall`, the caller itself was stopped: the worker gets its full
  /// time again.
  public mutating func deadline(at now: Duration) -> [CoordinatorAction] {
    guard let due = nextDeadline, now >= due else { return [] }
    noticeStall(due: due, at: now)
    if let reason = judgement(at: now) {
      end()
      return [.fence(reason)]
    }
    return now >= heartbeatDue ? heartbeat(at: now) : []
  }

  /// The caller was stopped until `now`, or could not look at its sockets: nobody's silence in that time counts.
  public mutating func wasStalled(at now: Duration) {
    counted.stalls += 1
    silence.heard(at: now)
    startDeadline = max(startDeadline, now + timing.startLimit)
  }

  private mutating func noticeStall(due: Duration, at now: Duration) {
    if now > due + timing.stall { wasStalled(at: now) }
  }

  /// Whether something moves: heartbeats become frequent at once, or rare with the next one.
  public mutating func setActive(_ isActive: Bool, at now: Duration) -> [CoordinatorAction] {
    guard isActive != self.isActive else { return [] }
    // Before the heartbeat, which is not late any more then.
    if let due = nextDeadline { noticeStall(due: due, at: now) }
    self.isActive = isActive
    return isActive ? heartbeat(at: now) : []
  }

  /// A heartbeat, if the worker can hear it.
  mutating func heartbeat(at now: Duration) -> [CoordinatorAction] {
    guard hasCommandSubscription else { return [] }
    let interval = timing.interval(isActive: isActive)
    heartbeatDue = timing.next(after: now, isActive: isActive)
    var heartbeat = CoordinatorHeartbeat(
      lastCommand: lastCommand, lastEventApplied: inbox.lastApplied, interval: interval.inSeconds)
    if grants != nil {
      // Not longer than its silence is borne, whatever it announces.
      let length = min(silence.limit, timing.firstLease)
      heartbeat.lease = length.inSeconds
      heartbeat.heardSent = grants?.newestSent ?? 0
      grants?.grant(length)
    }
    return [.publish(commandStamp.envelope(.coordinatorHeartbeat(heartbeat), at: now))]
  }

  private var silenceOrHeartbeat: Duration {
    hasCommandSubscription ? min(heartbeatDue, silence.deadline) : silence.deadline
  }

  private func judgement(at now: Duration) -> FenceReason? {
    switch state {
    case .starting: now >= startDeadline ? .neverGreeted(after: timing.startLimit) : nil
    case .welcomed where now >= startDeadline: .neverAsked(after: timing.startLimit)
    case .welcomed, .provisioning, .ready:
      now >= silence.deadline ? .silent(for: now - silence.lastHeard) : nil
    case .draining, .fenced: nil
    }
  }
}
