import CLinux

/// What a connection to a publisher may subscribe to, enforced before libzmq reads it.
///
/// libzmq's XPUB adds subscriptions to its trie as fast as they come, some 35 bytes and 90 ns for each of theirs, before
/// they are reported: a ledger of what was reported is too late for a burst. The bytes are counted where libzmq takes
/// them from the socket, and a connection that sends more is closed there.
package struct SubscriptionLimit: Sendable {
  /// What says in ZMTP 3.1 that a command is a subscription (`SUBSCRIBE`).
  private static let commandBytes = 10
  /// The most bytes of a message over CURVE: the command that ends a handshake (INITIATE) has 257 and the peer's
  /// properties, one of which is an identity of up to 255.
  private static let curveBytes = 640
  /// What comes with a topic that is short enough for so many: the head of a frame, and `SUBSCRIBE`.
  private static let frameBytes = 2 + commandBytes
  /// What CURVE adds to each message: a name, a nonce, flags and an authenticator.
  private static let curveFrameBytes = 33
  /// The handshake.
  private static let handshakeBytes = 1024

  /// The topics at once.
  let topics: Int
  /// Their bytes at once.
  let bytes: Int
  /// The bytes of the longest.
  let longest: Int
  /// Bytes in each second after that, subscriptions that end included.
  let bytesPerSecond: Int

  /// A limit.
  package init(topics: Int, bytes: Int, longest: Int, bytesPerSecond: Int) {
    (self.topics, self.bytes, self.longest, self.bytesPerSecond) = (topics, bytes, longest, bytesPerSecond)
  }

  /// Limits connections to what a publisher binds next: at a Unix socket, or over CURVE at a port.
  package func apply<Kind>(to socket: Socket<Kind>, boundNextAt endpoint: Endpoint) throws(ZeroMQError) {
    if let path = endpoint.path {
      try socket.set(.maxMessageSize(bytes: longest + Self.commandBytes))
      let burst = topics * Self.frameBytes + bytes + Self.handshakeBytes
      motion_limit_received(path, 0, Int64(burst), Int64(bytesPerSecond))
    } else if let port = endpoint.port {
      try socket.set(.maxMessageSize(bytes: max(longest + Self.commandBytes + Self.curveFrameBytes, Self.curveBytes)))
      let burst = topics * (Self.frameBytes + Self.curveFrameBytes) + bytes + Self.handshakeBytes
      motion_limit_received(nil, port, Int64(burst), Int64(bytesPerSecond))
    }
  }
}
