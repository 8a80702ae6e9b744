import Logging
import MotionModel
import MotionWire
import ZeroMQ

/// The coordinator's sockets, bound, each with a limit on its queues.
final class Sockets {
  let context: ZeroMQContext
  /// Decides which peers may connect; `nil` where only this process can.
  let admission: AdmissionThread?
  let control: RouterSocket
  let values: PublishSocket
  let link: RouterSocket
  let commands: PublishSocket
  let ticks: PublishSocket
  let events: SubscribeSocket
  /// The keys and listeners for other machines, if they are configured.
  var doors: RemoteDoors?
  /// The addresses bound for other machines, by the configured address.
  var bound: [Endpoint: Endpoint] = [:]

  /// Requests, and answers, that may wait for one client; it retries after its own timeout. Long answers are bounded
  /// besides (``AnswerBudget``).
  static let controlQueue = 1000
  /// Values for one subscriber, in messages of at most 64 KiB (``Publisher/messageBytes``): 2 s at 1 kHz of a topic
  /// that fits in one, so that a short stop of a reader is no loss.
  ///
  /// **The worst case is 128 MiB for a subscriber that does not read**, and the kernel's own buffer (208 KB).
  /// Subscribers that stopped at the same time on the same topics share these bytes. The number of subscribers is
  /// bounded by descriptors alone. This is also the most that can be sent at once for one subscription: names and
  /// velocities of 1.5 million properties of two lanes. A client that needs more subscribes target by target.
  ///
  /// libzmq offers no better limit. It counts messages and not bytes. If a mark is lowered while a queue is in use, its
  /// writer can wait for ever for a reader that has read everything: a reader reports its progress only once per half
  /// of the old mark. ZMTP's heartbeats are not sent to a peer whose connection is full.
  static let valuesQueue = 2048
  /// Topics of one connection: a wall of 10,000 screens drawn by one program has as many.
  static let topicsOfSubscriber = 16_384
  /// The most bytes of these topics: 32 each, of which libzmq makes 20 MB, or 29 MB if they are few and long.
  static let topicBytesOfSubscriber = 32 * topicsOfSubscriber
  /// The most bytes of the topics of all connections, each counted once: 4 full ones, of which libzmq makes 80 MB.
  static let topicBytesOfAll = 4 * topicBytesOfSubscriber
  /// The bytes that each connection may always have, whatever others have: 256 topics of 64 bytes.
  static let topicBytesOfEach = 16_384
  /// Topics of one connection of a worker: it has one on each of two sockets, and those of earlier lives.
  static let topicsOfWorker = 16
  /// The most bytes of these topics.
  static let topicBytesOfWorker = Topic.longestBytes * topicsOfWorker
  /// Subscriptions of one peer that wait to be received. libzmq takes up all that have arrived in one go, on the loop,
  /// and 100,000 of them held it for half a second. With one at a time it finds the next one only later. The other
  /// place is permanently taken by the message that libzmq sends for an admitted peer before the peer's first message.
  static let subscriptionsQueue = 2
  /// The longest request or answer of a worker: a description of its streams, with room for its envelope. It is decoded
  /// on the loop.
  static let linkMessageBytes = Limits.streamReportBytes + 65_536
  /// Requests of one worker: it has one open at a time, and resends it.
  static let linkQueue = 1000
  /// Commands for one worker: as many as one transaction has operations, for a burst must not cost a snapshot.
  static let commandsQueue = 100_000
  /// The subscriptions that a client's connection may make at once, and then in a second: a thousand topics.
  static let ofClients = SubscriptionLimit(
    topics: topicsOfSubscriber, bytes: topicBytesOfSubscriber, longest: Topic.longestSubscription,
    bytesPerSecond: 65_536)
  /// The subscriptions that a worker's connection may make: some for each life.
  static let ofWorkers = SubscriptionLimit(
    topics: topicsOfWorker, bytes: topicBytesOfWorker, longest: Topic.longestSubscription, bytesPerSecond: 4096)
  /// Ticks for one worker, which keeps only the newest anyway.
  static let ticksQueue = 8
  /// Updates of one worker: 2 s at 1 kHz.
  static let eventsQueue = 2000

  /// The handshake timeout of a new connection; libzmq's own 30 s let strangers hold descriptors for longer. Over a bad
  /// line CURVE takes a second or two.
  static let handshakeTime = Duration.seconds(10)

  /// - Parameters:
  ///   - clients: the clients that are allowed to connect.
  ///   - doors: the keys and listeners for other machines, if any.
  ///   - cpu: the processor to which libzmq's threads are pinned, if any.
  init(
    _ directory: RuntimeDirectory, clients: AllowedClients, doors: RemoteDoors? = nil, cpu: Int? = nil, logger: Logger
  ) throws {
    self.doors = doors
    let isAsked = DescriptorLimit.limitConnections(
      of: DescriptorLimit.now, workersIn: directory.workers, listensToNetwork: doors != nil)
    if !isAsked {
      logger.warning("motiond cannot limit the connections that libzmq accepts: too many of them would end it")
    }
    context = try ZeroMQContext(maxSockets: 64, cpu: cpu.map { Int32(clamping: $0) })
    var rules = Admission(clients: clients)
    rules.keys = doors?.keys ?? AuthorizedKeys()
    admission = directory.sockets == .files ? try AdmissionThread(context, rules, logger: logger) : nil
    control = try RouterSocket(
      context, .sendHighWaterMark(Self.controlQueue), .receiveHighWaterMark(Self.controlQueue),
      .maxMessageSize(bytes: Limits.clientMessageBytes), .mandatoryRouting(true))
    values = try PublishSocket(
      context, .sendHighWaterMark(Self.valuesQueue), .receiveHighWaterMark(Self.subscriptionsQueue),
      .reportsAllSubscriptions(true), .reportsAllUnsubscriptions(true))
    link = try RouterSocket(
      context, .sendHighWaterMark(Self.linkQueue), .receiveHighWaterMark(Self.linkQueue),
      .maxMessageSize(bytes: Self.linkMessageBytes), .mandatoryRouting(true))
    commands = try PublishSocket(
      context, .sendHighWaterMark(Self.commandsQueue), .receiveHighWaterMark(Self.subscriptionsQueue),
      .reportsAllSubscriptions(true), .reportsAllUnsubscriptions(true))
    ticks = try PublishSocket(
      context, .sendHighWaterMark(Self.ticksQueue), .receiveHighWaterMark(Self.subscriptionsQueue),
      .reportsAllSubscriptions(true), .reportsAllUnsubscriptions(true))
    events = try SubscribeSocket(
      context, .receiveHighWaterMark(Self.eventsQueue), .maxMessageSize(bytes: Limits.workerMessageBytes))
    try listen(at: directory.all, of: directory)
    try openRemote()
  }

  /// Listens at some of the directory's endpoints: at the start, and again when their files are gone.
  ///
  /// Earlier listeners stay open in libzmq, where connections belong to the listener that accepted them.
  func listen(at endpoints: [Endpoint], of directory: RuntimeDirectory) throws {
    for endpoint in endpoints {
      switch endpoint {
      case directory.control: try bind(control, endpoint, of: directory, for: .clients)
      case directory.values:
        try Self.ofClients.apply(to: values, boundNextAt: endpoint)
        try bind(values, endpoint, of: directory, for: .clients)
      case directory.link: try bind(link, endpoint, of: directory, for: .workers)
      case directory.commands:
        try Self.ofWorkers.apply(to: commands, boundNextAt: endpoint)
        try bind(commands, endpoint, of: directory, for: .workers)
      case directory.ticks:
        try Self.ofWorkers.apply(to: ticks, boundNextAt: endpoint)
        try bind(ticks, endpoint, of: directory, for: .workers)
      case directory.events: try bind(events, endpoint, of: directory, for: .workers)
      default: preconditionFailure("\(endpoint) is none of \(directory.path)")
      }
    }
  }

  /// Binds the endpoint, and lets the authenticator decide about every peer: libzmq stores with each address the domain
  /// that the socket had when it was bound.
  private func bind<Kind>(
    _ socket: Socket<Kind>, _ endpoint: Endpoint, of directory: RuntimeDirectory, for domain: AdmissionDomain
  ) throws {
    try socket.set(.zapDomain(domain.rawValue))
    try socket.set(.handshakeInterval(Self.handshakeTime))
    if doors != nil {
      // Without the options of peers over the network, for which the socket may be bound already.
      try socket.set(.withoutCurve)
      try socket.set(.heartbeatInterval(.zero))
    }
    if let file = try directory.listen(at: endpoint) { try socket.bind(file) } else { try socket.bind(endpoint) }
  }
}
