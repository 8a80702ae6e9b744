import ArgumentParser
import Foundation
import Logging
import MotionGateway
import MotionModel
import MotionWire

/// The gateway: parses, and runs it.
@main
struct MotionGatewayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion-gateway",
    abstract: "Lets clients that are not trusted talk to motiond, through a process that dies instead of it.",
    discussion: """
      Clients connect to the gateway as they would to motiond, with --runtime-dir GATEWAY-DIR or MOTIOND_RUNTIME_DIR:

        motion-gateway --gateway-dir /run/motion-gateway --group visitors --target visitor- &
        motionctl --runtime-dir /run/motion-gateway add SpringTo --to visitor-1 property=position destination=100,50

      Every message is decoded, checked and said anew. Memory, connections, requests, operations, topics and what may be \
      done are limited. When a client exhausts it all the same, the gateway dies, and motiond does not: let a service \
      manager start it again.

      Signals: TERM and INT stop it. Exit codes: 0 stopped as asked, 1 failure, 2 wrong usage.
      """,
    version: Release.version)

  @Option(
    name: .long, help: ArgumentHelp("motiond's directory (default: as for motionctl).", valueName: "dir"))
  var runtimeDir: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where the gateway's sockets are (default: $XDG_RUNTIME_DIR/motion-gateway or /run/motion-gateway).",
      valueName: "dir"))
  var gatewayDir: String?

  @Option(name: .long, help: ArgumentHelp("A group whose users may connect too.", valueName: "name"))
  var group: String?

  @Flag(name: .long, help: "Every user of the machine may connect.")
  var everybody = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With what the names of targets begin that may be used and seen; may be given several times (default: all).",
      valueName: "prefix"))
  var target: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What is allowed, with commas: commit, input, stop, schedule, clock, plugins (default: commit,input,stop).",
      valueName: "list"))
  var allow: String?

  @Flag(name: .long, help: "Nothing but to ask and to subscribe is allowed.")
  var readOnly = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What to log: trace, debug, info, notice, warning, error, critical (default: info).", valueName: "level"))
  var logLevel = "info"

  /// The exit code of a wrong usage is 2 here, as for every command of motiond's.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      guard code == .success else {
        FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
        Foundation.exit(code == .failure ? 1 : 2)
      }
      print(fullMessage(for: error))
    }
  }

  func validate() throws {
    if everybody, group != nil { throw ValidationError("give --group or --everybody, not both") }
    if readOnly, allow != nil { throw ValidationError("give --read-only or --allow, not both") }
    if Logger.Level(rawValue: logLevel) == nil { throw ValidationError("\"\(logLevel)\" is no log level") }
    for prefix in target where (try? TargetName(prefix)) == nil {
      throw ValidationError("no name of a target begins with \"\(prefix)\"")
    }
    _ = try permissions
    try limits.check()
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let motiond = RuntimePaths.preferred(flag: runtimeDir, environment: environment)
    let user = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/run"
    let own = RuntimePaths(directory: gatewayDir ?? "\(user)/motion-gateway")
    guard own.directory.hasPrefix("/") else {
      throw ValidationError("--gateway-dir is told to clients: write it as a path from the root")
    }
    guard own != motiond else { throw ValidationError("the gateway needs a directory of its own, not motiond's") }
    var settings = GatewaySettings(motiond: motiond, own: own)
    settings.access = everybody ? .everybody : group.map { .group($0) } ?? .owner
    settings.permissions = try permissions
    settings.limits = limits.limits
    var logger = Logger(label: "motion-gateway") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
    do {
      try Gateway(settings, logger: logger).run()
    } catch {
      FileHandle.standardError.write(Data("motion-gateway: \(error)\n".utf8))
      throw ExitCode(1)
    }
  }

  private var permissions: Permissions {
    get throws {
      var permissions = Permissions(prefixes: target)
      if readOnly { permissions.allowed = [] }
      guard let allow else { return permissions }
      permissions.allowed = Set(
        try allow.split(separator: ",").map { word in
          guard let permission = Permissions.Permission(rawValue: String(word)) else {
            let known = Permissions.Permission.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\"\(word)\" cannot be allowed; known are \(known)")
          }
          return permission
        })
      return permissions
    }
  }
}
