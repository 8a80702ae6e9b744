import ZeroMQ

/// Sockets that reach over the network: always with CURVE on both sides.
enum Network {
  /// How long a connection may take to say who it is: over a bad line CURVE takes a second or two.
  static let handshakeTime = Duration.seconds(10)

  /// What holds at both ends.
  static func prepare<Kind>(_ socket: Socket<Kind>) throws(ZeroMQError) {
    try socket.set(.ipv6(true))
    // A machine that was switched off says nothing: after this long its connection has ended.
    try socket.set(.heartbeatInterval(.seconds(10)))
    try socket.set(.heartbeatTimeout(.seconds(30)))
  }

  /// Listens to whoever the authenticator lets in by a key.
  static func listen<Kind>(
    _ socket: Socket<Kind>, at endpoint: Endpoint, for domain: String, _ pair: CurveKeyFile,
    _ limit: SubscriptionLimit? = nil
  ) throws(ZeroMQError) {
    try socket.set(.zapDomain(domain))
    try socket.set(.curveServer(secretKey: pair.secretKey))
    try socket.set(.handshakeInterval(handshakeTime))
    // As many as may come at the same time; the kernel lets others wait.
    try socket.set(.backlog(64))
    try prepare(socket)
    try limit?.apply(to: socket, boundNextAt: endpoint)
    try socket.bind(endpoint)
  }
}
