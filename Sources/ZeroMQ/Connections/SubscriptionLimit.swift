import CLinux

/// Limits the subscriptions of a connection to a publisher, before libzmq reads them.
///
/// libzmq's XPUB adds subscriptions to its trie as fast as they arrive, at about 35 bytes of memory and 90 ns for each
/// of their bytes, and reports them only afterwards. A count of reported subscriptions is therefore too late for a
/// burst. The bytes are counted where libzmq reads them from the socket, and a connection that exceeds the limit is
/// closed there.
package struct SubscriptionLimit: Sendable {
  /// The bytes that mark a command of ZMTP 3.1 as a subscription (`SUBSCRIBE`).
  private static let commandBytes = 10
  /// The longest message over CURVE: the command that ends a handshake (INITIATE) has 257 bytes and the peer's
  /// properties, one of which is an identity of up to 255.
  private static let curveBytes = 640
  /// The overhead of each short topic: the frame header, and `SUBSCRIBE`.
  private static let frameBytes = 2 + commandBytes
  /// The overhead of CURVE for each message: a name, a nonce, flags and an authenticator.
  private static let curveFrameBytes = 33
  /// The bytes of the handshake.
  private static let handshakeBytes = 1024

  /// The number of topics in a burst.
  let topics: Int
  /// The bytes of the topics in a burst.
  let bytes: Int
  /// The bytes of the longest topic.
  let longest: Int
  /// The bytes in each second after the burst, unsubscriptions included.
  let bytesPerSecond: Int

  /// A limit.
  package init(topics: Int, bytes: Int, longest: Int, bytesPerSecond: Int) {
    (self.topics, self.bytes, self.longest, self.bytesPerSecond) = (topics, bytes, longest, bytesPerSecond)
  }

  /// Limits the connections to the address that the publisher binds next: a Unix socket, or a port with CURVE.
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
