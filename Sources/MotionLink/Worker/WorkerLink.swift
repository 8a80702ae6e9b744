import MotionModel
public import MotionWire

/// A worker's end of the link to its coordinator: messages and time in, actions out.
///
/// It reads no clock and touches no socket. Whoever owns the sockets calls ``start(at:)``, hands it what comes
/// (``received(_:at:)``, ``subscribed(to:)``), tells it what the executors did (``record(_:)``), performs the actions it
/// returns in their order, and then calls ``deadline(at:)``, again at ``nextDeadline``. Times are those of the boot clock.
public struct WorkerLink: Sendable {
  /// How far the worker has got.
  public enum State: Hashable, Sendable {
    /// When it says hello, again and again, and has not been welcomed. Also when the coordinator fell silent.
    case greeting
    /// When it was welcomed and its events would go into the void: its socket has not shown the coordinator's
    /// subscription. It goes on saying hello, so as to be heard.
    case subscribing
    /// When it asks for a snapshot, again and again, for the first time or because a command is missing. Commands that
    /// come are kept.
    case awaitingSnapshot
    /// When it holds what it has to hold and obeys command after command, tick after tick.
    case serving
    /// When it was told to shut down, and its last events are not all acknowledged.
    case draining
    /// When its process has to end.
    case ended
  }

  /// How far it has got.
  public internal(set) var state = State.greeting
  /// The last command whose effect it holds.
  public internal(set) var commandsApplied: UInt64 = 0
  /// The tokens that its executors hold, as of the last event recorded; kept up to date by the caller.
  public var tokens = TokenSet()

  let timing: LinkTiming
  let hello: Hello
  var fence: Fence
  var counted = LinkCounters()
  var silence: Silence
  var retry: Retry
  /// Since when it has been asking for something without getting it.
  var askingSince: Duration
  var heartbeatDue: Duration
  var isActive = false
  /// How long it may act, if nobody can kill it; `nil` for a worker that its coordinator started.
  var lease: Lease?
  /// Whether its executors act: from the first snapshot until the lease is lost.
  var isActing = false
  var welcome: Welcome?
  var hasEventSubscription = false
  /// The sequence of the first resync of this round: answers to earlier ones are out of date.
  var firstRequest: UInt64 = 0
  var buffer = CommandBuffer()
  var outbox = EventOutbox()
  /// When events, or commands applied, were said last, and which command that was.
  var lastSaidAt: Duration
  var lastSaidCommand: UInt64 = 0
  var lastFrame: UInt64 = 0
  /// The newest tick that waits for the commands it announced, and how long it may wait.
  var waitingTick: Tick?
  var tickDeadline: Duration?
  /// The sequence of the last tick that came, and how many were replaced by newer ones before they did.
  var lastTickSequence: UInt64 = 0
  var conflatedTicks: UInt64 = 0
  var linkStamp: Stamp
  var eventStamp: Stamp

  /// The end of the worker that was started as `hello` says, in the coordinator's start `epoch`.
  ///
  /// - Parameter lease: what came with its assignment, if it claimed one: the link ends with it.
  public init(
    epoch: UInt64, incarnation: UInt64, hello: Hello, lease: Lease? = nil, timing: LinkTiming = .local,
    at now: Duration
  ) {
    self.hello = hello
    self.lease = lease
    self.timing = timing
    fence = Fence(epoch: epoch, incarnation: 0)
    silence = Silence(timing, at: now)
    retry = Retry(timing, at: now)
    askingSince = now
    heartbeatDue = now
    lastSaidAt = now
    linkStamp = Stamp(epoch: epoch, incarnation: incarnation)
    eventStamp = linkStamp
  }

  /// What was not used, and why.
  public var counters: LinkCounters {
    var counters = counted
    counters.fenced += fence.dropped
    counters.conflatedTicks = conflatedTicks
    return counters
  }

  /// When the lease ends, if it has one.
  public var leaseEnd: Duration? { lease?.end }

  /// How many events the coordinator has not acknowledged.
  public var unacknowledgedEvents: Int { outbox.events.count }

  /// A message came from the coordinator, on the link or on one of the worker's topics.
  public mutating func received(_ envelope: Envelope, at now: Duration) -> [WorkerAction] {
    guard state != .ended else {
      counted.fenced += 1
      return []
    }
    // What lay in a buffer while the lease ended is not acted upon.
    let lapse = lapse(at: now)
    guard lapse.isEmpty else {
      counted.fenced += 1
      return lapse
    }
    switch fence.judge(envelope) {
    case .admitted: break
    case .dropped: return []
    case .superseded: return end(.superseded(epoch: envelope.epoch))
    }
    silence.heard(at: now)
    switch envelope.body {
    case .welcome(let welcome): return welcomed(welcome, at: now)
    case .refusal(let refusal): return end(.refused(refusal))
    case .snapshot(let command, let lastEvent, let snapshot):
      let live = outbox.withoutEnded(snapshot, asOf: lastEvent)
      return provisioned(live, command: command, replyTo: envelope.replyTo, at: now)
    case .command(let number, let command): return commanded(command, number: number, at: now)
    case .coordinatorHeartbeat(let heartbeat): return heard(heartbeat, sequence: envelope.sequence, at: now)
    case .tick(let tick): return announced(tick, sequence: envelope.sequence, at: now)
    case .inspect(let executors): return [.inspect(executors, question: envelope.sequence)]
    default:
      counted.unexpected += 1
      return []
    }
  }

  /// The end of the lease, if it is over: to be asked before anything is done that the coordinator must have allowed, a
  /// frame above all. Without a lease, and before its end, nothing.
  public mutating func lapse(at now: Duration) -> [WorkerAction] {
    guard let lease, state != .ended, lease.isOver(at: now) else { return [] }
    isActing = false
    return [.leaseLost] + end(.leaseEnded)
  }

  mutating func end(_ reason: WorkerExit) -> [WorkerAction] {
    state = .ended
    return [.exit(reason)]
  }
}
