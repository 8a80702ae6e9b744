import CLinux
import Glibc

/// The listening socket of the metrics server.
final class MetricsListener: Sendable {
  let descriptor: Int32
  /// The path that this process has to remove.
  private let path: String?

  /// Listens at the address.
  ///
  /// - Throws: ``StartError`` when another process listens there, or the address cannot be used.
  init(_ address: MetricsAddress) throws {
    let place = "serve metrics at \(address)"
    let family =
      switch address {
      case .unix: AF_UNIX
      case .loopback(let host, _): host.hasPrefix("[") ? AF_INET6 : AF_INET
      }
    let descriptor = try Self.socket(family, place)
    do {
      path = try Self.bind(descriptor, to: address, place)
      // The backlog equals the number of connections served at a time.
      try Self.check(listen(descriptor, Int32(MetricsServer.connections)), place)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    if let path { unlink(path) }
  }

  /// A waiting connection, if any: its descriptor, which does not block.
  func accept() -> Int32? {
    let connection = motion_accept(descriptor)
    return connection >= 0 ? connection : nil
  }

  private static func socket(_ family: Int32, _ place: String) throws -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(family, kind, 0)
    guard descriptor >= 0 else {
      throw StartError(place, String(cString: strerror(errno)), remedy: "Choose another address")
    }
    return descriptor
  }

  /// Binds the address; returns the path that this process then has to remove, if there is one.
  private static func bind(_ descriptor: Int32, to address: MetricsAddress, _ place: String) throws -> String? {
    switch address {
    case .unix(let path):
      guard let unix = UnixAddress(Array(path.utf8)) else {
        throw StartError(place, "the path is too long", remedy: "Choose a shorter path")
      }
      try removeStale(path, unix, place)
      // Before the socket has a name, so that other users can connect at no moment; the umask may restrict this
      // further.
      fchmod(descriptor, 0o660)
      try check(unix.withSocketAddress { Glibc.bind(descriptor, $0, $1) }, place)
      chmod(path, 0o660)
      return path
    case .loopback(let host, let port):
      // Leftover connections of an earlier motiond must not block the port.
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      let status = host.hasPrefix("[") ? bindVersion6(descriptor, port) : bindVersion4(descriptor, host, port)
      try check(status, place)
      return nil
    }
  }

  /// Removes the socket of a process that was killed: no process listens there.
  private static func removeStale(_ path: String, _ address: UnixAddress, _ place: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw StartError(place, "the path is a file that is not a socket", remedy: "Remove it, or choose another address")
    }
    let probe = try socket(AF_UNIX, place)
    defer { close(probe) }
    let isAlone = address.withSocketAddress { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
    guard isAlone else {
      throw StartError(place, "another process listens there", remedy: "Stop it, or choose another address")
    }
    unlink(path)
  }

  private static func bindVersion4(_ descriptor: Int32, _ host: String, _ port: UInt16) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func bindVersion6(_ descriptor: Int32, _ port: UInt16) -> Int32 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
  }

  private static func check(_ status: Int32, _ place: String) throws {
    guard status != 0 else { return }
    let reason = String(cString: strerror(errno))
    throw StartError(place, reason, remedy: "Choose another address, or omit --metrics")
  }
}
