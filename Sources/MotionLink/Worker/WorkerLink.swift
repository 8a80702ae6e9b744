import MotionModel
public import MotionWire

/// A worker's end of the link to its coordinator: messages and time in, actions out.
///
/// It reads no clock and uses no socket. The owner of the sockets calls ``start(at:)``, passes every received message
/// (``received(_:at:)``, ``subscribed(to:)``), and records the executors' events (``record(_:)``). It performs the
/// returned actions in their order, and then calls ``deadline(at:)``, again at ``nextDeadline``. Times are those of the
/// boot clock.
public struct WorkerLink: Sendable {
  var state: State
  /// The last command whose effect it holds.
  public internal(set) var commandsApplied: UInt64 = 0
  /// The tokens that its executors hold, as of the last event recorded; the caller keeps them up to date.
  public var tokens = TokenSet()

  let timing: LinkTiming
  let hello: Hello
  var fence: Fence
  var counted = LinkCounters()
  var silence: Silence
  var heartbeatDue: Duration
  var isActive = false
  /// The lease of a worker that cannot be killed; `nil` for a worker that its coordinator started.
  var lease: Lease?
  var hasEventSubscription = false
  var outbox = EventOutbox()
  var shape = SentShape()
  /// When events or acknowledgements of commands were sent last, and the last command acknowledged then.
  var lastSaidAt: Duration
  var lastSaidCommand: UInt64 = 0
  var lastFrame: UInt64 = 0
  /// The sequence of the last received tick.
  var lastTickSequence: UInt64 = 0
  var linkStamp: Stamp
  var eventStamp: Stamp

  /// The worker's end for the start that `hello` describes, in the coordinator's start `epoch`.
  ///
  /// - Parameter lease: the lease that came with its assignment, if it claimed one: the link ends with it.
  public init(
    epoch: UInt64, incarnation: UInt64, hello: Hello, lease: Lease? = nil, timing: LinkTiming = .local,
    at now: Duration
  ) {
    self.hello = hello
    self.lease = lease
    self.timing = timing
    fence = Fence(epoch: epoch, incarnation: 0)
    silence = Silence(timing, at: now)
    state = .greeting(Request(retry: Retry(timing, at: now), since: now), isSubscribed: false)
    heartbeatDue = now
    lastSaidAt = now
    linkStamp = Stamp(epoch: epoch, incarnation: incarnation)
    eventStamp = linkStamp
  }

  /// The number of messages that were not used, by reason.
  public var counters: LinkCounters {
    var counters = counted
    counters.fenced += fence.dropped
    return counters
  }

  /// Whether the worker has requested a snapshot and not received it.
  public var isAwaitingSnapshot: Bool { if case .awaitingSnapshot = state { true } else { false } }

  /// Whether its executors act: from the first snapshot until the lease is lost.
  var isActing: Bool {
    switch state {
    case .serving, .draining: true
    case .awaitingSnapshot(let wait): wait.isActing
    case .greeting, .subscribing, .ended: false
    }
  }

  /// When the lease ends, if it has one.
  public var leaseEnd: Duration? { lease?.end }

  /// The number of events that the coordinator has not acknowledged.
  public var unacknowledgedEvents: Int { outbox.events.count }

  /// A message came from the coordinator, on the link or on one of the worker's topics.
  public mutating func received(_ envelope: Envelope, at now: Duration) -> [WorkerAction] {
    if case .ended = state {
      counted.fenced += 1
      return []
    }
    // A message that was buffered while the lease expired is not obeyed.
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

  /// The actions at the end of the lease, if it has expired. The caller must check this before each action that needs
  /// the coordinator's permission, a frame above all. Without a lease, and before its end, there are none.
  public mutating func lapse(at now: Duration) -> [WorkerAction] {
    guard let lease, lease.isOver(at: now) else { return [] }
    if case .ended = state { return [] }
    return [.leaseLost] + end(.leaseEnded)
  }

  mutating func end(_ reason: WorkerExit) -> [WorkerAction] {
    state = .ended
    return [.exit(reason)]
  }
}
