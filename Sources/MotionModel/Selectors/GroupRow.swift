/// A group of targets.
public struct GroupRow: Hashable, Sendable {
  /// Its name.
  public var group: GroupName
  /// The names of its members, in natural order where selectors stood for them; targets of these names need not exist.
  public var members: [TargetName]

  /// Creates a group with its members.
  public init(_ group: GroupName, _ members: [TargetName]) { (self.group, self.members) = (group, members) }
}
