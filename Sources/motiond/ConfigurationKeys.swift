import Foundation
import MotionCoordinator
import MotionModel
import Yams

/// The keys of the configuration file. A misspelt key or a value of the wrong kind is refused, never ignored.
enum ConfigurationKeys {
  /// The kind of value that a key requires.
  private enum Kind: String {
    case number = "a number"
    case text = "a text"
    case list = "a list of texts"
    case group = "the name or number of a group"
    case users = "one or several user IDs, such as \"1000,1001\""
    case processors = "the number of one or two processors, such as \"0,1\""
  }

  private static let kinds: [String: Kind] = [
    "allowGid": .group, "allowPriority": .text, "allowUid": .users, "authorizedKeys": .text, "key": .text,
    "listen": .text,
    "listenWorkers": .text,
    "rate": .number, "journal": .text, "pluginPath": .text, "runtimeDir": .text, "stateDir": .text, "record": .text,
    "history": .text,
    "rig": .text,
    "logLevel": .text, "metrics": .text, "prefer": .list, "affinity": .processors,
    "workerLimits": .list,
  ]

  /// Checks the file at `path`.
  ///
  /// - Throws: ``SettingsError`` with the key, the problem, and the correct form.
  static func check(_ path: String) throws {
    let root: Node?
    do {
      root = try Yams.compose(yaml: text(of: path))
    } catch let error as YamlError {
      throw SettingsError("the configuration \(path) is not YAML: \(error)")
    }
    guard let root else { return }
    for (key, value) in try entries(of: root, path).sorted(by: { $0.key < $1.key }) { try check(key, value, path) }
  }

  /// The entries of the file as nodes. YAML has keys that are lists or mappings themselves, and values of any depth.
  /// Converting these into a dictionary with Yams ends the process, so they are not converted.
  private static func entries(of root: Node, _ path: String) throws -> [(key: String, value: Node)] {
    guard case .mapping(let mapping) = root else {
      throw SettingsError("the configuration \(path) is not a mapping of keys to values; write, for example, rate: 120")
    }
    return try mapping.map { key, value in
      guard case .scalar(let scalar) = key else {
        throw SettingsError("\(path): a key is a list or a mapping; write, for example, rate: 120")
      }
      return (scalar.string, value)
    }
  }

  /// The limit of the file's size in bytes: some hundred times the size of all keys together.
  private static let longest = 1 << 20

  /// The text of a file.
  private static func text(of path: String) throws -> String {
    let bytes: [UInt8]
    do {
      bytes = try TrustedFile.bytes(of: path, option: "--config", limit: longest)
    } catch let error as StartError {
      throw SettingsError("the configuration \(path) cannot be read: \(error.problem); \(error.remedy)")
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      throw SettingsError(
        "the configuration \(path) cannot be read: it is not UTF-8; fix it, or give --config another file")
    }
    return text
  }

  /// Whether a file has no settings: it is empty, or all of it is commented out.
  static func isEmpty(_ path: String) throws -> Bool { try Yams.load(yaml: text(of: path)) == nil }

  private static func check(_ key: String, _ node: Node, _ path: String) throws {
    guard let kind = kinds[key] else {
      let near = NearestName.suggestion(for: key, among: kinds.keys.sorted())
      let remedy = near.map { "did you mean \($0)?" } ?? "known: \(kinds.keys.sorted().joined(separator: ", "))"
      throw SettingsError("\(path): unknown setting \"\(key)\"; \(remedy)")
    }
    let value = plain(node)
    let fits =
      switch kind {
      case .number: value is Int || value is Double
      case .text: value is String
      case .list: value is [String]
      case .group, .processors, .users: value is Int || value is String
      }
    guard fits else { throw SettingsError("\(path): \(key) must be \(kind.rawValue)") }
  }

  /// The value of a scalar or of a list of scalars; `nil` for deeper values, which no setting has.
  private static func plain(_ node: Node) -> Any? {
    switch node {
    case .scalar: return node.any
    case .sequence(let sequence):
      let isFlat = sequence.allSatisfy { element in if case .scalar = element { true } else { false } }
      return isFlat ? sequence.map(\.any) : nil
    default: return nil
    }
  }
}
