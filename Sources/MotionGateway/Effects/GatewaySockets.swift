import MotionModel
import MotionWire
import ZeroMQ

/// The gateway's sockets: two for strangers, two at motiond's.
struct GatewaySockets {
  let context: ZeroMQContext
  /// Names every connection of strangers.
  let authenticator: Authenticator
  let control: RouterSocket
  let values: PublishSocket
  let motiondControl: DealerSocket
  let motiondValues: SubscribeSocket

  /// Messages of motiond's that wait to be passed on: 64 MiB at worst.
  static let upstreamQueue = 1024
  /// How long a connection may take to say who it is: over ipc that takes no time.
  static let handshakeTime = Duration.seconds(5)

  /// The domain of those who come over the network.
  static let remoteDomain = "strangers-tcp"

  init(
    _ directory: GatewayDirectory, to motiond: RuntimePaths, by poller: Poller, _ limits: GatewayLimits,
    network: NetworkDoor? = nil
  ) throws {
    context = try ZeroMQContext(maxSockets: 64)
    authenticator = try Authenticator(context)
    // Four times the longest request is heard and refused in words; whoever says more is hung up on by libzmq.
    control = try RouterSocket(
      context, .sendHighWaterMark(GatewayLimits.answersQueue), .receiveHighWaterMark(limits.requestsWaiting),
      .maxMessageSize(bytes: 4 * limits.requestBytes), .mandatoryRouting(true))
    // libzmq takes up all subscriptions that are there in one go; of one at a time it finds the next only later. The
    // other place is taken by what it says of a peer before its first word.
    values = try PublishSocket(
      context, .sendHighWaterMark(GatewayLimits.valuesQueue), .receiveHighWaterMark(2),
      .reportsAllSubscriptions(true), .reportsAllUnsubscriptions(true))
    // Only for a motiond that is there: what waits for one to come would be of the past by then.
    motiondControl = try DealerSocket(
      context, .sendHighWaterMark(limits.allRequestsWaiting), .maxMessageSize(bytes: Limits.clientMessageBytes),
      .immediate(true))
    motiondValues = try SubscribeSocket(
      context, .sendHighWaterMark(2 * limits.allTopics), .receiveHighWaterMark(Self.upstreamQueue),
      .maxMessageSize(bytes: Limits.publishedBytes))
    try Self.bind(control, directory.control)
    let subscriptions = GatewayLimits.subscriptions(topics: limits.topics)
    try subscriptions.apply(to: values, boundNextAt: directory.values)
    try Self.bind(values, directory.values)
    if let network {
      // These options count for what is bound from now on.
      try Network.listen(control, at: network.endpoints[0], for: Self.remoteDomain, network.pair)
      try Network.listen(values, at: network.endpoints[1], for: Self.remoteDomain, network.pair, subscriptions)
    }
    try poller.connect(motiondControl, to: .ipc(motiond.controlSocket))
    try poller.connect(motiondValues, to: .ipc(motiond.valuesSocket))
  }

  private static func bind<Kind>(_ socket: Socket<Kind>, _ endpoint: Endpoint) throws(ZeroMQError) {
    try socket.set(.zapDomain("strangers"))
    try socket.set(.handshakeInterval(handshakeTime))
    // As many as may come at the same time; the kernel lets others wait.
    try socket.set(.backlog(64))
    try socket.bind(endpoint)
  }
}
