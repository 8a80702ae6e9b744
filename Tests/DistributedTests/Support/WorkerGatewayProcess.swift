import Glibc
import ZeroMQ

/// A gateway between a stage's daemon, where it has the key `gate`, and whoever has the key `far`; it is killed when the test
/// lets it go.
final class WorkerGatewayProcess {
  let stage: RemoteWorkerStage
  /// Where the worker connects.
  let address: String
  private let arguments: [String]
  private var starts = 0
  private(set) var process: ChildProcess

  /// Starts it and waits until it serves.
  init(to stage: RemoteWorkerStage, _ arguments: String...) throws {
    self.stage = stage
    self.arguments = arguments
    address = "tcp://127.0.0.1:\(try RemoteStage.freePorts(4))"
    process = try Self.start(stage, address, arguments, log: "gateway-0")
    try awaitServing()
  }

  /// Starts it once more, as a service manager does.
  func restart() throws {
    try process.awaitEnd()
    starts += 1
    process = try Self.start(stage, address, arguments, log: "gateway-\(starts)")
    try awaitServing()
  }

  /// What the present one has logged so far.
  var log: String { stage.directory.text(of: "gateway-\(starts)") }

  /// Starts a worker that knows the gateway only.
  func startWorker(_ key: String = "far") throws -> RemoteWorkerStage.Program {
    try stage.start(key, options: ["--connect", address, "--server-key", stage.directory["gate.pub"]])
  }

  /// A socket that shows a key of the stage's at one of the gateway's ports.
  func knock(_ key: String, at place: UInt16 = 0) throws -> DealerSocket {
    let own = try CurveKeyFile(reading: stage.directory["\(key).key"])
    let socket = try DealerSocket(
      ZeroMQContext(),
      .curveClient(
        publicKey: own.publicKey, secretKey: own.secretKey,
        serverKey: try CurveKeyFile.publicKey(stage.directory["gate.pub"])))
    let link = try Endpoint(address)
    try socket.connect(link.at(port: (link.port ?? 0) + place))
    return socket
  }

  private func awaitServing() throws {
    try awaitTruth("the gateway serves") {
      guard process.isRunning else { throw Problem("the gateway has ended; it said: \(log)") }
      return log.contains("serving a worker")
    }
  }

  private static func start(
    _ stage: RemoteWorkerStage, _ address: String, _ arguments: [String], log: String
  ) throws -> ChildProcess {
    try ChildProcess(
      Programs.path("motion-gateway"),
      [
        "worker", "--connect", stage.address, "--server-key", stage.directory["state/motiond.pub"], "--key",
        stage.directory["gate.key"], "--listen", address, "--admit", stage.directory["far.pub"],
      ] + arguments,
      environment: ["PATH": "/usr/bin:/bin"], output: stage.directory[log], errors: stage.directory[log])
  }
}
