import CZeroMQ
import Glibc

/// Waits for sockets and plain descriptors at once.
///
/// Never pace anything with its timeout: libzmq counts it in milliseconds; poll a ``BootTimer`` instead. Used by the one
/// thread that owns the sockets. A poll allocates nothing. The corresponding C function is `zmq_poll`.
public final class Poller {
  /// What is being waited for, in the order of registration; stays valid until it is removed.
  public struct Registration: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// What came of a poll.
  public enum Outcome: Hashable, Sendable {
    /// This many are ready; ask ``Poller/isReadable(_:)`` and ``Poller/isWritable(_:)``.
    case ready(Int)
    /// Time ran out.
    case timedOut
    /// A signal came first.
    case interrupted
    /// The context of a socket is shutting down.
    case terminated
  }

  /// What to wait for.
  public struct Interest: OptionSet, Hashable, Sendable {
    /// libzmq's bits.
    public let rawValue: Int16
    /// The set of these bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }
    /// Something can be received.
    public static let readable = Interest(rawValue: Int16(ZMQ_POLLIN))
    /// Something can be sent.
    public static let writable = Interest(rawValue: Int16(ZMQ_POLLOUT))
    /// A descriptor failed or its other end is gone; always waited for.
    public static let failed = Interest(rawValue: Int16(ZMQ_POLLERR))
  }

  private var items: [zmq_pollitem_t] = []
  // Sockets are kept while they are watched: libzmq would read the memory of one that was closed.
  private var sockets: [(any PollableSocket)?] = []
  private var numbers: [UInt64] = []
  private var lastNumber: UInt64 = 0

  /// A poller that waits for nothing yet.
  public init() {}

  /// Waits for a socket too, and keeps it open until it is removed.
  public func add(_ socket: some PollableSocket, _ interest: Interest = .readable) -> Registration {
    append(zmq_pollitem_t(socket: socket.pointer, fd: 0, events: interest.rawValue, revents: 0), keeping: socket)
  }

  /// Waits for a descriptor too.
  public func add(descriptor: Int32, _ interest: Interest = .readable) -> Registration {
    append(
      zmq_pollitem_t(
        socket: nil, fd: descriptor, events: interest.union(.failed).rawValue, revents: 0), keeping: nil)
  }

  /// Waits for something else on the same socket or descriptor.
  public func modify(_ registration: Registration, _ interest: Interest) {
    guard let index = numbers.firstIndex(of: registration.number) else { return }
    items[index].events = interest.rawValue
  }

  /// Waits no longer. Remove a descriptor before it is closed.
  public func remove(_ registration: Registration) {
    guard let index = numbers.firstIndex(of: registration.number) else { return }
    items.remove(at: index)
    sockets.remove(at: index)
    numbers.remove(at: index)
  }

  /// Waits until something is ready, at most `timeout`, rounded up to milliseconds; `nil` waits for ever.
  public func poll(timeout: Duration?) throws(ZeroMQError) -> Outcome {
    let milliseconds = timeout.map { max(0, $0.wholeMilliseconds) } ?? -1
    let count = zmq_poll(&items, Int32(items.count), milliseconds)
    if count > 0 { return .ready(Int(count)) }
    if count == 0 { return .timedOut }
    let code = zmq_errno()
    // A wait that fails leaves in part what the one before found; nobody may act on that.
    for index in items.indices { items[index].revents = 0 }
    switch code {
    case EINTR: return .interrupted
    case ETERM: return .terminated
    default: throw ZeroMQError(code: code, operation: "zmq_poll")
    }
  }

  /// Whether the last poll found something to receive, or that the other end is gone.
  public func isReadable(_ registration: Registration) -> Bool {
    events(of: registration).isDisjoint(with: [.readable, .failed]) == false
  }

  /// Whether the last poll found that something can be sent.
  public func isWritable(_ registration: Registration) -> Bool { events(of: registration).contains(.writable) }

  private func events(of registration: Registration) -> Interest {
    guard let index = numbers.firstIndex(of: registration.number) else { return [] }
    return Interest(rawValue: items[index].revents)
  }

  private func append(_ item: zmq_pollitem_t, keeping socket: (any PollableSocket)?) -> Registration {
    lastNumber += 1
    items.append(item)
    sockets.append(socket)
    numbers.append(lastNumber)
    return Registration(number: lastNumber)
  }
}
