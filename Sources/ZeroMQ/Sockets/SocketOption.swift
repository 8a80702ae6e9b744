import CZeroMQ
import LinuxSystem

/// An option of a socket, with its unit in its type.
public enum SocketOption: Hashable, Sendable, CustomStringConvertible {
  /// Messages queued for one peer; 0 is no limit. Above it a publisher drops messages, other kinds block.
  case sendHighWaterMark(Int)
  /// Received messages queued from one peer; 0 is no limit.
  case receiveHighWaterMark(Int)
  /// How long a closed socket continues to send; `nil` is for ever.
  case linger(Duration?)
  /// The longest message that is received, in bytes. A longer one closes its sender's connection. The limit applies to
  /// one part, not to all.
  case maxMessageSize(bytes: Int)
  /// An XPUB reports every subscription, not only the first of equal ones. Set it before bind.
  case reportsAllSubscriptions(Bool)
  /// An XPUB reports every unsubscription, too.
  case reportsAllUnsubscriptions(Bool)
  /// A ROUTER returns `unroutable` for an unknown peer instead of dropping the message.
  case mandatoryRouting(Bool)
  /// Queues messages only for connected peers.
  case immediate(Bool)
  /// The routing id of this socket at a router: 1 to 255 bytes, the first not zero.
  case routingID([UInt8])
  /// The first delay before a reconnect.
  case reconnectInterval(Duration)
  /// The longest delay; each attempt doubles it up to this value.
  case reconnectIntervalMax(Duration)
  /// The timeout of a connection attempt, after which it is retried.
  case connectTimeout(Duration)
  /// The timeout of a handshake.
  case handshakeInterval(Duration)
  /// The interval of ZMTP heartbeats; zero turns them off.
  case heartbeatInterval(Duration)
  /// The time without a heartbeat answer after which the connection counts as lost.
  case heartbeatTimeout(Duration)
  /// Connections that wait to be accepted.
  case backlog(Int)
  /// Uses IPv6 addresses besides IPv4.
  case ipv6(Bool)
  /// TCP keep-alive.
  case tcpKeepAlive(Bool)
  /// The domain in requests to an authenticator (ZAP). Without it, a NULL socket sends no request. With it, and without
  /// an authenticator, no connection is admitted. Applies to later binds.
  case zapDomain(String)
  /// This side authenticates itself with a CURVE key, as the server.
  case curveServer(secretKey: CurveKey)
  /// Takes ``curveServer(secretKey:)`` back for later binds: no side authenticates itself by a key.
  case withoutCurve
  /// The descriptor of a socket that listens already, for later binds; -1 for none. libzmq closes the descriptor at the
  /// end, and does not remove the file of a Unix socket.
  case listener(Int32)
  /// This side authenticates itself with a CURVE key, as the client, which also has the server's public key.
  case curveClient(publicKey: CurveKey, secretKey: CurveKey, serverKey: CurveKey)

  /// Sets the option; returns libzmq's status.
  func apply(to socket: UnsafeMutableRawPointer) -> Int32 {
    switch self {
    case .sendHighWaterMark(let messages): set(socket, ZMQ_SNDHWM, messages)
    case .receiveHighWaterMark(let messages): set(socket, ZMQ_RCVHWM, messages)
    case .linger(let duration): set(socket, ZMQ_LINGER, duration.map(\.wholeMilliseconds) ?? -1)
    case .maxMessageSize(let bytes): set(socket, ZMQ_MAXMSGSIZE, Int64(bytes))
    case .reportsAllSubscriptions(let on): set(socket, ZMQ_XPUB_VERBOSE, on ? 1 : 0)
    case .reportsAllUnsubscriptions(let on): set(socket, ZMQ_XPUB_VERBOSER, on ? 1 : 0)
    case .mandatoryRouting(let on): set(socket, ZMQ_ROUTER_MANDATORY, on ? 1 : 0)
    case .immediate(let on): set(socket, ZMQ_IMMEDIATE, on ? 1 : 0)
    case .routingID(let bytes): zmq_setsockopt(socket, ZMQ_ROUTING_ID, bytes, bytes.count)
    case .reconnectInterval(let duration): set(socket, ZMQ_RECONNECT_IVL, duration.wholeMilliseconds)
    case .reconnectIntervalMax(let duration): set(socket, ZMQ_RECONNECT_IVL_MAX, duration.wholeMilliseconds)
    case .connectTimeout(let duration): set(socket, ZMQ_CONNECT_TIMEOUT, duration.wholeMilliseconds)
    case .handshakeInterval(let duration): set(socket, ZMQ_HANDSHAKE_IVL, duration.wholeMilliseconds)
    case .heartbeatInterval(let duration): set(socket, ZMQ_HEARTBEAT_IVL, duration.wholeMilliseconds)
    case .heartbeatTimeout(let duration): set(socket, ZMQ_HEARTBEAT_TIMEOUT, duration.wholeMilliseconds)
    case .backlog(let connections): set(socket, ZMQ_BACKLOG, connections)
    case .ipv6(let on): set(socket, ZMQ_IPV6, on ? 1 : 0)
    case .tcpKeepAlive(let on): set(socket, ZMQ_TCP_KEEPALIVE, on ? 1 : 0)
    // Enforced, because libzmq would otherwise admit all peers while there is no authenticator.
    case .zapDomain(let domain):
      set(socket, ZMQ_ZAP_DOMAIN, domain) == 0 ? set(socket, enforceDomain, 1) : -1
    case .curveServer(let secretKey): setCurve(socket, [(ZMQ_CURVE_SECRETKEY, secretKey)], isServer: true)
    case .withoutCurve: set(socket, ZMQ_CURVE_SERVER, 0)
    case .listener(let descriptor): set(socket, ZMQ_USE_FD, Int(descriptor))
    case .curveClient(let publicKey, let secretKey, let serverKey):
      setCurve(
        socket,
        [(ZMQ_CURVE_PUBLICKEY, publicKey), (ZMQ_CURVE_SECRETKEY, secretKey), (ZMQ_CURVE_SERVERKEY, serverKey)],
        isServer: false)
    }
  }

  /// Its name and value; secrets are hidden.
  public var description: String {
    switch self {
    case .curveServer: "curveServer"
    case .curveClient: "curveClient"
    case .sendHighWaterMark(let messages): "sendHighWaterMark(\(messages))"
    case .receiveHighWaterMark(let messages): "receiveHighWaterMark(\(messages))"
    case .maxMessageSize(let bytes): "maxMessageSize(\(bytes))"
    default:
      // A mirror, because `String(reflecting:)` would call this description again, without end.
      Mirror(reflecting: self).children.first.map { "\($0.label ?? "option")(\($0.value))" } ?? "option"
    }
  }

  private func set(_ socket: UnsafeMutableRawPointer, _ option: Int32, _ value: Int) -> Int32 {
    var value = Int32(clamping: value)
    return zmq_setsockopt(socket, option, &value, MemoryLayout<Int32>.size)
  }

  private func set(_ socket: UnsafeMutableRawPointer, _ option: Int32, _ value: Int64) -> Int32 {
    var value = value
    return zmq_setsockopt(socket, option, &value, MemoryLayout<Int64>.size)
  }

  private func set(_ socket: UnsafeMutableRawPointer, _ option: Int32, _ text: String) -> Int32 {
    zmq_setsockopt(socket, option, text, text.utf8.count)
  }

  private func setCurve(_ socket: UnsafeMutableRawPointer, _ keys: [(Int32, CurveKey)], isServer: Bool) -> Int32 {
    if isServer, set(socket, ZMQ_CURVE_SERVER, 1) != 0 { return -1 }
    for (option, key) in keys where zmq_setsockopt(socket, option, key.bytes, key.bytes.count) != 0 { return -1 }
    return 0
  }
}

/// `ZMQ_ZAP_ENFORCE_DOMAIN`: supported by every libzmq since 4.3.0, though its header lists it among the drafts.
private let enforceDomain: Int32 = 93
