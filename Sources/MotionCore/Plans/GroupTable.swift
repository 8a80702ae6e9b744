import MotionModel

/// The groups of targets: names for lists of names.
struct GroupTable {
  private var members: [GroupName: [TargetName]] = [:]
  /// The members of all groups together.
  private(set) var memberCount = 0

  var count: Int { members.count }

  /// The members of a group, in natural order; `nil` if there is no such group.
  subscript(name: GroupName) -> [TargetName]? { members[name] }

  /// The names of the groups.
  var names: some Collection<GroupName> { members.keys }

  /// The groups with their members, in natural order.
  var rows: [GroupRow] {
    members.map { GroupRow($0.key, $0.value) }.sorted { $0.group.isListedBefore($1.group) }
  }

  /// Sets the members of a group; without any, the group is gone.
  mutating func set(_ name: GroupName, _ targets: [TargetName]) {
    memberCount += targets.count - (members[name]?.count ?? 0)
    members[name] = targets.isEmpty ? nil : targets
  }

  /// Refuses more groups or members than a runtime may have.
  func check() throws(Refusal) {
    guard count <= Limits.groups else {
      throw Refusal(
        .limit, field: "group", "there would be \(count) groups, more than the limit of \(Limits.groups)",
        remedy: "Remove groups that are no longer needed.")
    }
    guard memberCount <= Limits.groupMembers else {
      throw Refusal(
        .limit, field: "group",
        "all groups together would have \(memberCount) members, more than the limit of \(Limits.groupMembers)",
        remedy: "Remove groups that are no longer needed, or use patterns.")
    }
  }
}
