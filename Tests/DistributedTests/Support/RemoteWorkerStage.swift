import Foundation
import Glibc
import MotionClient
import MotionFiles
import MotionModel
import MotionWire
import Testing
import ZeroMQ

/// A daemon that waits for the worker of a plugin, `tween` if none is named, on another machine, and the programs that
/// claim its assignment.
final class RemoteWorkerStage {
  let directory: TestDirectory
  let address: String
  private(set) var daemon: Daemon
  private let plugin: PluginFolder
  private var started = 0

  /// Makes keys and starts the daemon; the plugin's folder holds its manifest and no program.
  ///
  /// - Parameters:
  ///   - isHere: whether the plugin's program is in its folder, too.
  ///   - authorized: for each name of a key, which worker its holder may be.
  ///   - host: the address of this machine at which it listens.
  init(
    of plugin: PluginFolder? = nil, isHere: Bool = false, authorized: [String: String]? = nil, strangers: [String] = [],
    host: String = "127.0.0.1", rate: Double = 120
  ) throws {
    let directory = try TestDirectory()
    self.directory = directory
    let plugin = try plugin ?? .tween()
    self.plugin = plugin
    let name = plugin.manifest.name.text
    let authorized = authorized ?? ["stage": name]
    address = "tcp://\(host):\(try RemoteStage.freePorts(4))"
    var lines = ""
    for (name, worker) in authorized.sorted(by: { $0.key < $1.key }) {
      lines += "worker \(try RemoteStage.makeKey(name, in: directory).z85) \(worker)\n"
    }
    for name in strangers { _ = try RemoteStage.makeKey(name, in: directory) }
    try directory.write(lines, to: "authorized")
    try directory.write(PluginManifestFile.text(of: plugin.manifest), to: "plugins/\(name)/plugin.json")
    if isHere { try plugin.write(to: directory) }
    daemon = try Daemon(rate: rate, in: directory, arguments: Self.arguments(address, directory))
  }

  private static func arguments(_ address: String, _ directory: TestDirectory) -> [String] {
    ["--listen-workers", address, "--authorized-keys", directory["authorized"]]
  }

  /// Kills the daemon and starts it again.
  func restartDaemon() throws {
    daemon.process.kill()
    daemon = try Daemon(in: directory, arguments: Self.arguments(address, directory))
  }

  /// The executors that the plugin's manifest declares.
  var executors: [ExecutorType] { Set(plugin.manifest.intentions.map(\.executor)).sorted() }

  /// A program that was started by hand.
  struct Program {
    let process: ChildProcess
    let log: String
    let directory: TestDirectory

    /// Its output so far.
    var text: String { directory.text(of: log) }
  }

  /// Starts the plugin's program as a user of another machine would, with the key of this name.
  ///
  /// - Parameter place: the daemon's address from there, if not ``address``.
  func start(
    _ key: String = "stage", by way: [String] = [], options: [String] = [], connecting place: String? = nil
  ) throws -> Program {
    started += 1
    let log = "worker-\(started)"
    let words =
      way + [
        plugin.program, "--connect", place ?? address, "--key", directory["\(key).key"], "--server-key",
        directory["state/motiond.pub"],
      ] + options
    let process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
      output: directory[log], errors: directory[log])
    return Program(process: process, log: log, directory: directory)
  }

  /// Claims the assignment of the plugin's first worker, as a worker that the test plays itself.
  func knock(attempt: UInt64, in context: ZeroMQContext) throws -> DealerSocket {
    let socket = try DealerSocket(context)
    for option in try security() { try socket.set(option) }
    try socket.connect(Endpoint(address))
    try claim(attempt: attempt, by: socket)
    return socket
  }

  private func claim(attempt: UInt64, by socket: DealerSocket) throws {
    let claim = Claim(
      address: WorkerAddress(plugin.manifest.name, 0), claimant: 1, attempt: attempt, processID: getpid(), host: "here")
    _ = try socket.send(Envelope(epoch: 0, incarnation: 0, sequence: 1, .claim(claim)).encoded())
  }

  /// A worker that has received the assignment, once it is stored which worker holds it.
  func puppet(attempt: UInt64) throws -> PuppetWorker {
    let context = try ZeroMQContext()
    let socket = try knock(attempt: attempt, in: context)
    let answer = try awaitFact("the assignment") { () throws -> Envelope? in
      if let message = try socket.receiveOne().message { return try Envelope(decoding: message.bytes) }
      try claim(attempt: attempt, by: socket)
      return nil
    }
    guard case .assignment(let assignment) = answer.body else { throw Problem("no assignment, but \(answer.body)") }
    let host = address[..<(address.lastIndex(of: ":") ?? address.endIndex)]
    func endpoint(_ port: UInt16) throws -> Endpoint { try Endpoint("\(host):\(port)") }
    return try PuppetWorker(
      WorkerAddress(plugin.manifest.name, 0), epoch: answer.epoch, incarnation: assignment.incarnation,
      link: Endpoint(address), commands: endpoint(assignment.commandsPort), ticks: endpoint(assignment.ticksPort),
      events: endpoint(assignment.eventsPort), security: security())
  }

  private func security() throws -> [SocketOption] {
    let key = try CurveKeyFile(reading: directory["stage.key"])
    let identity = SocketOption.curveClient
    return [identity(key.publicKey, key.secretKey, try CurveKeyFile.publicKey(directory["state/motiond.pub"]))]
  }
}
