import CZeroMQ
import Glibc
import LinuxSystem

/// Waits for sockets and plain descriptors in one call.
///
/// The thread that owns the sockets uses it. A poll allocates nothing. Do not use the timeout for pacing, since it has
/// a resolution of milliseconds; poll a ``BootTimer`` instead.
///
/// The corresponding C function is `zmq_poll`, which queries every socket twice, a system call each: for ten sockets 22
/// calls for one message. Here a wait is one call, and one more for each socket that was used since the last wait, or
/// has events. libzmq signals events by a descriptor of each socket, but any call on the socket may consume the signal.
public final class Poller {
  /// A socket or descriptor that the poller waits for; valid until it is removed. Ordered by the order of registration.
  public struct Registration: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// The result of a poll.
  public enum Outcome: Hashable, Sendable {
    /// This many are ready; call ``Poller/isReadable(_:)`` and ``Poller/isWritable(_:)``.
    case ready(Int)
    /// The timeout has passed.
    case timedOut
    /// A signal interrupted the poll.
    case interrupted
    /// The context of a socket is shutting down.
    case terminated
  }

  /// The events to wait for.
  public struct Interest: OptionSet, Hashable, Sendable {
    /// libzmq's bits.
    public let rawValue: Int16
    /// The set of these bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }
    /// Something can be received.
    public static let readable = Interest(rawValue: Int16(ZMQ_POLLIN))
    /// Something can be sent.
    public static let writable = Interest(rawValue: Int16(ZMQ_POLLOUT))
    /// A descriptor failed or its other end has closed. The poller always waits for this.
    public static let failed = Interest(rawValue: Int16(ZMQ_POLLERR))
  }

  /// A registration, parallel to its entry for `poll`.
  private struct Item {
    let number: UInt64
    var interest: Interest
    /// The events of the last poll.
    var found: Interest = []
    // Sockets are retained while they are registered: their descriptors must stay valid.
    let socket: (any PollableSocket)?
    /// The connection whose events the socket reports, if it is such a monitor.
    var connection: KeptConnection?
  }

  private var items: [Item] = []
  private var keepsConnections = false
  private var entries: [pollfd] = []
  private var lastNumber: UInt64 = 0

  /// A poller without registrations.
  public init() {}

  /// Registers a socket, and keeps it open until it is removed.
  public func add(_ socket: some PollableSocket, _ interest: Interest = .readable) -> Registration {
    append(interest, pollfd(fd: socket.signalDescriptor, events: Int16(POLLIN), revents: 0), keeping: socket)
  }

  /// Registers a descriptor.
  public func add(descriptor: Int32, _ interest: Interest = .readable) -> Registration {
    append(interest, pollfd(fd: descriptor, events: interest.pollEvents, revents: 0), keeping: nil)
  }

  /// Connects a socket, and reconnects it whenever libzmq has given up the connection, as it does after garbage or a
  /// refused key. It is not an error if no peer listens yet.
  ///
  /// The delay between attempts grows from 100 ms to two seconds. Subscriptions are resent after a reconnect; queued
  /// outgoing messages are lost. ``poll(timeout:)`` maintains the connection until the socket is removed, whether the
  /// socket is registered or not. A socket has one address of this kind.
  public func connect<Kind>(_ socket: Socket<Kind>, to endpoint: Endpoint) throws(ZeroMQError) {
    let connection = try KeptConnection(socket, to: endpoint)
    let monitor = connection.monitor
    _ = append(.readable, pollfd(fd: monitor.signalDescriptor, events: Int16(POLLIN), revents: 0), keeping: monitor)
    items[items.count - 1].connection = connection
    keepsConnections = true
  }

  /// Waits for other events of the same socket or descriptor.
  public func modify(_ registration: Registration, _ interest: Interest) {
    guard let index = index(of: registration) else { return }
    items[index].interest = interest
    if items[index].socket == nil { entries[index].events = interest.pollEvents }
  }

  /// Removes a registration, and no longer maintains the socket's connection. Remove a descriptor before it is closed.
  public func remove(_ registration: Registration) {
    guard let index = index(of: registration) else { return }
    let socket = items[index].socket
    remove(at: index)
    guard let socket, let index = items.firstIndex(where: { $0.connection?.socket === socket }) else { return }
    remove(at: index)
  }

  /// Waits until something is ready, at most `timeout`, rounded up to milliseconds; `nil` waits for ever.
  public func poll(timeout: Duration?) throws(ZeroMQError) -> Outcome {
    for index in items.indices { items[index].found = [] }
    let deadline = timeout.map { BootClock.now + max(.zero, $0) }
    while true {
      var ready = 0
      for index in items.indices where mayBeReady(index) {
        if let end = try look(at: index) { return end }
        if !items[index].found.isEmpty { ready += 1 }
      }
      let wait = ready > 0 ? 0 : Self.wait(until: deadline, or: try tendConnections())
      let count = Glibc.poll(&entries, nfds_t(entries.count), wait)
      guard count >= 0 else {
        guard errno == EINTR else { throw ZeroMQError(code: errno, operation: "poll") }
        return interrupted()
      }
      if count > 0 {
        for index in entries.indices where entries[index].revents != 0 && items[index].found.isEmpty {
          if items[index].socket == nil {
            items[index].found = Interest(pollEvents: entries[index].revents)
          } else if let end = try look(at: index) {
            return end
          }
          if !items[index].found.isEmpty { ready += 1 }
        }
      }
      if ready > 0 { return .ready(ready) }
      // A socket signalled something other than a message, or a connection was due: wait for the rest of the time.
      if let deadline, BootClock.now >= deadline { return .timedOut }
    }
  }

  /// Whether the last poll found something to receive, or a closed other end.
  public func isReadable(_ registration: Registration) -> Bool {
    !found(registration).isDisjoint(with: [.readable, .failed])
  }

  /// Whether the last poll found that something can be sent.
  public func isWritable(_ registration: Registration) -> Bool { found(registration).contains(.writable) }

  private func found(_ registration: Registration) -> Interest {
    index(of: registration).map { items[$0].found } ?? []
  }

  /// Numbers grow in the order of registration, and there are about a dozen: a linear search is the fastest.
  private func index(of registration: Registration) -> Int? { items.firstIndex { $0.number == registration.number } }

  private func mayBeReady(_ index: Int) -> Bool {
    guard let socket = items[index].socket else { return false }
    // libzmq does not signal room to send again once it was queried.
    return socket.mayBeReady || items[index].interest.contains(.writable)
  }

  /// Queries and records the events of a socket. Returns the outcome of the poll if the query fails.
  private func look(at index: Int) throws(ZeroMQError) -> Outcome? {
    guard let socket = items[index].socket else { return nil }
    var (events, size) = (Int32(0), MemoryLayout<Int32>.size)
    guard zmq_getsockopt(socket.pointer, ZMQ_EVENTS, &events, &size) == 0 else {
      switch zmq_errno() {
      case EINTR: return interrupted()
      case ETERM: return .terminated
      default: throw .last("zmq_getsockopt EVENTS")
      }
    }
    let found = Interest(rawValue: Int16(truncatingIfNeeded: events))
    socket.mayBeReady = found.contains(.readable)
    if let connection = items[index].connection {
      // An internal event of the poller, which callers do not see.
      connection.hear(at: BootClock.now)
    } else {
      items[index].found = found.intersection(items[index].interest)
    }
    return nil
  }

  /// Reconnects the connections that are due; returns when the next one is due.
  private func tendConnections() throws(ZeroMQError) -> Duration? {
    guard keepsConnections else { return nil }
    var next: Duration?
    for index in items.indices {
      guard let connection = items[index].connection, connection.due != nil else { continue }
      try connection.tend(at: BootClock.now)
      if let due = connection.due { next = min(next ?? due, due) }
    }
    return next
  }

  /// How long `poll` waits until the earlier of two times, in milliseconds, rounded up; for ever if there is none.
  private static func wait(until deadline: Duration?, or due: Duration?) -> Int32 {
    guard let end = deadline.map({ min($0, due ?? $0) }) ?? due else { return -1 }
    return Int32(clamping: max(0, (end - BootClock.now).wholeMilliseconds))
  }

  /// Clears the events of an interrupted wait: they are incomplete, and callers must not act on them.
  private func interrupted() -> Outcome {
    for index in items.indices { items[index].found = [] }
    return .interrupted
  }

  private func remove(at index: Int) {
    items.remove(at: index)
    entries.remove(at: index)
  }

  private func append(_ interest: Interest, _ entry: pollfd, keeping socket: (any PollableSocket)?) -> Registration {
    lastNumber += 1
    items.append(Item(number: lastNumber, interest: interest, socket: socket))
    entries.append(entry)
    return Registration(number: lastNumber)
  }
}

extension Poller.Interest {
  /// The interest as bits of `poll`, which differ from libzmq's.
  fileprivate var pollEvents: Int16 {
    (contains(.readable) ? Int16(POLLIN) : 0) | (contains(.writable) ? Int16(POLLOUT) : 0)
  }

  /// The events that `poll` found. Anything neither readable nor writable is a failure, as for libzmq.
  fileprivate init(pollEvents: Int16) {
    self = []
    if pollEvents & Int16(POLLIN) != 0 { insert(.readable) }
    if pollEvents & Int16(POLLOUT) != 0 { insert(.writable) }
    if pollEvents & ~(Int16(POLLIN) | Int16(POLLOUT) | Int16(POLLPRI)) != 0 { insert(.failed) }
  }
}
