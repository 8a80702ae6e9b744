import CZeroMQ

/// A socket of libzmq, typed by its kind.
///
/// It lives and dies on one thread, or moves between threads only with a full fence between: it is not sendable, and
/// others send its owner mailbox. It keeps its context alive and closes when released.
public final class Socket<Kind: SocketKind>: PollableSocket {
  /// The context it belongs to.
  public let context: ZeroMQContext
  /// libzmq's pointer, for the poller.
  public let pointer: UnsafeMutableRawPointer
  /// Where libzmq signals that something has happened, for the poller.
  public let signalDescriptor: Int32
  /// Whether something may be there of which the descriptor has told, for the poller: each call into libzmq may have
  /// taken note of it on the way.
  public var mayBeReady = true

  /// Makes a socket with these options; they are set before anything can be bound or connected.
  ///
  /// Unless an option says otherwise, closing drops what has not been sent (linger 0): nobody waits for a peer.
  public init(_ context: ZeroMQContext, _ options: SocketOption...) throws(ZeroMQError) {
    guard let pointer = zmq_socket(context.pointer, Kind.type) else { throw .last("zmq_socket \(Kind.name)") }
    self.context = context
    self.pointer = pointer
    var (descriptor, size) = (Int32(-1), MemoryLayout<Int32>.size)
    // Fails for a context that is shutting down only; whatever is done next with the socket then says so.
    zmq_getsockopt(pointer, ZMQ_FD, &descriptor, &size)
    signalDescriptor = descriptor
    try set(.linger(.zero))
    for option in options { try set(option) }
  }

  deinit {
    zmq_close(pointer)
  }

  /// Sets an option; most count only for connections made afterwards.
  public func set(_ option: SocketOption) throws(ZeroMQError) {
    mayBeReady = true
    let status = option.apply(to: pointer)
    guard status == 0 else { throw .last("zmq_setsockopt \(option) on \(Kind.name)") }
  }

  /// Listens at an address.
  ///
  /// On ipc an existing socket file is replaced, even one that is in use: hold a lock before.
  public func bind(_ endpoint: Endpoint) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_bind(pointer, endpoint.address) == 0 else { throw .last("zmq_bind \(endpoint)") }
  }

  /// Connects to an address, now or whenever somebody listens there.
  public func connect(_ endpoint: Endpoint) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_connect(pointer, endpoint.address) == 0 else { throw .last("zmq_connect \(endpoint)") }
  }

  /// Stops listening at an address.
  public func unbind(_ endpoint: Endpoint) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_unbind(pointer, endpoint.address) == 0 else { throw .last("zmq_unbind \(endpoint)") }
  }

  /// Ends the connection to an address.
  public func disconnect(_ endpoint: Endpoint) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_disconnect(pointer, endpoint.address) == 0 else { throw .last("zmq_disconnect \(endpoint)") }
  }

  /// The address it was last bound to, with wildcards resolved.
  public func lastEndpoint() throws -> Endpoint {
    mayBeReady = true
    var text = [CChar](repeating: 0, count: 1024)
    var size = text.count
    guard zmq_getsockopt(pointer, ZMQ_LAST_ENDPOINT, &text, &size) == 0 else {
      throw ZeroMQError.last("zmq_getsockopt LAST_ENDPOINT")
    }
    return try Endpoint(String(decoding: text.prefix(max(size - 1, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}

/// A socket that a poller can watch.
public protocol PollableSocket: AnyObject {
  /// libzmq's pointer.
  var pointer: UnsafeMutableRawPointer { get }
  /// Becomes readable when something has happened, and unreadable when libzmq has taken note of it. The corresponding
  /// option is `ZMQ_FD`.
  var signalDescriptor: Int32 { get }
  /// Whether something may be there although the descriptor is not readable.
  var mayBeReady: Bool { get set }
}
