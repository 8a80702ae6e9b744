import Glibc

/// The address of the metrics: a local socket, or a port that is reachable only from this machine.
///
/// Metrics show the names of plugins and the load of the machine to every process that can connect, so they are not
/// offered to a network.
public enum MetricsAddress: Hashable, Sendable, CustomStringConvertible {
  /// A local socket at a path, for its owner and group.
  case unix(path: String)
  /// A port of a loopback address, for every user of the machine.
  case loopback(host: String, port: UInt16)

  /// Reads `unix:/PATH`, `127.0.0.1:PORT` or `[::1]:PORT`.
  ///
  /// - Throws: ``StartError`` for anything else, with the accepted forms.
  public init(_ text: String) throws {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/"), path.utf8.count < MemoryLayout<sockaddr_un>.size - 2 else {
        throw Self.refused(text, "a local socket needs a path that begins with / and has at most 107 bytes")
      }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
      throw Self.refused(text, "it is neither a local socket nor an address with a port")
    }
    let host = String(text[..<colon])
    guard Self.isLoopback(host) else {
      throw Self.refused(text, "everyone who can reach \(host.isEmpty ? "this machine" : host) could read the metrics")
    }
    self = .loopback(host: host, port: port)
  }

  /// The form in the configuration.
  public var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .loopback(let host, let port): "\(host):\(port)"
    }
  }

  /// Only numeric addresses: the meaning of a name depends on configuration outside motiond.
  private static func isLoopback(_ host: String) -> Bool {
    if host == "[::1]" { return true }
    var address = in_addr()
    return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  private static func refused(_ text: String, _ problem: String) -> StartError {
    StartError(
      "serve metrics at \"\(text)\"", problem,
      remedy: "Give unix:/run/motiond/metrics, 127.0.0.1:9464 or [::1]:9464; a collector on another machine "
        + "needs a proxy that authenticates it")
  }
}
