import MotionModel
import MotionWire
import ZeroMQ

/// The gateway's sockets: two for untrusted clients, two connected to motiond.
struct GatewaySockets {
  /// Their registrations with the poller.
  struct Watched {
    let control: Poller.Registration
    let values: Poller.Registration
    let motiondControl: Poller.Registration
    let motiondValues: Poller.Registration
  }

  private let context: ZeroMQContext
  /// Names every connection of untrusted clients.
  var admission: ConnectionAdmission
  let control: RouterSocket
  let values: PublishSocket
  let motiondControl: DealerSocket
  let motiondValues: SubscribeSocket
  let watched: Watched

  /// Messages from motiond that wait to be forwarded: 64 MiB at most.
  static let upstreamQueue = 1024
  /// The time limit of a handshake: over ipc a handshake takes almost no time.
  static let handshakeTime = Duration.seconds(5)

  /// The ZAP domain of clients that connect over the network.
  static let remoteDomain = "strangers-tcp"

  init(
    _ directory: GatewayDirectory, to motiond: RuntimePaths, by poller: Poller, _ limits: GatewayLimits,
    network: NetworkDoor? = nil
  ) throws {
    context = try ZeroMQContext(maxSockets: 64)
    admission = try ConnectionAdmission(context, in: poller)
    // A message of up to four times the request limit is received and refused with the reason. libzmq closes the
    // connection of a longer one.
    control = try RouterSocket(
      context, .sendHighWaterMark(GatewayLimits.answersQueue), .receiveHighWaterMark(limits.requestsWaiting),
      .maxMessageSize(bytes: 4 * limits.requestBytes), .mandatoryRouting(true))
    // libzmq processes all pending subscriptions in one go. With room for a single one, it reads the next only later.
    // The second place is taken by its report about a peer before the peer's first message.
    values = try PublishSocket(
      context, .sendHighWaterMark(GatewayLimits.valuesQueue), .receiveHighWaterMark(2),
      .reportsAllSubscriptions(true), .reportsAllUnsubscriptions(true))
    // Queues only while motiond is connected: a message that waited for its return would be out of date.
    motiondControl = try DealerSocket(
      context, .sendHighWaterMark(limits.allRequestsWaiting), .maxMessageSize(bytes: Limits.clientMessageBytes),
      .immediate(true))
    motiondValues = try SubscribeSocket(
      context, .sendHighWaterMark(2 * limits.allTopics), .receiveHighWaterMark(Self.upstreamQueue),
      .maxMessageSize(bytes: Limits.publishedBytes))
    watched = Watched(
      control: poller.add(control), values: poller.add(values),
      motiondControl: poller.add(motiondControl, [.readable, .writable]), motiondValues: poller.add(motiondValues))
    try Self.bind(control, directory.control)
    let subscriptions = GatewayLimits.subscriptions(topics: limits.topics)
    try subscriptions.apply(to: values, boundNextAt: directory.values)
    try Self.bind(values, directory.values)
    if let network {
      // These options apply to later binds.
      try Network.listen(control, at: network.endpoints[0], for: Self.remoteDomain, network.pair)
      try Network.listen(values, at: network.endpoints[1], for: Self.remoteDomain, network.pair, subscriptions)
    }
    try poller.connect(motiondControl, to: .ipc(motiond.controlSocket))
    try poller.connect(motiondValues, to: .ipc(motiond.valuesSocket))
  }

  private static func bind<Kind>(_ socket: Socket<Kind>, _ endpoint: Endpoint) throws(ZeroMQError) {
    try socket.set(.zapDomain("strangers"))
    try socket.set(.handshakeInterval(handshakeTime))
    // The number that may arrive at the same time; the kernel lets further ones wait.
    try socket.set(.backlog(64))
    try socket.bind(endpoint)
  }
}
