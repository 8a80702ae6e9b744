import Logging
import MotionModel
import MotionWire
import ZeroMQ

/// The coordinator's sockets, bound and with every bound on their queues.
final class Sockets {
  let context: ZeroMQContext
  /// Decides who may connect to them; `nil` where nobody can but this process.
  let admission: AdmissionThread?
  let control: RouterSocket
  let values: PublishSocket
  let link: RouterSocket
  let commands: PublishSocket
  let ticks: PublishSocket
  let events: SubscribeSocket
  /// What listening to other machines takes, if somebody wants that.
  let doors: RemoteDoors?
  /// Where other machines are listened to, by the address that was asked for.
  var bound: [Endpoint: Endpoint] = [:]

  /// Requests that one client may have waiting, and answers; it asks again after its own time-out. Long answers are
  /// bounded besides (``AnswerBudget``).
  static let controlQueue = 1000
  /// Values for one subscriber, in messages of at most 64 KiB (``Publisher/messageBytes``): 2 s at 1 kHz of a topic
  /// that fits in one, so that a short stop of a reader is no loss.
  ///
  /// **The worst case is 128 MiB for a subscriber that does not read**, and what the kernel holds (208 KB). Subscribers
  /// that stopped at the same time on the same topics share these bytes. How many subscribers there are is bounded by
  /// descriptors alone. It is also the most that one subscription can be told at once: names and velocities of 1.5
  /// million properties of two lanes; whoever wants more subscribes target by target.
  ///
  /// libzmq has nothing better to offer: it counts messages and not bytes; a mark that is lowered while a queue is in
  /// use can leave its writer waiting for ever for a reader that has read everything (a reader tells of what it has
  /// read only once per half of the old mark); and ZMTP's heartbeats are not sent to a peer whose connection is full.
  static let valuesQueue = 2048
  /// Topics of one connection: a wall of 10,000 screens that one program draws has as many.
  static let topicsOfSubscriber = 16_384
  /// What these may have in bytes: 32 each, of which libzmq makes 20 MB, or 29 MB if they are few and long.
  static let topicBytesOfSubscriber = 32 * topicsOfSubscriber
  /// What the topics of all connections may have in bytes, each counted once: 4 full ones, of which libzmq makes 80 MB.
  static let topicBytesOfAll = 4 * topicBytesOfSubscriber
  /// What a connection may always have of it, whatever others have: 256 topics of 64 bytes.
  static let topicBytesOfEach = 16_384
  /// Topics of one connection of a worker's: it has one on each of two sockets, and those of lives before.
  static let topicsOfWorker = 16
  /// What these may have in bytes.
  static let topicBytesOfWorker = Topic.longestBytes * topicsOfWorker
  /// Subscriptions of one peer that wait to be heard: libzmq takes up all that are there in one go, on the loop, and
  /// 100,000 of them held it for half a second. Of one at a time it finds the next one only later. The other place is taken
  /// for ever, by what libzmq says of an admitted peer before its first word.
  static let subscriptionsQueue = 2
  /// The longest request or answer of a worker: a description of its streams, with room for its envelope. It is decoded on
  /// the loop.
  static let linkMessageBytes = Limits.streamReportBytes + 65_536
  /// Requests of one worker: it has one open at a time, and repeats it.
  static let linkQueue = 1000
  /// Commands for one worker: as many as one transaction has operations, for a burst must not cost a snapshot.
  static let commandsQueue = 100_000
  /// What connections to the values may subscribe to at once, and then in a second: a thousand topics.
  static let ofClients = SubscriptionLimit(
    topics: topicsOfSubscriber, bytes: topicBytesOfSubscriber, longest: Topic.longestSubscription,
    bytesPerSecond: 65_536)
  /// What connections of workers may: some for each life.
  static let ofWorkers = SubscriptionLimit(
    topics: topicsOfWorker, bytes: topicBytesOfWorker, longest: Topic.longestSubscription, bytesPerSecond: 4096)
  /// Ticks for one worker, which keeps only the newest anyway.
  static let ticksQueue = 8
  /// Updates of one worker: 2 s at 1 kHz.
  static let eventsQueue = 2000

  /// How long a new connection may take to say who it is; libzmq's own 30 s let strangers hold descriptors for longer.
  /// Over a bad line CURVE takes a second or two.
  static let handshakeTime = Duration.seconds(10)

  /// - Parameters:
  ///   - clients: who may be one.
  ///   - doors: where other machines are listened to, if at all.
  ///   - cpu: the processor to which libzmq's threads keep, if any.
  init(
    _ directory: RuntimeDirectory, clients: AllowedClients, doors: RemoteDoors? = nil, cpu: Int? = nil, logger: Logger
  ) throws {
    self.doors = doors
    let isAsked = DescriptorLimit.limitConnections(
      of: DescriptorLimit.now, workersIn: directory.workers, listensToNetwork: doors != nil)
    if !isAsked {
      logger.warning("libzmq accepts connections past motiond: too many of them would end it")
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

  /// Listens at some of the directory's endpoints, at the start, and once more when their files are gone.
  ///
  /// What was listened at before stays with libzmq: in it, connections belong to the listener that accepted them.
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

  /// Listens, and asks the authenticator about everybody who comes: libzmq remembers with each address which domain the
  /// socket had when it was bound.
  private func bind<Kind>(
    _ socket: Socket<Kind>, _ endpoint: Endpoint, of directory: RuntimeDirectory, for domain: AdmissionDomain
  ) throws {
    try socket.set(.zapDomain(domain.rawValue))
    try socket.set(.handshakeInterval(Self.handshakeTime))
    if doors != nil {
      // Not as those who come over the network, for whom the socket may be bound already.
      try socket.set(.withoutCurve)
      try socket.set(.heartbeatInterval(.zero))
    }
    if let file = try directory.listen(at: endpoint) { try socket.bind(file) } else { try socket.bind(endpoint) }
  }
}
