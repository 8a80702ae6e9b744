import MotionModel
import MotionWire

extension WorkerLink {
  /// Handles a snapshot: everything up to a command, then the commands after it that came meanwhile.
  mutating func provisioned(
    _ snapshot: WorkerSnapshot, command: UInt64, replyTo: UInt64, at now: Duration
  ) -> [WorkerAction] {
    guard state == .awaitingSnapshot, replyTo >= firstRequest else {
      counted.old += 1
      return []
    }
    state = .serving
    isActing = true
    commandsApplied = command
    lastFrame = max(lastFrame, snapshot.frame.number)
    // The heartbeat reports that the snapshot is held, even if its command number was sent before.
    heartbeatDue = now
    let following = buffer.take(after: command).flatMap { obey($0, at: now) }
    let isBehind = state == .serving && (buffer.last ?? 0) > commandsApplied
    return [.provision(snapshot)] + following + (isBehind ? ask(at: now) : runWaitingTick(at: now))
  }

  /// Handles a command: obeyed if it is the next, kept if a command before it is missing.
  mutating func commanded(_ command: WorkerCommand, number: UInt64, at now: Duration) -> [WorkerAction] {
    switch state {
    case .serving where number == commandsApplied + 1:
      return obey(command, at: now) + runWaitingTick(at: now)
    case .serving where number > commandsApplied:
      buffer.keep(command, number: number)
      return ask(at: now)
    case .greeting, .subscribing, .awaitingSnapshot:
      buffer.keep(command, number: number)
      return []
    case .serving, .draining, .ended:
      counted.old += 1
      return []
    }
  }

  /// Handles a heartbeat. It contains the last event that the coordinator applied, and shows whether the last commands
  /// are missing here.
  mutating func heard(_ heartbeat: CoordinatorHeartbeat, sequence: UInt64, at now: Duration) -> [WorkerAction] {
    silence.announced(heartbeat.interval)
    lease?.renew(heardSent: heartbeat.heardSent, seconds: heartbeat.lease, sequence: sequence, at: now)
    outbox.acknowledge(min(heartbeat.lastEventApplied, outbox.last))
    if state == .serving { outbox.settle() }
    if state == .draining && outbox.events.isEmpty { return end(.shutdown) }
    return state == .serving && heartbeat.lastCommand > commandsApplied ? ask(at: now) : []
  }

  /// Handles a tick: the frame is run once the commands that it announces are obeyed. Of several waiting ticks only the
  /// newest counts.
  mutating func announced(_ tick: Tick, sequence: UInt64, at now: Duration) -> [WorkerAction] {
    if sequence > lastTickSequence {
      conflatedTicks += sequence - lastTickSequence - 1
      lastTickSequence = sequence
    }
    guard isExpectingTicks, tick.frame.number > max(lastFrame, waitingTick?.frame.number ?? 0) else {
      counted.old += 1
      return []
    }
    waitingTick = tick
    let actions = runWaitingTick(at: now)
    if waitingTick != nil && state == .serving && tickDeadline == nil { tickDeadline = now + timing.tickTimeout }
    return actions
  }

  /// Records that a command is obeyed. Shutdown is the last one.
  private mutating func obey(_ command: WorkerCommand, at now: Duration) -> [WorkerAction] {
    guard state == .serving else { return [] }
    commandsApplied += 1
    // A received command shows that more are in transit.
    if tickDeadline != nil { tickDeadline = now + timing.tickTimeout }
    if case .shutdown = command {
      state = .draining
      askingSince = now
      waitingTick = nil
      tickDeadline = nil
    }
    return [.apply(command)]
  }

  /// Ticks are expected from the subscription on: a tick that comes before the first snapshot is run after it.
  private var isExpectingTicks: Bool {
    switch state {
    case .subscribing, .awaitingSnapshot, .serving: true
    case .greeting, .draining, .ended: false
    }
  }

  private mutating func runWaitingTick(at now: Duration) -> [WorkerAction] {
    guard state == .serving, let tick = waitingTick, tick.lastCommand <= commandsApplied else { return [] }
    waitingTick = nil
    tickDeadline = nil
    guard tick.frame.number > lastFrame else { return [] }
    lastFrame = tick.frame.number
    return [.run(tick.frame)]
  }
}
