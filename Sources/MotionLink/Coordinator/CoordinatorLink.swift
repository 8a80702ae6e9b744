public import MotionModel
public import MotionWire

/// The coordinator's end of the link to one incarnation of a worker: messages and time in, actions out.
///
/// It reads no clock and uses no socket. The owner of the sockets passes every received message (``received(_:at:)``,
/// ``subscribed(to:at:)``), and requests the envelopes to publish (``send(_:at:)``, ``tick(_:at:)``). It performs the
/// returned actions in their order, and calls ``deadline(at:)`` at ``nextDeadline``. Before that call, it passes on
/// every message that has arrived: an owner that was suspended receives first and checks timeouts afterwards. Times are
/// those of the boot clock.
///
/// Numbers of commands are counted here. Every command for the worker goes through ``send(_:at:)``, whether or not it
/// is sent, and every snapshot has the effect of all commands that went through it.
///
/// The handshake:
///
/// - The owner subscribes its events socket to `topics.events` and starts the process.
/// - Hello → welcome.
/// - The worker subscribes. Once it has seen the owner's subscription, it requests a snapshot.
/// - Once the owner's sockets have reported the worker's subscriptions, `provideSnapshot` follows. From then on
///   commands are sent as they come.
public struct CoordinatorLink: Sendable {
  /// The state of the worker, as far as the coordinator can see it.
  public enum State: Hashable, Sendable {
    /// The process was started, and has not sent hello.
    case starting
    /// The worker was welcomed, and the conditions for a snapshot (its request, its subscriptions) are not complete.
    /// Commands are numbered but not sent: the snapshot will contain them.
    case welcomed
    /// A snapshot with all commands up to this one was sent, and the worker has not acknowledged it. Commands are sent.
    case provisioning(command: UInt64)
    /// The worker has acknowledged the last snapshot.
    case ready
    /// The worker was requested to shut down. It may still send its last messages.
    case draining
    /// The link has ended; messages of the worker are dropped.
    case fenced
  }

  /// The worker's address.
  public let address: WorkerAddress
  /// The worker's topics.
  public let topics: LinkTopics
  /// The worker's state.
  public internal(set) var state = State.starting
  /// The last command that was numbered.
  public internal(set) var lastCommand: UInt64 = 0
  /// The last command that the worker applied. The coordinator has also applied every event that preceded this
  /// acknowledgement.
  public internal(set) var acknowledgedCommand: UInt64 = 0
  /// The tokens that the worker's executors hold, computed from its events.
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
  /// The sequence of the worker's request that a snapshot answers.
  var snapshotRequest: UInt64?
  var inbox = EventInbox()
  /// The newest shape that the worker announced.
  var shape = KnownShape()
  /// The newest frame that the worker may have received, and the newest frame for which it sent an update.
  var announcedFrame: UInt64 = 0
  var lastFrame: UInt64 = 0
  var reportedTokens: UInt64?
  /// The leases granted to a worker that only stops by itself; `nil` for a worker that can be killed.
  var grants: LeaseGrants?
  var linkStamp: Stamp
  var commandStamp: Stamp
  var tickStamp: Stamp

  /// The link to the start number `incarnation` of `address`, which is started at `now`.
  ///
  /// - Parameters:
  ///   - executors: the types of executors that the worker has to hold, from its manifest.
  ///   - wantsUpdates: whether it gets ticks, from its manifest.
  ///   - isLeased: whether the worker claimed its assignment and acts as long as its lease lasts, because it cannot be
  ///     killed.
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

  /// The number of messages that were not used, by reason.
  public var counters: LinkCounters {
    var counters = counted
    counters.fenced += fence.dropped
    return counters
  }

  /// When the last message of the worker was received, or when the worker got its full timeout again.
  public var lastHeard: Duration { silence.lastHeard }

  /// The time until which the worker may act, if it was granted leases. No other process may act before then.
  public var heldUntil: Duration? { grants?.until }

  /// The last event of the worker that was handed out to be applied.
  public var lastEventApplied: UInt64 { inbox.lastApplied }

  /// Whether commands are sent to the worker as they come: it has received, or is about to receive, everything before
  /// them.
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

  /// Ends the link: no later message of the worker is accepted.
  mutating func end() {
    state = .fenced
    snapshotRequest = nil
  }

  mutating func unexpected() -> [CoordinatorAction] {
    counted.unexpected += 1
    return []
  }
}
