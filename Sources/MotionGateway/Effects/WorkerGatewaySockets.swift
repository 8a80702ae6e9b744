import MotionModel
import MotionWire
import ZeroMQ

/// The sockets to which the worker connects: those that motiond has for workers, under the gateway's own keys.
struct WorkerSide {
  let link: RouterSocket
  let commands: PublishSocket
  let ticks: PublishSocket
  let events: SubscribeSocket

  /// Commands that wait for the worker: as many as one transaction has operations. Lost commands are repaired by a
  /// snapshot.
  static let commandsQueue = Limits.operationsPerTransaction
  /// Ticks that wait for the worker, which keeps only the newest.
  static let ticksQueue = 8
  /// Messages of one connection that wait to be processed.
  static let queue = 64
  /// The ZAP domain for the authenticator.
  static let domain = "worker"

  init(_ context: ZeroMQContext, _ settings: WorkerGatewaySettings) throws {
    let size = SocketOption.maxMessageSize(bytes: settings.limits.messageBytes)
    link = try RouterSocket(
      context, size, .sendHighWaterMark(Self.queue), .receiveHighWaterMark(Self.queue), .mandatoryRouting(true))
    // Subscriptions are received one at a time: see ``GatewaySockets``.
    commands = try PublishSocket(
      context, .sendHighWaterMark(Self.commandsQueue), .receiveHighWaterMark(2),
      .reportsAllSubscriptions(true))
    ticks = try PublishSocket(
      context, .sendHighWaterMark(Self.ticksQueue), .receiveHighWaterMark(2),
      .reportsAllSubscriptions(true))
    events = try SubscribeSocket(context, size, .receiveHighWaterMark(Self.queue))
    try Self.bind(link, 0, settings)
    let subscriptions = GatewayLimits.subscriptions(topics: GatewayLimits.topicsOfWorker)
    try Self.bind(commands, 1, settings, subscriptions)
    try Self.bind(ticks, 2, settings, subscriptions)
    try Self.bind(events, 3, settings)
  }

  private static func bind<Kind>(
    _ socket: Socket<Kind>, _ place: Int, _ settings: WorkerGatewaySettings, _ limit: SubscriptionLimit? = nil
  ) throws(ZeroMQError) {
    try Network.listen(socket, at: settings.listener[place], for: domain, settings.pair, limit)
  }
}

/// The sockets that are connected to motiond, as those of a worker on another machine.
struct MotiondSide {
  let link: DealerSocket
  let commands: SubscribeSocket
  let ticks: SubscribeSocket
  let events: PublishSocket

  /// Requests and events of the worker that wait while motiond does not receive them.
  static let queue = 1000

  init(_ context: ZeroMQContext, by poller: Poller, _ settings: WorkerGatewaySettings) throws(ZeroMQError) {
    let size = SocketOption.maxMessageSize(bytes: Limits.workerMessageBytes + Topic.longestBytes)
    // Queues only while motiond is connected: a message that waited for its return would be out of date.
    link = try DealerSocket(context, size, .sendHighWaterMark(WorkerSide.queue), .immediate(true))
    commands = try SubscribeSocket(context, size, .receiveHighWaterMark(WorkerSide.commandsQueue))
    ticks = try SubscribeSocket(context, .maxMessageSize(bytes: 4096), .receiveHighWaterMark(WorkerSide.ticksQueue))
    // A broken connection must become visible to the worker, as it would without a gateway. Without this option libzmq
    // keeps the subscriptions.
    events = try PublishSocket(
      context, .sendHighWaterMark(Self.queue), .reportsAllSubscriptions(true), .immediate(true))
    try Self.connect(link, 0, by: poller, settings)
    try Self.connect(commands, 1, by: poller, settings)
    try Self.connect(ticks, 2, by: poller, settings)
    try Self.connect(events, 3, by: poller, settings)
  }

  private static func connect<Kind>(
    _ socket: Socket<Kind>, _ place: Int, by poller: Poller, _ settings: WorkerGatewaySettings
  ) throws(ZeroMQError) {
    let (pair, server) = (settings.pair, settings.server)
    try socket.set(.curveClient(publicKey: pair.publicKey, secretKey: pair.secretKey, serverKey: server))
    try socket.set(.reconnectInterval(.milliseconds(100)))
    try socket.set(.reconnectIntervalMax(.seconds(1)))
    try socket.set(.connectTimeout(.seconds(2)))
    try Network.prepare(socket)
    try poller.connect(socket, to: settings.motiond[place])
  }
}
