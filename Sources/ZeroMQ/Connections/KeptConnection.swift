import CZeroMQ
import LinuxSystem

/// A socket's connection, which is made anew when libzmq has given it up: carries out what ``ConnectionWatch`` decides.
///
/// Belongs to the socket's thread, and to the poller that looks after it. libzmq tells of connections on another socket, which
/// costs two descriptors, and nothing while all is well. The corresponding C function is `zmq_socket_monitor`.
final class KeptConnection {
  /// Receives libzmq's events of the connection.
  let monitor: PairSocket
  let socket: any PollableSocket
  private let endpoint: Endpoint
  private var watch: ConnectionWatch

  /// Connects a socket, which has no other address, now or whenever somebody listens there.
  init<Kind>(_ socket: Socket<Kind>, to endpoint: Endpoint) throws(ZeroMQError) {
    monitor = try Self.monitor(of: socket)
    (self.socket, self.endpoint) = (socket, endpoint)
    watch = ConnectionWatch(at: BootClock.now)
    try socket.connect(endpoint)
  }

  /// Nothing is told any more, before there is nobody to hear it: libzmq would wait for somebody.
  deinit { zmq_socket_monitor(socket.pointer, nil, 0) }

  /// When ``tend(at:)`` has something to do; `nil` while libzmq sees to the connection.
  var due: Duration? { watch.due }

  /// Hears what libzmq has told.
  func hear(at now: Duration) {
    // What cannot be received says that the context ends, which the socket itself will say.
    while let parts = try? monitor.receive(limit: 2).message {
      switch Self.event(of: parts[0]) {
      case ZMQ_EVENT_DISCONNECTED: watch.note(.ended, at: now)
      case ZMQ_EVENT_CONNECT_RETRIED: watch.note(.triedAgain, at: now)
      default: break
      }
    }
  }

  /// Makes the connection anew, if that is due.
  func tend(at now: Duration) throws(ZeroMQError) {
    guard watch.elapsed(at: now) else { return }
    socket.mayBeReady = true
    // libzmq still has the address, and would take another connection to it for the one that it has.
    zmq_disconnect(socket.pointer, endpoint.address)
    // A context that ends says so to whoever asks for messages.
    guard zmq_connect(socket.pointer, endpoint.address) == 0 || zmq_errno() == ETERM else {
      throw .last("zmq_connect \(endpoint)")
    }
  }

  /// Makes libzmq tell of a socket's connections, on the socket that is returned.
  private static func monitor<Kind>(of socket: Socket<Kind>) throws(ZeroMQError) -> PairSocket {
    // Without a limit: libzmq would wait for room, and hold up every socket of the context. What an owner collects who never
    // looks is 200 bytes for each try of libzmq's, of which there are ten in a second while nobody listens.
    let monitor = try PairSocket(socket.context, .receiveHighWaterMark(0))
    // No other socket has this address for as long as this one lives.
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
