/// The sender of a commit: the facts that the connection provides, and the name that the client gives itself.
public struct Committer: Hashable, Sendable {
  /// The name that the client gives itself; may be empty. It is not verified.
  public var name: String
  /// The user it runs as, if it is on the same machine.
  public var user: UInt32?
  /// Its process, if it is on the same machine.
  public var process: Int32?
  /// Its public key in Z85, if the client has presented one; otherwise empty.
  public var key: String

  /// Creates a client of this name.
  public init(name: String = "", user: UInt32? = nil, process: Int32? = nil, key: String = "") {
    self.name = name
    self.user = user
    self.process = process
    self.key = key
  }
}

/// The committer, time and reason of a transaction. They are kept with its row, with its plans, and while it waits.
///
/// It does not influence motion: a replay without it has the same frames.
public struct Provenance: Hashable, Sendable {
  /// One reference for all fields: a message may have a hundred thousand rows, and each stores only one reference.
  private final class Storage: Sendable {
    let client: Committer
    let onBehalfOf: Committer?
    let wallTime: Int64
    let comment: String

    init(_ client: Committer, _ onBehalfOf: Committer?, _ wallTime: Int64, _ comment: String) {
      (self.client, self.onBehalfOf, self.wallTime, self.comment) = (client, onBehalfOf, wallTime, comment)
    }
  }

  private let storage: Storage

  /// The client that committed it.
  public var client: Committer { storage.client }
  /// The client of a gateway on whose behalf the commit was made, as the gateway states.
  public var onBehalfOf: Committer? { storage.onBehalfOf }
  /// The time of its acceptance: nanoseconds since 1970.
  public var wallTime: Int64 { storage.wallTime }
  /// The comment of the commit; may be empty.
  public var comment: String { storage.comment }

  /// Creates the provenance of a transaction that was accepted at this time.
  public init(_ client: Committer, onBehalfOf: Committer? = nil, wallTime: Int64, comment: String = "") {
    storage = Storage(client, onBehalfOf, wallTime, comment)
  }

  /// Whether both have equal contents.
  public static func == (one: Self, other: Self) -> Bool {
    one.storage === other.storage
      || (one.wallTime == other.wallTime && one.client == other.client && one.onBehalfOf == other.onBehalfOf
        && one.comment == other.comment)
  }

  /// Hashes the contents.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(client)
    hasher.combine(onBehalfOf)
    hasher.combine(wallTime)
    hasher.combine(comment)
  }
}

extension Committer: CustomStringConvertible {
  /// `motionctl (user 1000, process 4711)`, for people; `a client (user 1000, process 4711)` if it has no name.
  public var description: String {
    let facts = [
      user.map { "user \($0)" }, process.map { "process \($0)" }, key.isEmpty ? nil : "key \(key)",
    ].compactMap(\.self).joined(separator: ", ")
    let name = !name.isEmpty ? name : facts.isEmpty ? "a client without a name" : "a client"
    return facts.isEmpty ? name : "\(name) (\(facts))"
  }
}

extension Provenance: CustomStringConvertible {
  /// The client, and the client on whose behalf it committed, for people.
  public var description: String { onBehalfOf.map { "\($0) by way of \(client)" } ?? client.description }
}
