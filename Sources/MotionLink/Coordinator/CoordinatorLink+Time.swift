import MotionWire

extension CoordinatorLink {
  /// When to call ``deadline(at:)`` next; `nil` once the worker is fenced.
  public var nextDeadline: Duration? {
    switch state {
    case .fenced: nil
    case .starting: startDeadline
    case .draining: hasCommandSubscription ? heartbeatDue : nil
    case .welcomed: min(startDeadline, silenceOrHeartbeat)
    case .provisioning, .ready: silenceOrHeartbeat
    }
  }

  /// Returns the actions that are due at `now`, and checks the worker's silence against its timeout. An early call has
  /// no effect.
  ///
  /// If a deadline is checked later than `LinkTiming.stall`, the caller itself was suspended: the worker gets its full
  /// timeout again.
  public mutating func deadline(at now: Duration) -> [CoordinatorAction] {
    guard let due = nextDeadline, now >= due else { return [] }
    noticeStall(due: due, at: now)
    if let reason = judgement(at: now) {
      end()
      return [.fence(reason)]
    }
    return now >= heartbeatDue ? heartbeat(at: now) : []
  }

  /// The caller was suspended until `now`, or could not read its sockets. The worker's silence in that time does not
  /// count.
  public mutating func wasStalled(at now: Duration) {
    counted.stalls += 1
    silence.heard(at: now)
    startDeadline = max(startDeadline, now + timing.startLimit)
  }

  private mutating func noticeStall(due: Duration, at now: Duration) {
    if now > due + timing.stall { wasStalled(at: now) }
  }

  /// Whether something moves: heartbeats become frequent at once, or rare after the next one.
  public mutating func setActive(_ isActive: Bool, at now: Duration) -> [CoordinatorAction] {
    guard isActive != self.isActive else { return [] }
    // Check for a stall before the heartbeat moves the deadline: after it, the deadline is not late any more.
    if let due = nextDeadline { noticeStall(due: due, at: now) }
    self.isActive = isActive
    return isActive ? heartbeat(at: now) : []
  }

  /// A heartbeat for the worker; nothing without its subscription to the topic of commands, because it would not
  /// receive it.
  mutating func heartbeat(at now: Duration) -> [CoordinatorAction] {
    guard hasCommandSubscription else { return [] }
    let interval = timing.interval(isActive: isActive)
    heartbeatDue = timing.next(after: now, isActive: isActive)
    var heartbeat = CoordinatorHeartbeat(
      lastCommand: lastCommand, lastEventApplied: inbox.lastApplied, interval: interval.inSeconds)
    if grants != nil {
      // At most as long as the worker's silence is tolerated, whatever interval it announces.
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
