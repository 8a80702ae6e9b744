public import ZeroMQ

/// A listener for peers from other machines: several ports in a row, over tcp with CURVE.
public struct RemoteListener: Hashable, Sendable {
  /// The address that was given: `tcp://HOST:PORT`.
  public let endpoint: Endpoint
  /// The addresses of the sockets, in order; the first is that of the listener itself.
  let endpoints: [Endpoint]

  /// The ports of ``endpoints``.
  let ports: [UInt16]

  /// Ports of clients: control and values.
  public static let clientPorts = 2
  /// Ports of workers: link, commands, ticks and events.
  public static let workerPorts = 4

  /// Checks an address.
  ///
  /// - Parameters:
  ///   - text: `tcp://HOST:PORT`; the host is an address of this machine or the name of one of its interfaces, or
  ///     `0.0.0.0` for all of them.
  ///   - ports: how many ports in a row are taken.
  /// - Throws: ``StartError`` when it is no such address.
  public init(_ text: String, ports: Int) throws {
    let remedy = "Write tcp://HOST:PORT; local peers need no listener, they connect in the runtime directory"
    let endpoint: Endpoint
    do {
      endpoint = try Endpoint(text)
    } catch {
      throw StartError("listen at \(text)", error.problem, remedy: remedy)
    }
    guard text.hasPrefix("tcp://") else {
      throw StartError("listen at \(text)", "peers on other machines can connect over tcp only", remedy: remedy)
    }
    guard let row = endpoint.row(ports) else {
      throw StartError(
        "listen at \(text)", "there are not \(ports) consecutive ports from this one",
        remedy: "Give a port from 1 to \(65_536 - ports)")
    }
    self.endpoint = endpoint
    endpoints = row
    self.ports = row.compactMap(\.port)
  }
}
