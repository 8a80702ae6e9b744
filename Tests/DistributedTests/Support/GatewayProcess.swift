import Glibc
import MotionClient
import MotionWire

/// A gateway to a daemon of a test, in the daemon's directory; it is killed when the test releases it.
final class GatewayProcess: LoggingProcess {
  let daemon: Daemon
  let paths: RuntimePaths
  private let gateway: RestartableProcess

  /// Starts it and waits until it serves.
  ///
  /// - Parameter name: its directory, within the daemon's.
  init(to daemon: Daemon, in name: String = "gate", _ arguments: String...) throws {
    self.daemon = daemon
    paths = RuntimePaths(directory: daemon.directory[name])
    gateway = try RestartableProcess(
      "motion-gateway", ["--runtime-dir", daemon.paths.directory, "--gateway-dir", paths.directory] + arguments,
      in: daemon.directory, named: name, saying: "serving untrusted clients")
  }

  /// The present process.
  var process: ChildProcess { gateway.process }

  /// Its log so far.
  var log: String { gateway.log }

  /// Restarts it, as a service manager does.
  func restart() throws { try gateway.restart() }

  /// A client that has only the address of the gateway.
  func connect() throws -> MotionClient { try MotionClient(connectingTo: [paths], name: "stranger") }

  /// Its two sockets for untrusted clients.
  var doors: [Neighbourhood.Door] {
    [
      Neighbourhood.Door(name: "the gateway's control", path: paths.controlSocket, peer: "DEALER"),
      Neighbourhood.Door(name: "the gateway's values", path: paths.valuesSocket, peer: "SUB"),
    ]
  }
}
