import MotionModel
import ZeroMQ

/// The highest priorities that clients may state: by the user of a local client, or by the key of a client on another
/// machine. A name that a client gives itself grants nothing.
///
/// motiond's own user and root may state every priority: they may also stop everything, and end motiond. All others may
/// state none above 0 until they are granted one. Every client may state a priority below 0, which only yields.
public struct PriorityGrants: Hashable, Sendable {
  /// The highest priority of one client, and the setting that grants it.
  struct Grant: Equatable {
    let highest: Int32
    /// The part of the setting before the number, such as `user:1000`.
    let holder: String
  }

  private var users: [UInt32: Int32] = [:]
  private var keys: [String: Int32] = [:]
  private var otherUsers: Int32 = 0
  private var otherKeys: Int32 = 0

  /// The grants where nothing is configured.
  ///
  /// - Parameter own: the user of motiond.
  public init(own: UInt32) {
    for user in [own, 0] { users[user] = Limits.priority.upperBound }
  }

  /// Reads the setting: `user:1000=10,key:desk=50,users=0,keys=5`. It replaces the usual grants of those it names.
  ///
  /// - Throws: ``StartError`` for an entry that is none, with its form.
  public init(_ text: String?, own: UInt32) throws {
    self.init(own: own)
    guard let text else { return }
    var holders: Set<String> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let entry = String(part.trimmed)
      try add(entry)
      let holder = entry.prefix { $0 != "=" }.filter { !$0.isWhitespace }
      guard holders.insert(String(holder)).inserted else {
        throw StartError(
          "read which priorities clients may state", "\(holder) is granted a priority twice", remedy: "Grant it once")
      }
    }
  }

  private mutating func add(_ entry: String) throws {
    let sides = entry.split(separator: "=", omittingEmptySubsequences: false).map { String($0.trimmed) }
    let words = (sides.first ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
      String($0.trimmed)
    }
    guard sides.count == 2, let highest = Int32(sides[1]), (0...Limits.priority.upperBound).contains(highest) else {
      throw Self.invalid(entry)
    }
    switch (words[0], words.count) {
    case ("user", 2):
      guard let user = UInt32(words[1]) else { throw Self.invalid(entry) }
      users[user] = highest
    case ("key", 2) where !words[1].isEmpty: keys[words[1]] = highest
    case ("users", 1): otherUsers = highest
    case ("keys", 1): otherKeys = highest
    default: throw Self.invalid(entry)
    }
  }

  private static func invalid(_ entry: String) -> StartError {
    StartError(
      "read which priorities clients may state", "\"\(entry)\" is no grant of a priority",
      remedy:
        "Give user:ID=N, key:NAME=N, users=N or keys=N, with N from 0 to \(Limits.priority.upperBound), and commas "
        + "between, such as user:1000=10,key:desk=50")
  }

  /// The grant of a client; of one whose connection is not known, that of others on this machine.
  ///
  /// - Parameter authorized: the keys with their names.
  func grant(of peer: PeerName.Peer?, by authorized: AuthorizedKeys) -> Grant {
    switch peer {
    case .process(let process):
      return Grant(highest: users[process.userID] ?? otherUsers, holder: "user:\(process.userID)")
    case .key(let key):
      guard let name = authorized.name(of: key) else { return Grant(highest: otherKeys, holder: "keys") }
      return Grant(highest: keys[name] ?? otherKeys, holder: "key:\(name)")
    case nil: return Grant(highest: otherUsers, holder: "users")
    }
  }
}

extension PriorityGrants.Grant {
  /// Refuses a transaction whose highest priority is above the grant.
  func check(_ highest: HighestPriority?) throws(Refusal) {
    guard let stated = highest, stated.priority > self.highest else { return }
    // Beyond its bounds, no grant helps: the check of the plan refuses it.
    guard Limits.priority.contains(stated.priority) else { return }
    throw Refusal(
      Refusal.Code(rawValue: "forbidden"), operation: stated.operation, field: Intention.priorityField,
      "the priority \(stated.priority) is above \(self.highest), the highest that this client may state",
      remedy: "State at most \(self.highest), or let the operator start motiond with "
        + "--allow-priority \(holder)=\(stated.priority)")
  }
}

/// The highest priority that a transaction states, above 0, and the first operation that states it.
struct HighestPriority: Hashable, Sendable {
  let priority: Int32
  let operation: Int

  /// `nil` for a transaction without a priority above 0. Linear in the log.
  init?(of transaction: Transaction) {
    var highest: (priority: Int32, operation: Int) = (0, 0)
    for (index, operation) in transaction.log.enumerated() {
      if case .add(let intention, _, _) = operation, intention.priority > highest.priority {
        highest = (intention.priority, index)
      }
      // Cues that follow have no requester: their list is loaded with the grant for them.
      guard case .cues(_, .list(let list)) = operation else { continue }
      for cue in list.cues {
        guard let inCue = HighestPriority(of: cue.content), inCue.priority > highest.priority else { continue }
        highest = (inCue.priority, index)
      }
    }
    guard highest.priority > 0 else { return nil }
    (priority, self.operation) = (highest.priority, highest.operation)
  }
}
