import FaultyNetwork
import Foundation
import MotionClient
import MotionWire

/// The transports of clients.
enum ClientTransport: String, CaseIterable, Sendable {
  case ipc
  case tcp
}

/// A daemon whose clients connect through a proxy that the test controls.
final class ProxiedStage {
  let daemon: Daemon
  let proxy: FaultProxy
  /// The place where motiond itself listens for requests.
  let control: SocketPlace
  private let remote: RemoteStage?
  private let address: String

  /// Starts the daemon, and puts the proxy into the place of its sockets for clients, or before its ports.
  init(_ transport: ClientTransport, seed: UInt64) throws {
    switch transport {
    case .ipc:
      let daemon = try Daemon([.tween()])
      let files = [daemon.paths.controlSocket, daemon.paths.valuesSocket]
      proxy = try FaultProxy(
        files.map { file in
          guard rename(file, file + ".real") == 0 else { throw Problem("\(file): \(String(cString: strerror(errno)))") }
          return (.file(file), .file(file + ".real"))
        }, seed: seed)
      (self.daemon, remote, address, control) = (daemon, nil, "", .file(files[0] + ".real"))
    case .tcp:
      let remote = try RemoteStage(clients: ["desk"])
      let port = try ports(of: remote.address, 2)
      proxy = try FaultProxy(port.map { (.port("127.0.0.2", $0), .port("127.0.0.1", $0)) }, seed: seed)
      (self.remote, daemon, address) = (remote, remote.daemon, "tcp://127.0.0.2:\(port[0])")
      control = .port("127.0.0.1", port[0])
    }
  }

  deinit { proxy.stop() }

  /// A client that connects through the proxy.
  func connect() throws -> MotionClient {
    guard let remote else { return try daemon.connect() }
    let far = try RemoteDaemon(
      address, keyFile: remote.directory["desk.key"], serverKey: remote.directory["state/motiond.pub"])
    return try MotionClient(connectingTo: far, name: "desk", timeout: factTimeout)
  }
}

/// This many ports, beginning with that of an address.
func ports(of address: String, _ count: UInt16) throws -> [UInt16] {
  guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
    throw Problem("no port: \(address)")
  }
  return (0..<count).map { port + $0 }
}
