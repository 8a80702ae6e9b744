import ArgumentParser
import MotionClient
import MotionModel

/// Reads a selector of targets.
func parsedSelector(_ text: String) throws -> TargetSelector {
  do {
    return try TargetSelector(text)
  } catch {
    throw ValidationError(error.description)
  }
}

extension TargetSelector {
  /// The names for which the selector stands at the present of what answers queries.
  ///
  /// - Throws: the failure of a selector that stands for no target.
  func names(_ ask: (Query) throws(Failure) -> Answer) throws(Failure) -> [TargetName] {
    if let name { return [name] }
    var (targets, groups): ([TargetName], [GroupRow]) = ([], [])
    if openPatterns > 0, case .targets(let rows) = try ask(.targets) { targets = rows.map(\.target) }
    if !hasNoGroups, case .groups(let rows) = try ask(.groups) { groups = rows }
    if let group = missingGroup(among: groups) {
      throw Failure(
        .refused, "there is no group \"\(group)\"",
        remedy: NearestName.remedy(for: group.text, among: groups.map(\.group.text), plural: "groups"))
    }
    guard let names = names(among: targets, groups: groups) else {
      throw Failure(
        .usage, "\"\(self)\" stands for more than \(Limits.operationsPerTransaction) targets",
        remedy: "use a pattern such as lamp*")
    }
    guard !names.isEmpty else {
      throw Failure(
        .refused, "no target matches \"\(self)\"", remedy: "list the targets: motionctl list targets")
    }
    return names
  }

  /// The names of several selectors, each once, without members of groups that do not exist.
  static func existingNames(
    of selectors: [TargetSelector], _ ask: (Query) throws(Failure) -> Answer
  ) throws(Failure) -> [TargetName] {
    var names: [TargetName] = []
    var seen: Set<TargetName> = []
    var existing: Set<TargetName> = []
    if !selectors.allSatisfy(\.hasNoGroups), case .targets(let rows) = try ask(.targets) {
      existing = Set(rows.map(\.target))
    }
    for selector in selectors {
      let isStated = Set(selector.terms.compactMap { if case .name(let name) = $0 { name } else { nil } })
      for name in try selector.names(ask) {
        guard selector.hasNoGroups || existing.contains(name) || isStated.contains(name) else { continue }
        if seen.insert(name).inserted { names.append(name) }
      }
    }
    return names
  }
}

extension MotionClient {
  /// The answer to a query, as a command needs it.
  func answer(_ query: Query) throws(Failure) -> Answer {
    try failing { () throws(MotionClientError) in try self.query(query) }
  }
}
