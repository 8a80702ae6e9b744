import Configuration
import Foundation
import Glibc
import Logging
import MotionCoordinator
import MotionModel
import MotionWire
import SystemPackage

/// All settings of motiond: from the flag, else the environment, else the file, else the default. They are checked
/// before anything starts.
struct Settings {
  var coordinator: CoordinatorSettings
  var logLevel = Logger.Level.info
  /// The file that was read, if any.
  var file: String?

  init(_ flags: Motiond, environment: [String: String]) async throws {
    let sources = try await Sources(flags.config, environment: environment)
    file = sources.path
    let directory = try sources.text("runtimeDir", flag: flags.runtimeDir)
    let paths = RuntimePaths.preferred(flag: directory, environment: environment)
    if let problem = paths.problem { throw SettingsError(problem) }
    coordinator = CoordinatorSettings(
      runtimeDirectory: paths.directory,
      stateDirectory: try sources.text("stateDir", flag: flags.stateDir) ?? Self.stateDirectory(environment),
      pluginPaths: [])
    let named = try Self.namedPluginPaths(flags, sources, environment)
    coordinator.pluginPaths = named + Self.installedPluginPaths(environment)
    coordinator.namedPluginPaths = Set(named)
    coordinator.environment = ProcessEnvironment(environment)
    coordinator.rig = try sources.text("rig", flag: flags.rig)
    coordinator.recordPath = try sources.text("record", flag: flags.record)
    if let history = try sources.text("history", flag: flags.history) {
      coordinator.history = history == "none" ? nil : try HistoryLimits(history)
    }
    coordinator.preferences = try sources.preferences()
    coordinator.workerLimits = try sources.workerLimits()
    try setRate(sources.number("rate", flag: flags.rate))
    setJournal(try sources.text("journal", flag: flags.journal))
    coordinator.acceptsLoss = flags.acceptLoss
    coordinator.clients = try AllowedClients(
      users: sources.text("allowUid", flag: flags.allowUid), group: sources.text("allowGid", flag: flags.allowGid),
      own: geteuid())
    coordinator.priorities = try PriorityGrants(
      sources.text("allowPriority", flag: flags.allowPriority), own: geteuid())
    coordinator.clientListener = try sources.text("listen", flag: flags.listen).map {
      try RemoteListener($0, ports: RemoteListener.clientPorts)
    }
    coordinator.workerListener = try sources.text("listenWorkers", flag: flags.listenWorkers).map {
      try RemoteListener($0, ports: RemoteListener.workerPorts)
    }
    coordinator.key = try sources.text("key", flag: flags.key)
    coordinator.authorizedKeys = try sources.text("authorizedKeys", flag: flags.authorizedKeys)
    coordinator.metrics = try sources.text("metrics", flag: flags.metrics).map { try MetricsAddress($0) }
    coordinator.affinity = try sources.affinity(flag: flags.affinity)
    try setLogLevel(sources.text("logLevel", flag: flags.logLevel))
  }

  private mutating func setRate(_ rate: Double?) throws {
    guard let rate else { return }
    guard Limits.rate.contains(rate) else {
      throw SettingsError("the rate is \(rate) frames per second; give 1 to 1000")
    }
    coordinator.ratePerSecond = rate
  }

  private mutating func setJournal(_ journal: String?) {
    coordinator.journalDirectory = journal == "none" ? nil : journal ?? "\(coordinator.stateDirectory)/journal"
  }

  private mutating func setLogLevel(_ text: String?) throws {
    guard let text else { return }
    guard let level = Logger.Level(rawValue: text.lowercased()) else {
      let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingsError("\"\(text)\" is not a log level; give one of \(known)")
    }
    logLevel = level
  }

  private static func stateDirectory(_ environment: [String: String]) -> String {
    if let home = environment["XDG_STATE_HOME"], !home.isEmpty { return "\(home)/motiond" }
    // The default of the XDG base directories; root's state belongs to the machine.
    if geteuid() != 0, let home = environment["HOME"], !home.isEmpty { return "\(home)/.local/state/motiond" }
    return "/var/lib/motiond"
  }

  /// The paths in this order: flags, environment, file.
  private static func namedPluginPaths(
    _ flags: Motiond, _ sources: Sources, _ environment: [String: String]
  ) throws -> [String] {
    guard !flags.pluginPath.contains("") else {
      throw SettingsError("--plugin-path is empty; give a value, or leave it out")
    }
    var paths = flags.pluginPath
    if let named = environment["MOTIOND_PLUGIN_PATH"] { paths += named.split(separator: ":").map(String.init) }
    if let named = try sources.fileText("pluginPath") { paths += named.split(separator: ":").map(String.init) }
    return paths
  }

  /// The places where plugins are installed: the user's, then the machine's.
  private static func installedPluginPaths(_ environment: [String: String]) -> [String] {
    let home = environment["HOME"] ?? ""
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? (home.isEmpty ? nil : "\(home)/.local/share")
    let own = data.map { ["\($0)/motiond/plugins"] } ?? []
    return own + ["/usr/local/lib/motiond/plugins", "/usr/lib/motiond/plugins"]
  }
}

/// The sources of settings besides flags.
struct Sources {
  /// The file that was read, if any.
  let path: String?
  private let file: ConfigReader?
  private let environment: [String: String]

  init(_ flag: String?, environment: [String: String]) async throws {
    self.environment = environment
    let named = flag ?? environment["MOTIOND_CONFIG"]
    // A file that exists but cannot be read is an error; it is not ignored.
    path = named ?? Self.usual(environment).first { access($0, F_OK) == 0 }
    guard let path else {
      file = nil
      return
    }
    try ConfigurationKeys.check(path)
    guard try !ConfigurationKeys.isEmpty(path) else {
      file = nil
      return
    }
    do {
      file = ConfigReader(provider: try await FileProvider<YAMLSnapshot>(filePath: FilePath(path)))
    } catch {
      throw SettingsError("the configuration \(path) cannot be read: \(error)")
    }
  }

  private static func usual(_ environment: [String: String]) -> [String] {
    let home = environment["HOME"] ?? ""
    let user =
      environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? (home.isEmpty ? nil : "\(home)/.config")
    return (user.map { ["\($0)/motiond/motiond.yaml"] } ?? []) + ["/etc/motiond/motiond.yaml"]
  }

  /// A text: from its flag, else `MOTIOND_…`, else the file.
  func text(_ key: String, flag: String?) throws -> String? {
    if let flag {
      // Mostly an empty variable of a shell. As a path it would mean the current directory.
      guard !flag.isEmpty else { throw SettingsError("\(Self.option(key)) is empty; give a value, or leave it out") }
      return flag
    }
    if let value = environment[Self.variable(key)], !value.isEmpty { return value }
    return try fileText(key) ?? file?.int(forKey: ConfigKey([key])).map(String.init)
  }

  /// A number, from the same sources.
  func number(_ key: String, flag: Double?) throws -> Double? {
    if let flag { return flag }
    if let value = environment[Self.variable(key)], !value.isEmpty {
      return try Self.number(value, of: Self.variable(key))
    }
    if let value = file?.double(forKey: ConfigKey([key])) { return value }
    if let value = file?.int(forKey: ConfigKey([key])) { return Double(value) }
    return try fileText(key).map { try Self.number($0, of: "\(key) in \(path ?? "")") }
  }

  /// The processors to run on; in the file a single one may be a plain number.
  func affinity(flag: String?) throws -> Affinity? {
    let written = try text("affinity", flag: flag) ?? file?.int(forKey: ConfigKey(["affinity"])).map(String.init)
    return try written.map { try Affinity($0) }
  }

  /// A text from the file.
  func fileText(_ key: String) throws -> String? {
    let text = file?.string(forKey: ConfigKey([key]))
    guard text?.isEmpty != true else {
      throw SettingsError("\(path ?? ""): \(key) is empty; give a value, or leave it out")
    }
    return text
  }

  /// The plugin that is preferred for a type that several claim: `prefer: ["Tween=tween"]` in the file.
  func preferences() throws -> [IntentionType: PluginName] {
    var preferences: [IntentionType: PluginName] = [:]
    for entry in file?.stringArray(forKey: ConfigKey(["prefer"])) ?? [] {
      let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw SettingsError("prefer: \"\(entry)\" is not TYPE=PLUGIN") }
      do {
        preferences[try IntentionType(parts[0])] = try PluginName(parts[1])
      } catch {
        throw SettingsError("prefer: \(error)")
      }
    }
    return preferences
  }

  /// The resource limits of workers: `workerLimits: ["memoryMiB=1024", "tween: descriptors=256"]` in the file.
  ///
  /// The limits of one plugin apply in addition to the limits of all plugins; of two the stricter one counts.
  func workerLimits() throws -> [PluginName?: PluginLimits] {
    var limits: [PluginName?: PluginLimits] = [:]
    for entry in file?.stringArray(forKey: ConfigKey(["workerLimits"])) ?? [] {
      let parts = entry.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      let words = (parts.last ?? "").split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
      guard words.count == 2, let (_, range, key) = PluginLimits.names.first(where: { $0.name == words[0] }),
        let number = Int(words[1]), range.contains(number)
      else {
        let known = PluginLimits.names.map { "\($0.name) (\($0.range.lowerBound) to \($0.range.upperBound))" }
        throw SettingsError(
          "workerLimits: \"\(entry)\" is not LIMIT=NUMBER or PLUGIN: LIMIT=NUMBER; limits are "
            + known.joined(separator: ", "))
      }
      do {
        let plugin = parts.count == 2 ? try PluginName(parts[0]) : nil
        limits[plugin, default: PluginLimits()][keyPath: key] = number
      } catch {
        throw SettingsError("workerLimits: \(error)")
      }
    }
    let common = limits[nil] ?? PluginLimits()
    return limits.mapValues { $0.restricted(by: common) }
  }

  private static func number(_ text: String, of name: String) throws -> Double {
    guard let number = Double(text) else { throw SettingsError("\(name) is \"\(text)\", not a number") }
    return number
  }

  /// `runtimeDir` is `--runtime-dir`.
  private static func option(_ key: String) -> String {
    "--" + key.reduce(into: "") { $0 += ($1.isUppercase ? "-" : "") + $1.lowercased() }
  }

  /// `runtimeDir` is `MOTIOND_RUNTIME_DIR`.
  private static func variable(_ key: String) -> String {
    "MOTIOND_" + key.reduce(into: "") { $0 += ($1.isUppercase ? "_" : "") + $1.uppercased() }
  }
}
