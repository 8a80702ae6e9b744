import Glibc
import ZeroMQ

/// The users that may be clients over ipc: motiond's own, root, and either some others or the members of a group.
public struct AllowedClients: Hashable, Sendable {
  /// Besides motiond's own and root.
  public let userIDs: Set<UInt32>
  /// The group whose members may open the sockets, if any: the kernel blocks all other users.
  public let groupID: UInt32?
  private let own: UInt32

  /// Only `own`, the user of motiond, and root.
  public init(own: UInt32) { self.init(userIDs: [], own: own) }

  /// These users too.
  public init(userIDs: Set<UInt32>, own: UInt32) {
    self.userIDs = userIDs
    groupID = nil
    self.own = own
  }

  /// The members of this group too.
  public init(groupID: UInt32, own: UInt32) {
    userIDs = []
    self.groupID = groupID
    self.own = own
  }

  /// Whether a process may be a client.
  func contains(_ peer: LocalPeer) -> Bool {
    // A process that has opened a socket restricted to a group is a member of it, by its primary group or by another.
    peer.userID == own || peer.userID == 0 || userIDs.contains(peer.userID) || groupID != nil
  }

  /// The mode of the directories that lead to the sockets of clients.
  var directoryMode: UInt32 { groupID != nil ? 0o710 : userIDs.isEmpty ? 0o700 : 0o711 }

  /// The mode of these sockets.
  var socketMode: UInt32 { groupID != nil ? 0o660 : userIDs.isEmpty ? 0o600 : 0o666 }

  /// Reads the settings.
  ///
  /// - Parameters:
  ///   - users: numbers of users, with commas between.
  ///   - group: the name or the number of a group.
  ///   - own: the user of motiond.
  /// - Throws: ``StartError`` for an invalid user or group, and for both at once: a group is enforced by the
  ///   directories' modes, through which single users could not pass then.
  public init(users: String?, group: String?, own: UInt32) throws {
    switch (users, group) {
    case (nil, nil): self.init(own: own)
    case (let users?, nil): self.init(userIDs: try Self.userIDs(users), own: own)
    case (nil, let group?): self.init(groupID: try Self.groupID(group), own: own)
    case (_?, _?):
      throw StartError(
        "read who may be a client", "both users and a group are given",
        remedy: "Give the group only, and put these users into it")
    }
  }

  private static func userIDs(_ text: String) throws -> Set<UInt32> {
    var userIDs: Set<UInt32> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      // Spaces are allowed only around a number: "1000 1001" never means the user 10001001.
      guard let userID = UInt32(part.trimmed) else {
        throw StartError(
          "read who may be a client", "\"\(part)\" is not a user ID",
          remedy: "Give user IDs separated by commas, such as 1000,1001; id -u NAME prints the ID of a user")
      }
      userIDs.insert(userID)
    }
    return userIDs
  }

  private static func groupID(_ text: String) throws -> UInt32 {
    if let number = UInt32(text) { return number }
    guard let group = getgrnam(text) else {
      throw StartError(
        "read who may be a client", "there is no group \"\(text)\"",
        remedy: "Create it with groupadd, or give the name or number of an existing group", isNotFound: true)
    }
    return group.pointee.gr_gid
  }
}
