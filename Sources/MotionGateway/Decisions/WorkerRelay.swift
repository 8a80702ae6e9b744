import MotionModel
import MotionWire
import ZeroMQ

/// Decides which messages pass between an untrusted worker and motiond: those of one assignment, and no others.
///
/// Requests on the link get numbers of the gateway's own; their answers get the original numbers back. A message on
/// another socket passes if it belongs to the life that motiond granted last.
struct WorkerRelay {
  /// One start of the worker, as granted by motiond.
  struct Life {
    let address: WorkerAddress
    let epoch: UInt64
    let incarnation: UInt64
    /// The worker's routing id on the link.
    fileprivate(set) var routingID: RoutingID

    /// Whether another grant is of the same life: a claim that was resent gets two answers.
    func isSame(as other: Life?) -> Bool {
      other?.address == address && other?.epoch == epoch && other?.incarnation == incarnation
    }

    /// The topic of this life on one of the sockets.
    func topic(_ kind: WorkerTopic.Kind) -> String {
      WorkerTopic(kind, of: address, incarnation: incarnation).topic
    }
  }

  /// The sender of a request on the link that waits for an answer.
  private struct Requester {
    let routingID: RoutingID
    let request: UInt64
    /// The address that the request claims; `nil` if it is not a claim.
    let claimed: WorkerAddress?
  }

  private let ports: [UInt16]
  private let limits: WorkerGatewayLimits
  private var waiting = WaitingRequests<Requester>()
  private var messages: RateLimit
  private var bytes: RateLimit
  /// The number of consecutive claims that motiond has not answered.
  private var unanswered = 0
  /// The current life; `nil` before motiond has granted one.
  private(set) var life: Life?
  /// The shape that the worker of this life announced.
  private var shape = KnownShape()

  /// A relay without a life.
  ///
  /// - Parameter ports: the gateway's ports for link, commands, ticks and events.
  init(ports: [UInt16], _ limits: WorkerGatewayLimits, at now: Duration) {
    self.ports = ports
    self.limits = limits
    messages = RateLimit(perSecond: limits.messagesPerSecond, at: now)
    bytes = RateLimit(perSecond: limits.bytesPerSecond, at: now)
  }

  /// When to call ``isUnheard(at:)`` next.
  var nextDeadline: Duration? { waiting.nextDeadline }

  /// Whether motiond has left so many claims unanswered that the gateway must reconnect. libzmq does not retry a
  /// connection that was refused, for example because its key was not yet authorized.
  mutating func isUnheard(at now: Duration) -> Bool {
    unanswered += waiting.givenUp(at: now).count { $0.claimed != nil }
    return unanswered >= WorkerGatewayLimits.claimsUnanswered
  }

  /// Resets everything after the gateway has reconnected to motiond.
  mutating func forget() {
    life = nil
    shape = KnownShape()
    waiting = WaitingRequests()
    unanswered = 0
  }

  // MARK: From the worker

  /// Whether a message of this many bytes is within the rate limits. A message that is not is dropped; the worker
  /// resends it if it matters.
  mutating func takes(_ count: Int, at now: Duration) -> Bool {
    messages.take(at: now) && bytes.take(count, at: now)
  }

  /// The message to forward to motiond for one from the worker on the link; `nil` drops it.
  mutating func asked(_ envelope: Envelope, by routingID: RoutingID, at now: Duration) -> Envelope? {
    guard waiting.count < limits.requestsWaiting else { return nil }
    var passed = envelope
    switch envelope.body {
    case .claim(let claim): passed.sequence = begin(envelope, routingID, claimed: claim.address, at: now)
    case .hello, .resync:
      guard isOfLife(envelope) else { return nil }
      life?.routingID = routingID
      passed.sequence = begin(envelope, routingID, at: now)
    case .streamReport:
      guard isOfLife(envelope) else { return nil }
    default: return nil
    }
    return passed
  }

  /// Whether to forward a message of the worker's executors to motiond.
  func publishes(_ envelope: Envelope, on topic: String) -> Bool {
    guard topic == life?.topic(.events), isOfLife(envelope) else { return false }
    switch envelope.body {
    case .update, .workerHeartbeat, .log: return true
    default: return false
    }
  }

  /// The message to forward for one that is forwarded: an update has all its rows, since motiond may not have its shape.
  mutating func whole(_ envelope: Envelope) -> Envelope {
    guard case .update(let update) = envelope.body else { return envelope }
    var passed = envelope
    passed.body = .update(shape.complete(update).update)
    return passed
  }

  /// The message to forward to the worker for one from motiond on a topic: a tick acknowledges only the shape that this gateway has.
  func acknowledging(_ envelope: Envelope) -> Envelope {
    guard case .tick(var tick) = envelope.body, tick.shape != shape.number else { return envelope }
    var passed = envelope
    tick.shape = 0
    passed.body = .tick(tick)
    return passed
  }

  // MARK: From motiond

  /// The message to forward to the worker for one from motiond on the link, with the worker's routing id.
  mutating func answered(_ envelope: Envelope) -> (Envelope, RoutingID)? {
    if case .inspect = envelope.body, let life { return (envelope, life.routingID) }
    guard let requester = waiting.answered(envelope.replyTo) else { return nil }
    unanswered = 0
    var told = envelope
    told.replyTo = requester.request
    switch envelope.body {
    case .assignment(var assignment):
      guard let address = requester.claimed else { return nil }
      shape = KnownShape()
      life = Life(
        address: address, epoch: envelope.epoch, incarnation: assignment.incarnation, routingID: requester.routingID)
      (assignment.commandsPort, assignment.ticksPort, assignment.eventsPort) = (ports[1], ports[2], ports[3])
      told.body = .assignment(assignment)
    case .refusal, .welcome, .snapshot: break
    default: return nil
    }
    return (told, requester.routingID)
  }

  /// Whether to forward a message from motiond on one of the worker's topics.
  func tells(_ envelope: Envelope, on topic: String) -> Bool {
    switch envelope.body {
    case .command, .coordinatorHeartbeat: topic == life?.topic(.commands)
    case .tick: topic == life?.topic(.ticks)
    default: false
    }
  }

  private mutating func begin(
    _ envelope: Envelope, _ routingID: RoutingID, claimed: WorkerAddress? = nil, at now: Duration
  ) -> UInt64 {
    waiting.begin(
      Requester(routingID: routingID, request: envelope.sequence, claimed: claimed),
      until: now + WorkerGatewayLimits.answerTimeout)
  }

  private func isOfLife(_ envelope: Envelope) -> Bool {
    life.map { $0.epoch == envelope.epoch && $0.incarnation == envelope.incarnation } ?? false
  }
}
