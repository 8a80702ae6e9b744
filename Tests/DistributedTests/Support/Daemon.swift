import Foundation
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

/// A motiond of one test, in a directory of its own; it is killed when the test releases it.
final class Daemon: LoggingProcess {
  let directory: TestDirectory
  let process: ChildProcess
  let notifications: NotifySocket
  let paths: RuntimePaths
  /// Runs motionctl against it.
  let ctl: Ctl

  /// Starts it and waits until it reports that it is ready.
  ///
  /// - Parameters:
  ///   - plugins: the plugins that it finds; none of the machine's.
  ///   - directory: of a former daemon, to start a new one there.
  ///   - command: a program that is to start it, with the arguments before its own.
  ///   - descriptorLimit: how many files and connections it may have, at the very most.
  init(
    _ plugins: [PluginFolder] = [], rate: Double = 120, in directory: TestDirectory? = nil, arguments: [String] = [],
    environment: [String: String] = [:], behind command: [String] = [], descriptorLimit: Int? = nil
  ) throws {
    let directory = try directory ?? TestDirectory()
    for plugin in plugins { try plugin.write(to: directory) }
    self.directory = directory
    paths = RuntimePaths(directory: directory["run"])
    notifications = try NotifySocket(directory["notify"])
    ctl = Ctl(directory, runtimeDirectory: paths.directory)
    process = try Self.start(
      directory, rate: rate, arguments, environment, notifying: notifications.path,
      behind: descriptorLimit.map { ["/usr/bin/prlimit", "--nofile=\($0):\($0)", "--"] } ?? command)
    do {
      try notifications.hear("READY=1", from: process)
    } catch {
      throw Problem("\(error); it said: \(directory.text(of: "log"))")
    }
  }

  /// Starts one without waiting for any event.
  static func start(
    _ directory: TestDirectory, rate: Double = 120, _ arguments: [String] = [], _ environment: [String: String] = [:],
    notifying notifications: String = "", log: String = "log", behind command: [String] = []
  ) throws -> ChildProcess {
    let words = command + [try Programs.path("motiond")]
    return try ChildProcess(
      words[0],
      words.dropFirst() + [
        "--runtime-dir", directory["run"], "--state-dir", directory["state"], "--plugin-path", directory["plugins"],
        "--rate", "\(rate)",
      ] + arguments,
      environment: ["NOTIFY_SOCKET": notifications, "PATH": "/usr/bin:/bin"].merging(environment) { $1 },
      output: directory[log], errors: directory[log])
  }

  /// Its log so far.
  var log: String { directory.text(of: "log") }

  /// A client of it, for the calling thread.
  func connect() throws -> MotionClient { try MotionClient(connectingTo: [paths], name: "test") }

  /// Ends it as a service manager does, and waits until it has exited.
  @discardableResult
  func terminate() throws -> ChildProcess.End {
    process.send(SIGTERM)
    return try process.awaitEnd()
  }
}

extension MotionClient {
  /// Commits these plans for one target.
  @discardableResult
  func add(_ intentions: Intention..., named name: IntentionName? = nil, to target: TargetName) throws -> Receipt {
    var transaction = Transaction()
    for intention in intentions {
      if let name {
        transaction.add(intention, named: name, to: target)
      } else {
        transaction.add(intention, to: target)
      }
    }
    return try commit(transaction)
  }

  /// The value of a property, if it exists.
  func state(of property: PropertyName, of target: TargetName) throws -> PropertyRow? {
    try properties().first { $0.reference == PropertyReference(target, property) }
  }

  /// The intentions of a target; none for a target that does not exist.
  func plans(of target: TargetName) throws -> [IntentionRow] { try intentions().filter { $0.target == target } }

  /// A worker, if it was ever needed.
  func worker(_ plugin: PluginName, _ instance: Int = 0) throws -> WorkerRow? {
    try plugins().first { $0.name == plugin }?.workers.first { $0.address.instance == instance }
  }

  /// Waits until a worker serves.
  func awaitReady(
    _ plugin: PluginName, _ instance: Int = 0, after incarnation: UInt64 = 0, within limit: Duration = factTimeout
  ) throws -> WorkerRow {
    try awaitFact("\(plugin).\(instance) serves", within: limit) {
      guard let row = try worker(plugin, instance), row.state == .ready, row.incarnation > incarnation else {
        return nil
      }
      return row
    }
  }

  /// Waits until nothing moves.
  func awaitIdle(within limit: Duration = factTimeout) throws {
    try awaitTruth("nothing moves", within: limit) { try !status().isActive }
  }
}

extension Status {
  /// A count by its name.
  subscript(name: String) -> UInt64? { counters.first { $0.name == name }?.value }
}
