import MotionModel

/// Reads a plugin's manifest out of a JSON file.
struct PluginManifestReader {
  var file: FileReader

  init(_ file: FileReader) { self.file = file }

  private static let entries = [
    "name", "executable", "arguments", "environment", "libraries", "protocol", "documentation", "wantsUpdates",
    "instances", "onLost", "limits", "executors", "intentions",
  ]

  /// Returns the manifest; errors are in the file's errors.
  mutating func read() -> PluginManifest? {
    let required = ["name", "executable", "protocol", "intentions"]
    guard let members = file.members(of: file.root, known: Self.entries, required: required) else { return nil }
    let name: PluginName? = file.name(members["name"], field: "name")
    let executable = readExecutable(members["executable"])
    let versions = readVersions(members["protocol"])
    let intentions = readIntentions(members["intentions"])
    var manifest = PluginManifest(
      name: name ?? "unnamed", executable: executable ?? "", protocolVersions: versions ?? 1...1,
      intentions: intentions)
    manifest.unnamedOnly = readExecutors(members["executors"], of: intentions)
    manifest.arguments = readArguments(members["arguments"])
    manifest.environment = readEnvironment(members["environment"])
    manifest.libraries = readLibraries(members["libraries"])
    manifest.documentation = file.text(members["documentation"], field: "documentation") ?? ""
    manifest.wantsUpdates = file.flag(members["wantsUpdates"], field: "wantsUpdates") ?? true
    manifest.instances =
      file.integer(members["instances"], in: 1...Limits.instancesPerPlugin, field: "instances") ?? 1
    manifest.limits = readLimits(members["limits"])
    manifest.onLost = file.choice(members["onLost"], field: "onLost") ?? .hold
    return manifest
  }

  /// Returns a path that stays within the plugin's folder, so that a manifest cannot make the coordinator run another
  /// file.
  private mutating func readExecutable(_ value: JSONValue?) -> String? {
    guard let value, let path = file.text(value, field: "executable") else { return nil }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let leavesFolder = path.hasPrefix("/") || parts.contains("..")
    let isPath = parts.last?.isEmpty == false && parts.last != "." && !path.utf8.contains(0)
    if !leavesFolder, isPath, path.utf8.count <= Limits.executablePathBytes { return path }
    file.report(
      leavesFolder ? "the program lies outside the plugin's folder" : "this is no path of a program",
      "Use a path relative to the folder, without \"..\".", field: "executable", at: value.offset)
    return nil
  }

  /// Reads one version, or the least and the greatest.
  private mutating func readVersions(_ value: JSONValue?) -> ClosedRange<Int>? {
    guard let value else { return nil }
    let possible = 1...65_535
    guard case .object = value.content else {
      return file.integer(value, in: possible, field: "protocol").map { $0...$0 }
    }
    let keys = ["min", "max"]
    guard let members = file.members(of: value, known: keys, required: keys, field: "protocol"),
      let least = file.integer(members["min"], in: possible, field: "protocol"),
      let most = file.integer(members["max"], in: possible, field: "protocol")
    else { return nil }
    if least <= most { return least...most }
    file.report("min is above max", "Write the lower one first.", field: "protocol", at: value.offset)
    return nil
  }

  private mutating func readLimits(_ value: JSONValue?) -> PluginLimits {
    var limits = PluginLimits()
    let names = PluginLimits.names.map(\.name)
    guard let value, let members = file.members(of: value, known: names, required: [], field: "limits") else {
      return limits
    }
    for (name, range, entry) in PluginLimits.names {
      limits[keyPath: entry] = file.integer(members[name], in: range, field: name)
    }
    return limits
  }

  private mutating func readArguments(_ value: JSONValue?) -> [String] {
    let arguments = file.texts(value, field: "arguments", most: Limits.argumentsPerPlugin) ?? []
    if let value, arguments.contains(where: { $0.utf8.contains(0) }) {
      file.report("an argument holds a zero byte", "Leave it out.", field: "arguments", at: value.offset)
    }
    return arguments
  }

  private mutating func readEnvironment(_ value: JSONValue?) -> [String] {
    let names = file.texts(value, field: "environment", most: Limits.argumentsPerPlugin) ?? []
    for name in names where !isVariable(name) || name.hasPrefix("MOTION_") {
      file.report(
        "\(JSONText.string(String(name.prefix(64)))) cannot be passed on",
        "List names of variables; those that begin with MOTION_ are set anyway.", field: "environment",
        at: value?.offset ?? 0)
    }
    return names
  }

  private mutating func readLibraries(_ value: JSONValue?) -> [String] {
    let paths = file.texts(value, field: "libraries", most: Limits.argumentsPerPlugin) ?? []
    for path in paths where !path.hasPrefix("/") || path.utf8.contains(0) || path.utf8.count > Limits.pathBytes {
      file.report(
        "\(JSONText.string(String(path.prefix(64)))) is no folder of libraries", "List absolute paths.",
        field: "libraries", at: value?.offset ?? 0)
    }
    return paths
  }

  private func isVariable(_ name: String) -> Bool {
    (1...Limits.textBytes).contains(name.utf8.count) && name.utf8.first?.isDigit == false
      && name.utf8.allSatisfy {
        $0.isDigit || $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
      }
  }

  /// Returns the executors that accept no names.
  private mutating func readExecutors(
    _ value: JSONValue?, of intentions: [IntentionDescription]
  ) -> [ExecutorType] {
    var unnamedOnly: [ExecutorType] = []
    for element in file.elements(value, field: "executors", most: Limits.intentionsPerPlugin) ?? [] {
      guard
        let members = file.members(
          of: element, known: ["type", "named"], required: ["type"], field: "executors"),
        let type: ExecutorType = file.name(members["type"], field: "type")
      else { continue }
      let types = intentions.map(\.executor.text)
      if !types.contains(type.text) {
        file.report(
          "no intention here has the executor \"\(type)\"",
          NearestName.remedy(for: type.text, among: types, plural: "executors"), field: "type", at: element.offset)
      }
      if file.flag(members["named"], field: "named") == false, !unnamedOnly.contains(type) { unnamedOnly.append(type) }
    }
    return unnamedOnly
  }
}
