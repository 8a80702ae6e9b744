import ArgumentParser
import Foundation
import MotionGateway
import MotionModel
import MotionWire

/// `motion-gateway clients`, also the command without a subcommand.
struct ClientsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clients",
    abstract: "Stand between motiond and clients that are not trusted.",
    discussion: """
      Clients connect to the gateway as they would to motiond, with --runtime-dir GATEWAY-DIR or MOTIOND_RUNTIME_DIR:

        motion-gateway --gateway-dir /run/motion-gateway --group visitors --target visitor- &
        motionctl add SpringTo --runtime-dir /run/motion-gateway --to visitor-1 property=position destination=100,50

      With --listen those on other machines do, as to motiond, who hold one of the keys of --admit.
      """)

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

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The types of intentions that may be committed, with commas (default: all that do not reach outside the machine).",
      valueName: "types"))
  var allowTypes: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Types that may be committed although they reach outside the machine, with commas, such as SendOSC (default: none).",
      valueName: "types"))
  var allowOutside: String?

  @Flag(name: .long, help: "Nothing but to ask and to subscribe is allowed.")
  var readOnly = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  @OptionGroup(title: "Other machines")
  var network: NetworkOptions

  @OptionGroup
  var log: LogOptions

  func validate() throws {
    if everybody, group != nil { throw ValidationError("give --group or --everybody, not both") }
    if readOnly, allow != nil { throw ValidationError("give --read-only or --allow, not both") }
    for prefix in target where (try? TargetName(prefix)) == nil {
      throw ValidationError("no name of a target begins with \"\(prefix)\"")
    }
    _ = try permissions
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
      permissions.types = try allowTypes.map(Self.types)
      permissions.outside = try allowOutside.map(Self.types) ?? []
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
