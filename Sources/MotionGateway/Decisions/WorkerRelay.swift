import MotionModel
import MotionWire
import ZeroMQ

/// Decides what passes between a worker that is not trusted and motiond: the words of one assignment, and no others.
///
/// Requests on the link get numbers of the gateway's own, and their answers those of the requests again. What is said on
/// the other sockets passes if it belongs to the life that motiond has granted last.
struct WorkerRelay {
  /// One start of the worker, as motiond has granted it.
  struct Life {
    let address: WorkerAddress
    let epoch: UInt64
    let incarnation: UInt64
    /// Where the worker is heard on the link.
    fileprivate(set) var routingID: RoutingID

    /// Whether another grant is one of the same life: a claim that was said twice is answered twice.
    func isSame(as other: Life?) -> Bool {
      other?.address == address && other?.epoch == epoch && other?.incarnation == incarnation
    }

    /// The topic of one of its sockets.
    func topic(_ kind: WorkerTopic.Kind) -> String {
      WorkerTopic(kind, of: address, incarnation: incarnation).topic
    }
  }

  /// Who waits for an answer on the link.
  private struct Requester {
    let routingID: RoutingID
    let request: UInt64
    /// What it claims to be, if it does.
    let claimed: WorkerAddress?
  }

  private let ports: [UInt16]
  private let limits: WorkerGatewayLimits
  private var waiting = WaitingRequests<Requester>()
  private var messages: RateLimit
  private var bytes: RateLimit
  /// How many claims in a row motiond has not answered.
  private var unanswered = 0
  /// The life that counts; none before motiond has granted one.
  private(set) var life: Life?

  /// A relay that knows no worker.
  ///
  /// - Parameter ports: where the worker finds link, commands, ticks and events.
  init(ports: [UInt16], _ limits: WorkerGatewayLimits, at now: Duration) {
    self.ports = ports
    self.limits = limits
    messages = RateLimit(perSecond: limits.messagesPerSecond, at: now)
    bytes = RateLimit(perSecond: limits.bytesPerSecond, at: now)
  }

  /// When ``isUnheard(at:)`` is to be asked next.
  var nextDeadline: Duration? { waiting.nextDeadline }

  /// Whether motiond has answered nothing for so long that the gateway has to connect anew: whoever was refused once, for
  /// a key that was not authorized then, is heard no more on the same connection.
  mutating func isUnheard(at now: Duration) -> Bool {
    unanswered += waiting.givenUp(at: now).count { $0.claimed != nil }
    return unanswered >= WorkerGatewayLimits.claimsUnanswered
  }

  /// The gateway has connected to motiond anew: nothing is left of what was said before.
  mutating func forget() {
    life = nil
    waiting = WaitingRequests()
    unanswered = 0
  }

  // MARK: From the worker

  /// Whether a message of so many bytes may be looked at; what may not is dropped, and sent again if it matters.
  mutating func takes(_ count: Int, at now: Duration) -> Bool {
    messages.take(at: now) && bytes.take(count, at: now)
  }

  /// What motiond is told of what the worker says on the link, if anything.
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

  /// Whether motiond is told what the worker says of its executors.
  func publishes(_ envelope: Envelope, on topic: String) -> Bool {
    guard topic == life?.topic(.events), isOfLife(envelope) else { return false }
    switch envelope.body {
    case .update, .workerHeartbeat, .log: return true
    default: return false
    }
  }

  // MARK: From motiond

  /// What the worker is told of what motiond says on the link, and where it is heard.
  mutating func answered(_ envelope: Envelope) -> (Envelope, RoutingID)? {
    if case .inspect = envelope.body, let life { return (envelope, life.routingID) }
    guard let requester = waiting.answered(envelope.replyTo) else { return nil }
    unanswered = 0
    var told = envelope
    told.replyTo = requester.request
    switch envelope.body {
    case .assignment(var assignment):
      guard let address = requester.claimed else { return nil }
      life = Life(
        address: address, epoch: envelope.epoch, incarnation: assignment.incarnation, routingID: requester.routingID)
      (assignment.commandsPort, assignment.ticksPort, assignment.eventsPort) = (ports[1], ports[2], ports[3])
      told.body = .assignment(assignment)
    case .refusal, .welcome, .snapshot: break
    default: return nil
    }
    return (told, requester.routingID)
  }

  /// Whether the worker is told what motiond says on one of its topics.
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
