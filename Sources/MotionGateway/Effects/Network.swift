import ZeroMQ

/// Sockets that connect over the network, always with CURVE on both sides.
enum Network {
  /// The time limit of a handshake: over a bad line CURVE takes a second or two.
  static let handshakeTime = Duration.seconds(10)

  /// Sets the options for both ends of a connection.
  static func prepare<Kind>(_ socket: Socket<Kind>) throws(ZeroMQError) {
    try socket.set(.ipv6(true))
    // A machine that was switched off sends nothing: its connection is closed after this time.
    try socket.set(.heartbeatInterval(.seconds(10)))
    try socket.set(.heartbeatTimeout(.seconds(30)))
  }

  /// Listens for peers that the authenticator admits by a key.
  static func listen<Kind>(
    _ socket: Socket<Kind>, at endpoint: Endpoint, for domain: String, _ pair: CurveKeyFile,
    _ limit: SubscriptionLimit? = nil
  ) throws(ZeroMQError) {
    try socket.set(.zapDomain(domain))
    try socket.set(.curveServer(secretKey: pair.secretKey))
    try socket.set(.handshakeInterval(handshakeTime))
    // The number that may arrive at the same time; the kernel lets further ones wait.
    try socket.set(.backlog(64))
    try prepare(socket)
    try limit?.apply(to: socket, boundNextAt: endpoint)
    try socket.bind(endpoint)
  }
}
