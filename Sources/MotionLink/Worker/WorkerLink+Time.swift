import MotionModel
import MotionWire

extension WorkerLink {
  /// When to call ``deadline(at:)`` next; zero if there is something to send at once. `nil` once the process has to
  /// end.
  public var nextDeadline: Duration? { hasNews ? .zero : earliestTimer }

  private var earliestTimer: Duration? {
    if case .ended = state { return nil }
    // No array: every turn of the loop reads this.
    var next: Duration?
    func note(_ deadline: Duration) { next = next.map { min($0, deadline) } ?? deadline }
    if let due = repeatDue { note(due) }
    if canPublish { note(heartbeatDue) }
    if let lease { note(lease.end) } else if isJudging { note(silence.deadline) }
    if let request = state.request {
      note(request.retry.due)
      note(request.since + timing.unansweredLimit)
    }
    if case .serving(let waiting?) = state { note(waiting.deadline) }
    if case .draining(let since) = state { note(since + timing.drainLimit) }
    return next
  }

  /// Returns the actions that are due at `now`, and checks the coordinator's silence against its timeout. An early call
  /// has no effect.
  ///
  /// If a deadline is checked later than `LinkTiming.stall`, the caller itself was suspended, and the coordinator gets
  /// its full timeout again. A lease expires all the same.
  public mutating func deadline(at now: Duration) -> [WorkerAction] {
    guard let due = earliestTimer, now >= due || hasNews else { return [] }
    let lapse = lapse(at: now)
    guard lapse.isEmpty else { return lapse }
    if now > due + timing.stall { wasStalled(at: now) }
    if let end = verdict(at: now) { return end }
    if lease == nil && isJudging && now >= silence.deadline { return loseLease(at: now) }
    return sayWhatIsDue(at: now)
  }

  /// The caller was suspended until `now`: the coordinator's silence in that time does not count.
  public mutating func wasStalled(at now: Duration) {
    counted.stalls += 1
    silence.heard(at: now)
  }

  /// Whether the coordinator's silence is checked: as long as executors act on its behalf.
  private var isJudging: Bool { if case .draining = state { false } else { isActing } }

  private mutating func verdict(at now: Duration) -> [WorkerAction]? {
    if outbox.events.count > Limits.unacknowledgedEvents { return end(.outOfStep(events: outbox.events.count)) }
    if let since = state.request?.since, now >= since + timing.unansweredLimit {
      return end(.unanswered(for: now - since))
    }
    if case .draining(let since) = state, now >= since + timing.drainLimit { return end(.shutdown) }
    return nil
  }

  /// No property may receive values from two workers: a worker that receives nothing from its coordinator stops, and
  /// sends hello again to get its assignment back.
  private mutating func loseLease(at now: Duration) -> [WorkerAction] {
    silence.relax(timing)
    let commands = state.request?.commands ?? CommandBuffer()
    return [.leaseLost] + greet(isSubscribed: true, keeping: commands, at: now)
  }

  private mutating func sayWhatIsDue(at now: Duration) -> [WorkerAction] {
    var actions: [WorkerAction] = []
    if hasNews || repeatDue.map({ now >= $0 }) == true {
      actions.append(.publish(update(frame: lastFrame, writes: [], at: now)))
    }
    if let heartbeat = heartbeatIfDue(at: now) { actions.append(.publish(heartbeat)) }
    if case .serving(let waiting?) = state, now >= waiting.deadline { return actions + askAgain(at: now) }
    if let retry = state.request?.retry, now >= retry.due { return actions + resend(at: now) }
    return actions
  }
}
