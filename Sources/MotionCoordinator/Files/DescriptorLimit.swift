import CLinux
import Glibc

/// How many files and connections this process may have open at a time.
public enum DescriptorLimit {
  /// A limit that was raised.
  public struct Raised: Hashable, Sendable {
    /// The earlier limit, which workers get, since they may use `select`.
    public var before: UInt64
    /// The present limit.
    public var now: UInt64
  }

  /// Raises the limit as far as the system allows; `nil` when the limit cannot be read.
  ///
  /// Each client takes two descriptors and each worker about a dozen. The soft limit is usually 1024, for programs that
  /// use `select`, which motiond does not.
  public static func raise() -> Raised? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    var raised = limit
    raised.rlim_cur = limit.rlim_max
    let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
    return Raised(before: UInt64(limit.rlim_cur), now: UInt64(isRaised ? raised.rlim_cur : limit.rlim_cur))
  }

  /// The descriptors that connections of one kind leave to others, of so many in all: a quarter, and 1024 where there
  /// are plenty, which is room for a hundred workers.
  static func reserve(of limit: UInt64) -> Int32 { Int32(min(1024, limit / 4)) }

  /// The most descriptors for connections: the limit in the unit of the service. A record is kept of each.
  private static let most: UInt64 = 65_536
  /// The most handshakes from the network at a time: enough for all its clients at once after a restart, if they are
  /// few, and for a quarter of a second each, if they are many.
  private static let mostHandshakes: Int32 = 256

  /// Lets clients' connections take descriptors up to two reserves below the limit, and workers' up to one: the rest is
  /// for pipes of processes, files and timers. A connection beyond the limit is closed at once, where libzmq would end
  /// the whole process (EMFILE on an ipc listener). The limit holds for the whole process and stays.
  ///
  /// With a network listener, a quarter of the clients' descriptors is for connections from the network, and the rest
  /// is for those of this machine: neither takes the other's. Of that quarter half may be connections that have not
  /// shown a key yet.
  ///
  /// - Parameters:
  ///   - limit: the descriptors that the process may have.
  ///   - directory: the directory of the workers' sockets.
  ///   - listensToNetwork: whether connections come from the network, too.
  /// - Returns: whether libzmq calls this check before it accepts a connection; it does unless the program was linked
  ///   in another way.
  static func limitConnections(of limit: UInt64, workersIn directory: String, listensToNetwork: Bool = false) -> Bool {
    let highest = Int32(min(limit, most)) - 1
    let reserve = reserve(of: limit)
    let clients = highest - 2 * reserve
    let remote = listensToNetwork ? clients / 4 : 0
    let isAsked = motion_limit_accept(clients - remote, highest - reserve, directory) == 0
    if listensToNetwork {
      motion_limit_handshakes(0, min(mostHandshakes, remote / 2), clients - remote + 1, clients)
    } else {
      motion_limit_handshakes(0, 0, 0, 0)
    }
    return isAsked
  }

  /// How many connections were closed because they subscribed to more than they may, before libzmq had read it.
  static var floods: UInt64 { UInt64(motion_received_floods()) }

  /// How many connections were closed because there was no room for them.
  static var refusedConnections: UInt64 { UInt64(motion_accept_refusals()) }

  /// How many descriptors this process may have now.
  static var now: UInt64 {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : 1024
  }
}
