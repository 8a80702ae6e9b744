import CZeroMQ
import LinuxSystem

/// A socket's connection, which reconnects when libzmq has given up: carries out the decisions of ``ConnectionWatch``.
///
/// It belongs to the socket's thread, and to the poller that maintains it. libzmq reports connection events on another
/// socket, which costs two descriptors, and nothing while there are no events. The corresponding C function is
/// `zmq_socket_monitor`.
final class KeptConnection {
  /// Receives libzmq's events of the connection.
  let monitor: PairSocket
  let socket: any PollableSocket
  private let endpoint: Endpoint
  private var watch: ConnectionWatch

  /// Connects a socket, which has no other address. If no peer listens there yet, libzmq retries.
  init<Kind>(_ socket: Socket<Kind>, to endpoint: Endpoint) throws(ZeroMQError) {
    monitor = try Self.monitor(of: socket)
    (self.socket, self.endpoint) = (socket, endpoint)
    watch = ConnectionWatch(at: BootClock.now)
    try socket.connect(endpoint)
  }

  /// Stops the monitor before its receiver closes: libzmq would wait for a receiver.
  deinit { zmq_socket_monitor(socket.pointer, nil, 0) }

  /// When ``tend(at:)`` has something to do; `nil` while libzmq maintains the connection.
  var due: Duration? { watch.due }

  /// Handles the pending events from libzmq.
  func hear(at now: Duration) {
    // An error means that the context terminates, which the socket itself reports.
    while let parts = try? monitor.receive(limit: 2).message {
      switch Self.event(of: parts[0]) {
      case ZMQ_EVENT_DISCONNECTED: watch.note(.ended, at: now)
      case ZMQ_EVENT_CONNECT_RETRIED: watch.note(.triedAgain, at: now)
      default: break
      }
    }
  }

  /// Reconnects, if that is due.
  func tend(at now: Duration) throws(ZeroMQError) {
    guard watch.elapsed(at: now) else { return }
    socket.mayBeReady = true
    // libzmq still has the address, and would not connect to it a second time.
    zmq_disconnect(socket.pointer, endpoint.address)
    // A terminating context is reported when messages are received.
    guard zmq_connect(socket.pointer, endpoint.address) == 0 || zmq_errno() == ETERM else {
      throw .last("zmq_connect \(endpoint)")
    }
  }

  /// Makes libzmq report a socket's connection events on the returned socket.
  private static func monitor<Kind>(of socket: Socket<Kind>) throws(ZeroMQError) -> PairSocket {
    // Without a limit: libzmq would wait for room, and block every socket of the context. An owner that never reads the
    // events accumulates 200 bytes for each attempt of libzmq, at most ten a second while no peer listens.
    let monitor = try PairSocket(socket.context, .receiveHighWaterMark(0))
    // No other socket has this address during the lifetime of this one.
    let address = "inproc://connection-\(UInt(bitPattern: socket.pointer))"
    let events = ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CONNECT_RETRIED
    guard zmq_socket_monitor(socket.pointer, address, events) == 0 else {
      throw .last("zmq_socket_monitor on \(Kind.name)")
    }
    guard zmq_connect(monitor.pointer, address) == 0 else {
      let error = ZeroMQError.last("zmq_connect \(address)")
      zmq_socket_monitor(socket.pointer, nil, 0)
      throw error
    }
    return monitor
  }

  /// The number of an event: the first 16 bits.
  private static func event(of part: Message) -> Int32 {
    part.withUnsafeBytes { $0.count < 2 ? 0 : Int32($0.loadUnaligned(as: UInt16.self)) }
  }
}
