import Glibc
import MotionClient
import MotionWire

/// A gateway to a daemon of a test, in the daemon's directory; it is killed when the test lets it go.
final class GatewayProcess {
  let daemon: Daemon
  let paths: RuntimePaths
  private let name: String
  private let arguments: [String]
  private var starts = 0
  private(set) var process: ChildProcess

  /// Starts it and waits until it serves.
  ///
  /// - Parameter name: its directory, within the daemon's.
  init(to daemon: Daemon, in name: String = "gate", _ arguments: String...) throws {
    self.daemon = daemon
    self.name = name
    self.arguments = arguments
    paths = RuntimePaths(directory: daemon.directory[name])
    process = try Self.start(daemon, paths, arguments, log: "\(name).log.0")
    try awaitServing()
  }

  /// Starts it once more, as a service manager does.
  func restart() throws {
    try process.awaitEnd()
    starts += 1
    process = try Self.start(daemon, paths, arguments, log: logName)
    try awaitServing()
  }

  /// What the present one has logged so far.
  var log: String { daemon.directory.text(of: logName) }

  /// A client that knows the gateway only.
  func connect() throws -> MotionClient { try MotionClient(connectingTo: [paths], name: "stranger") }

  /// Its two sockets for strangers.
  var doors: [Neighbourhood.Door] {
    [
      Neighbourhood.Door(name: "the gateway's control", path: paths.controlSocket, peer: "DEALER"),
      Neighbourhood.Door(name: "the gateway's values", path: paths.valuesSocket, peer: "SUB"),
    ]
  }

  private var logName: String { "\(name).log.\(starts)" }

  private func awaitServing() throws {
    try awaitTruth("the gateway serves") {
      guard process.isRunning else { throw Problem("the gateway has ended; it said: \(log)") }
      return log.contains("serving strangers")
    }
  }

  private static func start(
    _ daemon: Daemon, _ paths: RuntimePaths, _ arguments: [String], log: String
  ) throws -> ChildProcess {
    try ChildProcess(
      Programs.path("motion-gateway"),
      ["--runtime-dir", daemon.paths.directory, "--gateway-dir", paths.directory] + arguments,
      environment: ["PATH": "/usr/bin:/bin"], output: daemon.directory[log], errors: daemon.directory[log])
  }
}
