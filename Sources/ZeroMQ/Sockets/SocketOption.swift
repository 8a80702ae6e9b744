import CZeroMQ
import LinuxSystem

/// An option of a socket, with its unit in its type.
public enum SocketOption: Hashable, Sendable, CustomStringConvertible {
  /// Messages that wait to be sent to one peer; 0 is no limit. A publisher drops what is over, others would block.
  case sendHighWaterMark(Int)
  /// Messages that wait to be received from one peer; 0 is no limit.
  case receiveHighWaterMark(Int)
  /// How long closing goes on sending; `nil` is for ever.
  case linger(Duration?)
  /// Bytes of a message that is received; a longer one ends its sender's connection. One part counts, not all.
  case maxMessageSize(bytes: Int)
  /// An XPUB reports every subscription, not just the first of equal ones. Set before bind.
  case reportsAllSubscriptions(Bool)
  /// An XPUB reports the end of every subscription too.
  case reportsAllUnsubscriptions(Bool)
  /// A ROUTER says `unroutable` for an unknown peer instead of dropping the message.
  case mandatoryRouting(Bool)
  /// Queue only for peers that are connected.
  case immediate(Bool)
  /// The routing id by which a router will know this socket: 1 to 255 bytes, the first not zero.
  case routingID([UInt8])
  /// The first wait before a lost connection is tried again.
  case reconnectInterval(Duration)
  /// The longest wait; each try doubles it up to here.
  case reconnectIntervalMax(Duration)
  /// How long a connection may take to come about before it is tried again.
  case connectTimeout(Duration)
  /// How long a new connection may take to say who it is.
  case handshakeInterval(Duration)
  /// How often ZMTP asks whether the peer is there; zero is never.
  case heartbeatInterval(Duration)
  /// How long without an answer until the connection counts as lost.
  case heartbeatTimeout(Duration)
  /// Connections that may wait to be accepted.
  case backlog(Int)
  /// Addresses of IPv6 besides those of IPv4.
  case ipv6(Bool)
  /// TCP's own keep-alive.
  case tcpKeepAlive(Bool)
  /// The domain that is told to an authenticator (ZAP); set it, or a NULL socket asks nobody. Without an authenticator
  /// nobody is let in then. Counts for what is bound afterwards.
  case zapDomain(String)
  /// This side proves who it is with a CURVE key: the server's.
  case curveServer(secretKey: CurveKey)
  /// Nobody proves who he is by a key: takes ``curveServer(secretKey:)`` back for what is bound afterwards.
  case withoutCurve
  /// The descriptor of a socket that listens already, for what is bound afterwards; -1 for none. libzmq then closes the
  /// descriptor at the end, and leaves the file of a Unix socket to whoever made it.
  case listener(Int32)
  /// This side proves who it is with a CURVE key: the client's, which also knows the server's public key.
  case curveClient(publicKey: CurveKey, secretKey: CurveKey, serverKey: CurveKey)

  /// Sets it; returns libzmq's status.
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
    // Enforced, because libzmq would by itself admit everybody as long as there is no authenticator.
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

  /// Its name and value; a secret is not shown.
  public var description: String {
    switch self {
    case .curveServer: "curveServer"
    case .curveClient: "curveClient"
    case .sendHighWaterMark(let messages): "sendHighWaterMark(\(messages))"
    case .receiveHighWaterMark(let messages): "receiveHighWaterMark(\(messages))"
    case .maxMessageSize(let bytes): "maxMessageSize(\(bytes))"
    default:
      // A mirror, because `String(reflecting:)` would ask for this description again, without end.
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

/// `ZMQ_ZAP_ENFORCE_DOMAIN`: known to every libzmq since 4.3.0, though its header names it among the drafts.
private let enforceDomain: Int32 = 93
