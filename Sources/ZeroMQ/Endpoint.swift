/// An address that a socket binds or connects to: checked before libzmq sees it.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// The address as libzmq writes it: `ipc:///run/motiond/client/control.ipc`, `tcp://127.0.0.1:*`, `inproc://test`.
  public let address: String

  /// The longest path of a Unix socket, in bytes: `sun_path` has 108 with its final zero.
  public static let longestPath = 107

  /// Checks an address.
  ///
  /// - Throws: ``EndpointError`` when the transport is not one of ipc, tcp and inproc, or the rest cannot be right.
  public init(_ address: String) throws(EndpointError) {
    guard let separator = address.firstRange(of: "://") else {
      throw EndpointError(
        address: address, problem: "it names no transport", remedy: "write ipc://PATH or tcp://HOST:PORT")
    }
    // C would take it for the end, and another address would be bound than was checked.
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
  /// - Throws: ``EndpointError`` when the path is too long for one.
  public static func ipc(_ path: String) throws(EndpointError) -> Endpoint { try Endpoint("ipc://\(path)") }

  /// The path of an ipc endpoint, `nil` of any other.
  public var path: String? { address.hasPrefix("ipc://") ? String(address.dropFirst(6)) : nil }

  /// The port of a tcp endpoint, unless it is left to the system; `nil` of any other.
  package var port: UInt16? {
    guard address.hasPrefix("tcp://"), let colon = address.lastIndex(of: ":") else { return nil }
    return UInt16(address[address.index(after: colon)...])
  }

  /// The same host of tcp at another port.
  package func at(port: UInt16) throws(EndpointError) -> Endpoint {
    try Endpoint("\(address[..<(address.lastIndex(of: ":") ?? address.endIndex)]):\(port)")
  }

  /// This address and those of the ports after it, so many in all: where peers on other machines find several sockets.
  /// `nil` if it is none of tcp with a port of its own, or there are not so many ports.
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
  /// What is wrong with it.
  public let problem: String
  /// What would be right.
  public let remedy: String

  /// An address with what is wrong with it.
  package init(_ address: String, problem: String, remedy: String) {
    self.init(address: address, problem: problem, remedy: remedy)
  }

  init(address: String, problem: String, remedy: String) {
    self.address = address
    self.problem = problem
    self.remedy = remedy
  }

  /// What is wrong and what would be right.
  public var description: String { "\"\(address)\" is no address: \(problem); \(remedy)" }
}
