import MotionModel
import MotionWire

extension WorkerLink {
  /// When ``deadline(at:)`` is to be called next; zero if there is something to say at once. `nil` once the process has
  /// to end.
  public var nextDeadline: Duration? { hasNews ? .zero : earliestTimer }

  private var earliestTimer: Duration? {
    guard state != .ended else { return nil }
    // No array: this is asked in every turn.
    var next: Duration?
    func note(_ deadline: Duration) { next = next.map { min($0, deadline) } ?? deadline }
    if let due = repeatDue { note(due) }
    if canPublish { note(heartbeatDue) }
    if let due = tickDeadline { note(due) }
    if let lease { note(lease.end) } else if isJudging { note(silence.deadline) }
    switch state {
    case .greeting, .subscribing, .awaitingSnapshot:
      note(retry.due)
      note(askingSince + timing.unansweredLimit)
    case .draining: note(askingSince + timing.drainLimit)
    case .serving, .ended: break
    }
    return next
  }

  /// Says what is due at `now`, and judges the coordinator's silence. Calling it early does nothing.
  ///
  /// If a deadline is looked at later than `LinkTiming.stall`, the caller itself was stopped, and the coordinator gets
  /// its full time again. A lease is over all the same.
  public mutating func deadline(at now: Duration) -> [WorkerAction] {
    guard let due = earliestTimer, now >= due || hasNews else { return [] }
    let lapse = lapse(at: now)
    guard lapse.isEmpty else { return lapse }
    if now > due + timing.stall { wasStalled(at: now) }
    if let end = verdict(at: now) { return end }
    if lease == nil && isJudging && now >= silence.deadline { return loseLease(at: now) }
    return sayWhatIsDue(at: now)
  }

  /// The caller was stopped until `now`: the coordinator's silence in that time does not count.
  public mutating func wasStalled(at now: Duration) {
    counted.stalls += 1
    silence.heard(at: now)
  }

  /// Whether silence of the coordinator means anything: as long as executors act on its behalf.
  private var isJudging: Bool { isActing && (state == .serving || state == .awaitingSnapshot) }

  private mutating func verdict(at now: Duration) -> [WorkerAction]? {
    if outbox.events.count > Limits.unacknowledgedEvents { return end(.outOfStep(events: outbox.events.count)) }
    switch state {
    case .greeting, .subscribing, .awaitingSnapshot:
      return now >= askingSince + timing.unansweredLimit ? end(.unanswered(for: now - askingSince)) : nil
    case .draining: return now >= askingSince + timing.drainLimit ? end(.shutdown) : nil
    case .serving, .ended: return nil
    }
  }

  /// Nobody may be told by two: whoever does not hear its coordinator stops, and asks for its place again.
  private mutating func loseLease(at now: Duration) -> [WorkerAction] {
    isActing = false
    waitingTick = nil
    tickDeadline = nil
    askingSince = now
    silence.relax(timing)
    return [.leaseLost] + greet(at: now)
  }

  private mutating func sayWhatIsDue(at now: Duration) -> [WorkerAction] {
    var actions: [WorkerAction] = []
    if hasNews || repeatDue.map({ now >= $0 }) == true {
      actions.append(.publish(update(frame: lastFrame, writes: [], at: now)))
    }
    if let heartbeat = heartbeatIfDue(at: now) { actions.append(.publish(heartbeat)) }
    if let due = tickDeadline, now >= due { return actions + ask(at: now) }
    switch state {
    case .greeting, .subscribing, .awaitingSnapshot: return now >= retry.due ? actions + askAgain(at: now) : actions
    case .serving, .draining, .ended: return actions
    }
  }
}
