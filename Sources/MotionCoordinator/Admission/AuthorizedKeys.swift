package import ZeroMQ

/// The keys that may connect over tcp, each with a role and a name.
package struct AuthorizedKeys: Equatable, Sendable {
  /// The role of a key's holder.
  package enum Role: String, Sendable {
    /// A client: control and values.
    case client
    /// A worker of the plugin that is the key's name: link, commands, ticks and events.
    case worker
  }

  /// One line of the file.
  package struct Entry: Hashable, Sendable {
    package let role: Role
    package let key: CurveKey
    /// The holder's name, for people; for a worker `PLUGIN` or `PLUGIN.INSTANCE`.
    package let name: String
  }

  /// All of them, in the order of the file.
  package private(set) var entries: [Entry] = []
  private var roles: [CurveKey: Role] = [:]

  /// No keys.
  init() {}

  /// Whether a key may be used in a role.
  func has(_ key: CurveKey, as role: Role) -> Bool { roles[key] == role }

  /// Adds a key. Returns `false`, without a change, if the key is there already.
  mutating func add(_ entry: Entry) -> Bool {
    guard roles[entry.key] == nil else { return false }
    roles[entry.key] = entry.role
    entries.append(entry)
    return true
  }

  /// The name of a key.
  func name(of key: CurveKey) -> String? { entries.first { $0.key == key }?.name }
}
