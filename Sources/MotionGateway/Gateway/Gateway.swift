import LinuxSystem
public import Logging
import MotionModel
import MotionWire
import Synchronization
import ZeroMQ

/// Stands between untrusted clients and motiond. To the clients it behaves like motiond, to motiond it is a client.
///
/// No message is forwarded as received: every message is decoded, checked, and encoded again. All memory that libzmq
/// holds for untrusted clients is in this process, and is limited. When clients exhaust it, the process exits, and they
/// reconnect to the next one. The gateway holds no state that its exit could lose: clients resend requests, and motiond
/// recognizes them by their ids.
///
/// One thread does all work in turns, and sleeps when there is nothing to do.
public final class Gateway {
  let settings: GatewaySettings
  let logger: Logger
  let directory: GatewayDirectory
  let sockets: GatewaySockets
  let poller = Poller()
  let watched: Watched
  let timer: BootTimer
  let signals: GatewaySignals

  var admitted: AdmittedKeys
  var callers: CallerTable
  var waiting = WaitingRequests<Requester>()
  var budget: RuntimeBudget
  var forwarding: Forwarding
  var ledger: SubscriptionLedger
  /// Which types reach outside the machine.
  var types = KnownTypes()
  /// Topics of all targets with a subscriber, while the counts are not known.
  var undecided: Set<[UInt8]> = []
  var reports = ReportLimit(per: .seconds(1))
  var lastSerial: UInt64 = 0
  var replySequence: UInt64 = 0
  let answers = WaitingBytes()
  /// The incarnation for the gateway's own queries.
  let incarnation = UInt64.random(in: 1...UInt64.max)

  /// The requester of an answer from motiond.
  enum Requester {
    /// An untrusted client, with its own number of the request, and the rows that it was charged for.
    case caller(Caller, RoutingID, request: UInt64, rows: Int)
    /// The gateway itself.
    case own
  }

  /// The registrations of the poll.
  struct Watched {
    let signals: Poller.Registration
    let timer: Poller.Registration
    let admission: Poller.Registration
    let control: Poller.Registration
    let values: Poller.Registration
    let motiondControl: Poller.Registration
    let motiondValues: Poller.Registration
  }

  /// Requests and subscriptions received from one socket in one turn, so that answers and values get their turn.
  static let messagesPerTurn = 64
  /// Messages received from motiond in one turn.
  static let upstreamMessagesPerTurn = 512

  /// Binds the sockets and limits the process, which must be prepared. No client is served before ``run()``.
  ///
  /// - Throws: ``GatewayError`` and errors of sockets, with the remedy.
  public init(_ settings: GatewaySettings, logger: Logger) throws {
    (self.settings, self.logger) = (settings, logger)
    signals = try GatewaySignals()
    let now = BootClock.now
    directory = try GatewayDirectory(settings.own, access: settings.access)
    sockets = try GatewaySockets(
      directory, to: settings.motiond, by: poller, settings.limits, network: settings.network)
    timer = try BootTimer()
    admitted = AdmittedKeys(settings.network?.admitted ?? [])
    callers = CallerTable(settings.limits)
    budget = RuntimeBudget(settings.limits)
    forwarding = Forwarding(settings.limits, at: now)
    ledger = SubscriptionLedger(
      topics: settings.limits.topics, bytes: settings.limits.topics * Topic.longestSubscription)
    watched = Watched(
      signals: poller.add(descriptor: signals.descriptor), timer: poller.add(descriptor: timer.descriptor),
      admission: poller.add(sockets.authenticator.socket), control: poller.add(sockets.control),
      values: poller.add(sockets.values), motiondControl: poller.add(sockets.motiondControl, [.readable, .writable]),
      motiondValues: poller.add(sockets.motiondValues))
    try GatewayProcess.bound(
      memory: settings.limits.memory, connections: settings.limits.connections)
    try directory.openSockets()
  }

  /// Serves until TERM or INT arrives. On HUP it reads the admitted keys again.
  public func run() throws {
    logger.info("serving untrusted clients in \(settings.own.directory), for motiond in \(settings.motiond.directory)")
    if let network = settings.network {
      logger.info("serving \(admitted.count) keys at \(network.endpoints[0])")
    }
    try poller.serve(waking: timer, at: { nextDeadline(at: BootClock.now) }, turn: turn)
    directory.removeSockets()
    logger.info("stopped")
  }

  /// - Returns: whether to go on.
  private func turn(at now: Duration) throws -> Bool {
    if poller.isReadable(watched.signals), !obey(signals) { return false }
    if poller.isReadable(watched.timer) { timer.acknowledge() }
    try admit()
    if poller.isWritable(watched.motiondControl) {
      // Connected to motiond: query now what the first request needs.
      poller.modify(watched.motiondControl, .readable)
      budget.reachedMotiond()
      askForStatus(at: now)
    }
    receiveFromMotiond(at: now)
    receiveRequests(at: now)
    receiveSubscriptions(at: now)
    decide(at: now)
    forward(at: now)
    for requester in waiting.givenUp(at: now) {
      if case .caller(let caller, _, _, _) = requester { callers.waits(caller, -1) }
    }
    return true
  }

  private func nextDeadline(at now: Duration) -> Duration? {
    let question = undecided.isEmpty ? nil : budget.nextQuestion
    return [waiting.nextDeadline, forwarding.nextTime(at: now), question].compactMap { $0 }.min()
  }

  /// Answers libzmq's authentication requests, and names the admitted connections.
  private func admit() throws {
    guard poller.isReadable(watched.admission) else { return }
    while let (ticket, request) = try sockets.authenticator.next() {
      guard let peer = peer(of: request) else {
        try sockets.authenticator.answer(ticket, .refused("this gateway cannot identify the peer"))
        continue
      }
      lastSerial += 1
      try sockets.authenticator.answer(ticket, .admitted(as: PeerName(peer, serial: lastSerial)))
    }
  }

  /// The peer of an authentication request, if it may connect: any process that could open the sockets in the
  /// directory, or the holder of an admitted key.
  private func peer(of request: AuthenticationRequest) -> PeerName.Peer? {
    if case .curve(let key) = request.proof { return admitted.allows(.key(key)) ? .key(key) : nil }
    return request.localPeer.map { .process($0) }
  }
}
