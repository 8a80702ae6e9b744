import MotionModel
import MotionWire

extension WorkerLink {
  /// Handles a snapshot: everything up to a command, then the commands after it that came meanwhile.
  mutating func provisioned(
    _ snapshot: WorkerSnapshot, command: UInt64, replyTo: UInt64, at now: Duration
  ) -> [WorkerAction] {
    guard case .awaitingSnapshot(let wait) = state, replyTo >= wait.first else {
      counted.old += 1
      return []
    }
    state = .serving(wait.tick.map { WaitingTick(tick: $0, deadline: now + timing.tickTimeout) })
    commandsApplied = command
    lastFrame = max(lastFrame, snapshot.frame.number)
    // The heartbeat reports that the snapshot is held, even if its command number was sent before.
    heartbeatDue = now
    var commands = wait.request.commands
    let following = commands.take(after: command).flatMap { obey($0, at: now) }
    let isBehind = (commands.last ?? 0) > commandsApplied
    return [.provision(snapshot)] + following
      + (isBehind ? askAgain(keeping: commands, at: now) : runWaitingTick(at: now))
  }

  /// Handles a command: obeyed if it is the next, kept if a command before it is missing.
  mutating func commanded(_ command: WorkerCommand, number: UInt64, at now: Duration) -> [WorkerAction] {
    switch state {
    case .serving where number == commandsApplied + 1:
      return obey(command, at: now) + runWaitingTick(at: now)
    case .serving where number > commandsApplied:
      var commands = CommandBuffer()
      commands.keep(command, number: number)
      return askAgain(keeping: commands, at: now)
    case .greeting, .subscribing, .awaitingSnapshot:
      state.changeRequest { $0.commands.keep(command, number: number) }
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
    switch state {
    case .serving:
      outbox.settle()
      return heartbeat.lastCommand > commandsApplied ? askAgain(at: now) : []
    case .draining: return outbox.events.isEmpty ? end(.shutdown) : []
    case .greeting, .subscribing, .awaitingSnapshot, .ended: return []
    }
  }

  /// Handles a tick: the frame is run once the commands that it announces are obeyed. Of several waiting ticks only the
  /// newest counts.
  mutating func announced(_ tick: Tick, sequence: UInt64, at now: Duration) -> [WorkerAction] {
    if sequence > lastTickSequence {
      counted.conflatedTicks += sequence - lastTickSequence - 1
      lastTickSequence = sequence
    }
    guard tick.frame.number > max(lastFrame, state.tick?.frame.number ?? 0) else {
      counted.old += 1
      return []
    }
    shape.acknowledge(tick.shape)
    switch state {
    // Ticks are expected from the subscription on: a tick that comes before the first snapshot is run after it.
    case .subscribing(let request, _): state = .subscribing(request, tick: tick)
    case .awaitingSnapshot(var wait):
      wait.tick = tick
      state = .awaitingSnapshot(wait)
    case .serving(let former):
      state = .serving(WaitingTick(tick: tick, deadline: former?.deadline ?? now + timing.tickTimeout))
    case .greeting, .draining, .ended: counted.old += 1
    }
    return runWaitingTick(at: now)
  }

  /// Records that a command is obeyed. Shutdown is the last one.
  private mutating func obey(_ command: WorkerCommand, at now: Duration) -> [WorkerAction] {
    guard case .serving(let waiting) = state else { return [] }
    commandsApplied += 1
    if case .shutdown = command {
      state = .draining(since: now)
    } else if let waiting {
      // A received command shows that more are in transit.
      state = .serving(WaitingTick(tick: waiting.tick, deadline: now + timing.tickTimeout))
    }
    return [.apply(command)]
  }

  private mutating func runWaitingTick(at now: Duration) -> [WorkerAction] {
    guard case .serving(let waiting?) = state, waiting.tick.lastCommand <= commandsApplied else { return [] }
    state = .serving(nil)
    let tick = waiting.tick
    guard tick.frame.number > lastFrame else { return [] }
    lastFrame = tick.frame.number
    return [.run(tick.frame)]
  }
}
