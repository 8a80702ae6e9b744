public import MotionModel
public import MotionWire

/// The coordinator's end of the link to one incarnation of a worker: messages and time in, actions out.
///
/// It reads no clock and touches no socket. Whoever owns the sockets hands it what comes (``received(_:at:)``,
/// ``subscribed(to:at:)``), asks it for what is to be sent (``send(_:at:)``, ``tick(_:at:)``), performs the actions it
/// returns in their order, and calls ``deadline(at:)`` at ``nextDeadline``. Before that call, all that has arrived is
/// handed over: whoever was stopped itself hears first and judges then. Times are those of the boot clock.
///
/// Numbers of commands are counted here: every command for the worker goes through ``send(_:at:)``, whether or not it is
/// sent, and every snapshot has the effect of all that went through it.
///
/// The order of things: the owner subscribes its events socket to `topics.events` and starts the process; hello →
/// welcome; the worker subscribes and, once it has seen the owner's subscription, asks for a snapshot; once the owner's
/// sockets have shown the worker's subscriptions, `provideSnapshot`; from then on commands are sent as they come.
public struct CoordinatorLink: Sendable {
  /// Where the worker is, as the coordinator knows it.
  public enum State: Hashable, Sendable {
    /// When the process was started and has not said hello.
    case starting
    /// When it was welcomed, and what it needs for a snapshot (its question, its subscriptions) is not complete.
    /// Commands are numbered but not sent: the snapshot will contain them.
    case welcomed
    /// When a snapshot with all commands up to this one was sent, and the worker has not acknowledged it. Commands are
    /// sent.
    case provisioning(command: UInt64)
    /// When the worker has acknowledged the last snapshot.
    case ready
    /// When it was told to shut down. It may still say what it has to say.
    case draining
    /// When it is done with.
    case fenced
  }

  /// Which worker.
  public let address: WorkerAddress
  /// Its topics.
  public let topics: LinkTopics
  /// Where it is.
  public internal(set) var state = State.starting
  /// The last command that was numbered.
  public internal(set) var lastCommand: UInt64 = 0
  /// The last command that the worker applied, with all events it had to tell by then applied too.
  public internal(set) var acknowledgedCommand: UInt64 = 0
  /// The tokens that the worker's executors hold, by its events.
  public internal(set) var tokens = TokenSet()

  let timing: LinkTiming
  let wantsUpdates: Bool
  let executors: [ExecutorType]
  var fence: Fence
  var counted = LinkCounters()
  var silence: Silence
  var startDeadline: Duration
  var heartbeatDue: Duration
  var isActive = false
  var hasCommandSubscription = false
  var hasTickSubscription = false
  /// The sequence of the worker's question that a snapshot answers.
  var snapshotRequest: UInt64?
  var inbox = EventInbox()
  /// The last frame that the worker may know of, and the last one it said something for.
  var announcedFrame: UInt64 = 0
  var lastFrame: UInt64 = 0
  var reportedTokens: UInt64?
  /// What was granted to a worker that has to be left to stop by itself; `nil` for one that can be killed.
  var grants: LeaseGrants?
  var linkStamp: Stamp
  var commandStamp: Stamp
  var tickStamp: Stamp

  /// The link to the start number `incarnation` of `address`, which is started at `now`.
  ///
  /// - Parameters:
  ///   - executors: the types of executors that the worker has to hold, from its manifest.
  ///   - wantsUpdates: whether it gets ticks, from its manifest.
  ///   - isLeased: whether the worker claimed its assignment and acts as long as its lease lasts, because it cannot be killed.
  public init(
    epoch: UInt64, address: WorkerAddress, incarnation: UInt64, executors: [ExecutorType] = [],
    wantsUpdates: Bool = true, isLeased: Bool = false, timing: LinkTiming = .local, at now: Duration
  ) {
    self.address = address
    self.executors = executors
    self.wantsUpdates = wantsUpdates
    self.timing = timing
    topics = LinkTopics(address, incarnation: incarnation)
    fence = Fence(epoch: epoch, incarnation: incarnation)
    silence = Silence(timing, at: now)
    grants = isLeased ? LeaseGrants(length: timing.firstLease, at: now) : nil
    startDeadline = now + timing.startLimit
    heartbeatDue = now
    linkStamp = Stamp(epoch: epoch, incarnation: 0)
    commandStamp = linkStamp
    tickStamp = linkStamp
  }

  /// What was not used, and why.
  public var counters: LinkCounters {
    var counters = counted
    counters.fenced += fence.dropped
    return counters
  }

  /// When the worker was last heard, or was given its full time again.
  public var lastHeard: Duration { silence.lastHeard }

  /// Until when the worker may act, if it was granted leases: nobody else may before.
  public var heldUntil: Duration? { grants?.until }

  /// The last event of the worker that was handed out to be applied.
  public var lastEventApplied: UInt64 { inbox.lastApplied }

  /// Whether commands are sent to the worker as they come: it has, or is about to have, everything before them.
  public var isProvisioned: Bool {
    switch state {
    case .provisioning, .ready: true
    case .starting, .welcomed, .draining, .fenced: false
    }
  }

  /// A message came from the worker, on the link or on its topic of events.
  public mutating func received(_ envelope: Envelope, at now: Duration) -> [CoordinatorAction] {
    guard fence.judge(envelope) == .admitted else { return [] }
    guard state != .fenced else {
      counted.fenced += 1
      return []
    }
    silence.heard(at: now)
    grants?.heard(envelope.sent, at: now)
    switch envelope.body {
    case .hello(let hello): return greeted(hello, sequence: envelope.sequence, at: now)
    case .resync: return asked(sequence: envelope.sequence, at: now)
    case .update(let update): return updated(update, at: now)
    case .workerHeartbeat(let heartbeat): return heard(heartbeat)
    case .log(let line): return [.log(line)]
    case .streamReport(let report): return [.reported(report, question: envelope.replyTo)]
    default: return unexpected()
    }
  }

  /// Nothing that the worker says counts from now on.
  mutating func end() {
    state = .fenced
    snapshotRequest = nil
  }

  mutating func unexpected() -> [CoordinatorAction] {
    counted.unexpected += 1
    return []
  }
}
