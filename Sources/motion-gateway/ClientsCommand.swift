import ArgumentParser
import Foundation
import MotionGateway
import MotionModel
import MotionWire

/// `motion-gateway clients`, also the command without a subcommand.
struct ClientsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clients",
    abstract: "Run a gateway between motiond and untrusted clients.",
    discussion: """
      Clients connect to the gateway as they would to motiond, with --runtime-dir GATEWAY-DIR or MOTIOND_RUNTIME_DIR:

        motion-gateway --gateway-dir /run/motion-gateway --group visitors --target visitor- &
        motionctl add SpringTo --runtime-dir /run/motion-gateway --to visitor-1 property=position destination=100,50

      With --listen, clients on other machines can connect that have one of the keys of --admit.
      """)

  @Option(
    name: .long, help: ArgumentHelp("motiond's directory (default: as for motionctl).", valueName: "dir"))
  var runtimeDir: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory of the gateway's sockets (default: $XDG_RUNTIME_DIR/motion-gateway or /run/motion-gateway).",
      valueName: "dir"))
  var gatewayDir: String?

  @Option(name: .long, help: ArgumentHelp("A group whose users may connect too.", valueName: "name"))
  var group: String?

  @Flag(name: .long, help: "Every user of the machine may connect.")
  var everybody = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A prefix of the names of targets that clients may use and see; may be given several times (default: all).",
      valueName: "prefix"))
  var target: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The allowed actions: commit, input, stop, schedule, clock, plugins, limits, scenes, cues, clients, why, \
      history (default: commit,input,stop).
      """,
      valueName: "list"))
  var allow: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The allowed types of intentions, separated by commas (default: all that do not reach outside the machine).",
      valueName: "types"))
  var allowTypes: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The allowed types that reach outside the machine, separated by commas, such as SendOSC (default: none).",
      valueName: "types"))
  var allowOutside: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The highest priority of plans that clients may state, at most what motiond grants to the gateway.",
      valueName: "priority"))
  var allowPriority: Int32 = 0

  @Flag(name: .long, help: "Clients may only query and subscribe.")
  var readOnly = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  @OptionGroup(title: "Other machines")
  var network: NetworkOptions

  @OptionGroup
  var log: LogOptions

  func validate() throws {
    for (option, value) in [("--runtime-dir", runtimeDir), ("--gateway-dir", gatewayDir), ("--group", group)]
    where value?.isEmpty == true {
      throw ValidationError("\(option) is empty; give a value, or leave it out")
    }
    guard (0...Limits.priority.upperBound).contains(allowPriority) else {
      throw ValidationError("--allow-priority is \(allowPriority); give 0 to \(Limits.priority.upperBound)")
    }
    if everybody, group != nil { throw ValidationError("give --group or --everybody, not both") }
    if readOnly, allow != nil { throw ValidationError("give --read-only or --allow, not both") }
    for prefix in target where (try? TargetName(prefix)) == nil {
      throw ValidationError("no name of a target can begin with \"\(prefix)\"")
    }
    _ = try permissions
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let motiond = RuntimePaths.preferred(flag: runtimeDir, environment: environment)
    let user = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/run"
    let own = RuntimePaths(directory: gatewayDir ?? "\(user)/motion-gateway")
    guard own.directory.hasPrefix("/") else {
      throw ValidationError("--gateway-dir is sent to clients: write an absolute path")
    }
    guard own != motiond else { throw ValidationError("the gateway needs a directory of its own, not motiond's") }
    var settings = GatewaySettings(motiond: motiond, own: own)
    settings.access = everybody ? .everybody : group.map { .group($0) } ?? .owner
    settings.permissions = try permissions
    settings.limits = limits.limits
    try log.run { logger in
      settings.network = try network.door
      try Gateway(settings, logger: logger).run()
    }
  }

  private static func types(_ text: String) throws -> Set<IntentionType> {
    try Set(
      text.split(separator: ",").map { word in
        do { return try IntentionType(String(word)) } catch { throw ValidationError("\(error)") }
      })
  }

  private var permissions: Permissions {
    get throws {
      var permissions = Permissions(prefixes: target)
      if readOnly { permissions.allowed = [] }
      permissions.highestPriority = allowPriority
      permissions.types = try allowTypes.map(Self.types)
      permissions.outside = try allowOutside.map(Self.types) ?? []
      guard let allow else { return permissions }
      permissions.allowed = Set(
        try allow.split(separator: ",").map { word in
          guard let permission = Permissions.Permission(rawValue: String(word)) else {
            let known = Permissions.Permission.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\"\(word)\" is not an action that can be allowed; known: \(known)")
          }
          return permission
        })
      return permissions
    }
  }
}
