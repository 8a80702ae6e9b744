import CZeroMQ

/// A socket of libzmq, typed by its kind.
///
/// It is used and released on one thread, or moves between threads only with a full fence in between. It is not
/// sendable: other threads post to the mailbox of its owner. It retains its context and closes when it is released.
public final class Socket<Kind: SocketKind>: PollableSocket {
  /// The context of the socket.
  public let context: ZeroMQContext
  /// libzmq's pointer, for the poller.
  public let pointer: UnsafeMutableRawPointer
  /// The descriptor on which libzmq signals events, for the poller.
  public let signalDescriptor: Int32
  /// Whether events may be pending although the descriptor is not readable, for the poller: each call into libzmq may
  /// have consumed the signal.
  public var mayBeReady = true

  /// Makes a socket with these options, which are set before anything can be bound or connected.
  ///
  /// Unless an option sets another linger, closing drops unsent messages (linger 0), and never waits for a peer.
  public init(_ context: ZeroMQContext, _ options: SocketOption...) throws(ZeroMQError) {
    guard let pointer = zmq_socket(context.pointer, Kind.type) else { throw .last("zmq_socket \(Kind.name)") }
    self.context = context
    self.pointer = pointer
    var (descriptor, size) = (Int32(-1), MemoryLayout<Int32>.size)
    // Fails only for a context that is shutting down. The next operation on the socket then reports that.
    zmq_getsockopt(pointer, ZMQ_FD, &descriptor, &size)
    signalDescriptor = descriptor
    try set(.linger(.zero))
    for option in options { try set(option) }
  }

  deinit {
    zmq_close(pointer)
  }

  /// Sets an option. Most options apply only to connections that are made afterwards.
  public func set(_ option: SocketOption) throws(ZeroMQError) {
    mayBeReady = true
    let status = option.apply(to: pointer)
    guard status == 0 else { throw .last("zmq_setsockopt \(option) on \(Kind.name)") }
  }

  /// Listens at an address.
  ///
  /// On ipc an existing socket file is replaced, even one that is in use: take a lock before.
  public func bind(_ endpoint: Endpoint) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_bind(pointer, endpoint.address) == 0 else { throw .last("zmq_bind \(endpoint)") }
  }

  /// Connects to an address. If no peer listens there yet, libzmq retries.
  public func connect(_ endpoint: Endpoint) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_connect(pointer, endpoint.address) == 0 else { throw .last("zmq_connect \(endpoint)") }
  }

  /// Stops listening at an address.
  public func unbind(_ endpoint: Endpoint) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_unbind(pointer, endpoint.address) == 0 else { throw .last("zmq_unbind \(endpoint)") }
  }

  /// Closes the connection to an address.
  public func disconnect(_ endpoint: Endpoint) throws(ZeroMQError) {
    mayBeReady = true
    guard zmq_disconnect(pointer, endpoint.address) == 0 else { throw .last("zmq_disconnect \(endpoint)") }
  }

  /// The address that was last bound, with wildcards resolved.
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
  /// Becomes readable when an event has happened, and unreadable when libzmq has handled it. The corresponding option
  /// is `ZMQ_FD`.
  var signalDescriptor: Int32 { get }
  /// Whether events may be pending although the descriptor is not readable.
  var mayBeReady: Bool { get set }
}
