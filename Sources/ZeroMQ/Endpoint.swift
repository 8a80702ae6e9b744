/// An address that a socket binds or connects to, checked before it is passed to libzmq.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// The address as libzmq writes it: `ipc:///run/motiond/client/control.ipc`, `tcp://127.0.0.1:*`, `inproc://test`.
  public let address: String

  /// The longest path of a Unix socket, in bytes: `sun_path` has 108 with its final zero.
  public static let longestPath = 107

  /// Checks an address.
  ///
  /// - Throws: ``EndpointError`` when the transport is not one of ipc, tcp and inproc, or the rest is invalid.
  public init(_ address: String) throws(EndpointError) {
    guard let separator = address.firstRange(of: "://") else {
      throw EndpointError(
        address: address, problem: "it names no transport", remedy: "write ipc://PATH or tcp://HOST:PORT")
    }
    // C would end the text at a zero byte, and libzmq would bind another address than the checked one.
    guard !address.utf8.contains(0) else {
      throw EndpointError(address: address, problem: "it contains a zero byte", remedy: "leave it out")
    }
    let rest = address[separator.upperBound...]
    switch address[..<separator.lowerBound] {
    case "ipc":
      guard !rest.isEmpty, rest.utf8.count <= Self.longestPath else {
        throw EndpointError(
          address: address, problem: "the path has \(rest.utf8.count) bytes",
          remedy: "a path of a socket has 1 to \(Self.longestPath); choose a shorter directory")
      }
    case "tcp":
      guard let colon = rest.lastIndex(of: ":"), colon != rest.startIndex,
        Self.isPort(rest[rest.index(after: colon)...])
      else {
        throw EndpointError(address: address, problem: "it names no host and port", remedy: "write tcp://HOST:PORT")
      }
    case "inproc":
      guard !rest.isEmpty else {
        throw EndpointError(address: address, problem: "it has no name", remedy: "write inproc://NAME")
      }
    default:
      throw EndpointError(
        address: address, problem: "the transport is unknown", remedy: "use ipc, tcp or inproc")
    }
    self.address = address
  }

  /// A Unix socket at `path`.
  ///
  /// - Throws: ``EndpointError`` when the path is too long.
  public static func ipc(_ path: String) throws(EndpointError) -> Endpoint { try Endpoint("ipc://\(path)") }

  /// The path of an ipc endpoint; `nil` for any other.
  public var path: String? { address.hasPrefix("ipc://") ? String(address.dropFirst(6)) : nil }

  /// The port of a tcp endpoint, unless the system chooses it; `nil` for any other.
  package var port: UInt16? {
    guard address.hasPrefix("tcp://"), let colon = address.lastIndex(of: ":") else { return nil }
    return UInt16(address[address.index(after: colon)...])
  }

  /// The same tcp host at another port.
  package func at(port: UInt16) throws(EndpointError) -> Endpoint {
    try Endpoint("\(address[..<(address.lastIndex(of: ":") ?? address.endIndex)]):\(port)")
  }

  /// This address and those at the ports after it, `count` in all: the addresses of several sockets for peers on other
  /// machines. `nil` if it is not a tcp address with a port, or if there are not enough ports.
  package func row(_ count: Int) -> [Endpoint]? {
    guard let first = port, first > 0, Int(first) + count - 1 <= Int(UInt16.max) else { return nil }
    return try? (0..<UInt16(count)).map { try at(port: first + $0) }
  }

  /// The address.
  public var description: String { address }

  private static func isPort(_ text: Substring) -> Bool { text == "*" || UInt16(text) != nil }
}

/// An address that cannot be bound or connected to.
public struct EndpointError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address.
  public let address: String
  /// The problem.
  public let problem: String
  /// The remedy.
  public let remedy: String

  /// An error for this address.
  package init(_ address: String, problem: String, remedy: String) {
    self.init(address: address, problem: problem, remedy: remedy)
  }

  init(address: String, problem: String, remedy: String) {
    self.address = address
    self.problem = problem
    self.remedy = remedy
  }

  /// The problem and the remedy.
  public var description: String { "\"\(address)\" is no address: \(problem); \(remedy)" }
}
