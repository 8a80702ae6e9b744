import Glibc
import ZeroMQ

/// A gateway between a stage's daemon, where it has the key `gate`, and a holder of the key `far`; it is killed when
/// the test releases it.
final class WorkerGatewayProcess: LoggingProcess {
  let stage: RemoteWorkerStage
  /// The address to which the worker connects.
  let address: String
  private let gateway: RestartableProcess

  /// Starts it and waits until it serves.
  init(to stage: RemoteWorkerStage, _ arguments: String...) throws {
    self.stage = stage
    address = "tcp://127.0.0.1:\(try RemoteStage.freePorts(4))"
    gateway = try RestartableProcess(
      "motion-gateway",
      [
        "worker", "--connect", stage.address, "--server-key", stage.directory["state/motiond.pub"], "--key",
        stage.directory["gate.key"], "--listen", address, "--admit", stage.directory["far.pub"],
      ] + arguments, in: stage.directory, named: "gateway", saying: "serving a worker")
  }

  /// The present process.
  var process: ChildProcess { gateway.process }

  /// Its log so far.
  var log: String { gateway.log }

  /// Restarts it, as a service manager does.
  func restart() throws { try gateway.restart() }

  /// Starts a worker that has only the address of the gateway.
  func startWorker(_ key: String = "far") throws -> RemoteWorkerStage.Program {
    try stage.start(key, options: ["--connect", address, "--server-key", stage.directory["gate.pub"]])
  }

  /// A socket that presents a key of the stage at one of the gateway's ports.
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
}
