/// An expression for targets: names, patterns and groups, separated by commas.
///
/// - `lamp1`: the target of this name, whether it exists or not.
/// - `lamp{1..12}`, `{left,right}-lamp`: all names that the braces stand for, whether they exist or not. `{01..12}` pads
///   with zeros.
/// - `lamp*`, `?amp`: the targets that exist when the transaction is committed; `*` stands for any text, `?` for one
///   character. Targets that an earlier operation of the same transaction adds count as well.
/// - `@front`: the members that the group has then.
///
/// The runtime resolves it once, when it accepts the transaction: what exists or joins later is not concerned. The
/// syntax is that of shells (bash, Brace Expansion and Pattern Matching).
public struct TargetSelector: Hashable, Sendable {
  /// The text as it was given.
  public let text: String
  package let terms: [Term]

  /// A part between two commas.
  package enum Term: Hashable, Sendable {
    case name(TargetName)
    case pattern(TargetPattern)
    case group(GroupName)
  }

  /// Reads a selector. Linear in the text; braces are not expanded.
  ///
  /// - Throws: ``TargetSelectorError`` with the part that is wrong, and the rule.
  public init(_ text: String) throws(TargetSelectorError) {
    guard text.utf8.count <= Limits.selectorBytes else {
      throw TargetSelectorError(text, "use at most \(Limits.selectorBytes) bytes, or a group")
    }
    var terms: [Term] = []
    for part in Self.parts(of: text) { terms.append(try Self.term(part)) }
    guard !terms.isEmpty else { throw TargetSelectorError(text, Self.rule) }
    (self.text, self.terms) = (text, terms)
  }

  /// The selector of several texts, each of which is a selector.
  public init(_ texts: [String]) throws(TargetSelectorError) { try self.init(texts.joined(separator: ",")) }

  /// The selector of one target.
  public init(_ target: TargetName) { (text, terms) = (target.text, [.name(target)]) }

  /// The selector of the members of a group.
  public init(group: GroupName) { (text, terms) = ("@\(group)", [.group(group)]) }

  /// The only target, if the selector is a plain name.
  public var name: TargetName? {
    if terms.count == 1, case .name(let name) = terms[0] { name } else { nil }
  }

  /// Whether the names that it stands for depend on nothing but the selector.
  public var isFixed: Bool {
    terms.allSatisfy { term in
      switch term {
      case .name: true
      case .pattern(let pattern): !pattern.isOpen
      case .group: false
      }
    }
  }

  /// The most targets for which it may stand, beside so many that exist.
  package func mostTargets(existing: Int) -> Int {
    terms.reduce(0) { sum, term in
      let more =
        switch term {
        case .name: 1
        case .group: Limits.groupMembers
        case .pattern(let pattern): pattern.isOpen ? existing : min(pattern.count, Limits.operationsPerTransaction)
        }
      return min(sum + more, Limits.operationsPerTransaction)
    }
  }

  /// Whether it names no group.
  package var hasNoGroups: Bool { terms.allSatisfy { if case .group = $0 { false } else { true } } }

  /// The texts with which all names begin that its parts stand for; empty for a part whose names may begin with anything.
  package var beginnings: [String] {
    terms.map { term in
      switch term {
      case .name(let name): name.text
      case .pattern(let pattern): pattern.beginning
      case .group: ""
      }
    }
  }

  /// The groups that it names, in order.
  package var groups: [GroupName] { terms.compactMap { if case .group(let name) = $0 { name } else { nil } } }

  /// The first group that it names and that is not among these; `nil` if all are.
  package func missingGroup(among rows: [GroupRow]) -> GroupName? {
    groups.first { name in !rows.contains { $0.group == name } }
  }

  /// How many of its parts stand for targets that exist.
  package var openPatterns: Int {
    terms.count { if case .pattern(let pattern) = $0 { pattern.isOpen } else { false } }
  }

  /// The rule in words, for messages.
  public static let rule =
    "use target names, patterns such as lamp* or lamp{1..12}, and groups such as @front, separated by commas"

  /// The parts between commas that are not in braces, without the spaces around them.
  private static func parts(of text: String) -> [String] {
    var (parts, part, depth): ([String], String, Int) = ([], "", 0)
    for character in text {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if character == ",", depth <= 0 {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    return text.isEmpty ? [] : (parts + [part]).map(trimmed)
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace = { (character: Character) in character == " " }
    return String(String(text.drop(while: isSpace).reversed()).drop(while: isSpace).reversed())
  }

  private static func term(_ part: String) throws(TargetSelectorError) -> Term {
    if part.hasPrefix("@") {
      do {
        return .group(try GroupName(String(part.dropFirst())))
      } catch {
        throw TargetSelectorError(part, "the name of a group follows @: \(GroupNameRule.rule)")
      }
    }
    if let name = try? TargetName(part) { return .name(name) }
    return .pattern(try TargetPattern(part))
  }
}

extension TargetSelector: CustomStringConvertible, ExpressibleByStringLiteral {
  /// The text.
  public var description: String { text }

  /// Creates a selector from a literal in source code; an illegal literal is a programming error and traps.
  public init(stringLiteral text: String) {
    do {
      self = try TargetSelector(text)
    } catch {
      preconditionFailure(error.description)
    }
  }
}

/// The error for a text that is no selector.
public struct TargetSelectorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offending part, shortened to 64 characters.
  public let text: String
  /// The rule that it breaks, in words.
  public let rule: String

  init(_ text: String, _ rule: String) {
    self.text = text.count > 64 ? String(text.prefix(64)) + "…" : text
    self.rule = rule
  }

  /// The message for people: the problem and the rule.
  public var description: String { "\"\(text)\" does not select targets: \(rule)" }
}

extension TargetSelector {
  /// The names for which the selector stands, each once and in natural order.
  ///
  /// - Parameters:
  ///   - targets: the targets that exist.
  ///   - groups: the groups that exist.
  /// - Returns: no names if nothing matches, and `nil` if there are more than
  ///   ``Limits/operationsPerTransaction``.
  public func names(among targets: [TargetName], groups: [GroupRow]) -> [TargetName]? {
    var (known, names): (Set<TargetName>, [TargetName]) = ([], [])
    func take(_ name: TargetName) { if known.insert(name).inserted { names.append(name) } }
    // However often the braces make a name.
    let choices = terms.reduce(0) { sum, term in
      guard case .pattern(let pattern) = term, !pattern.isOpen else { return sum }
      return sum + min(pattern.count, 2 * Limits.operationsPerTransaction + 1)
    }
    guard choices <= 2 * Limits.operationsPerTransaction else { return nil }
    for term in terms {
      switch term {
      case .name(let name): take(name)
      case .group(let group): groups.first { $0.group == group }?.members.forEach(take)
      case .pattern(let pattern) where pattern.isOpen: targets.lazy.filter(pattern.matches).forEach(take)
      case .pattern(let pattern): (0..<pattern.count).lazy.compactMap(pattern.name(at:)).forEach(take)
      }
    }
    // They mostly are in order already, which costs a comparison for each.
    return names.count <= Limits.operationsPerTransaction ? names.sorted { $0.isListedBefore($1) } : nil
  }
}

extension TargetSelector {
  /// The names for which it stands in the order of its parts, each once; `nil` if they depend on what exists, or are too many.
  package var namesAsWritten: [TargetName]? {
    guard isFixed else { return nil }
    var (known, found): (Set<TargetName>, [TargetName]) = ([], [])
    for term in terms {
      guard let names = TargetSelector(term).names(among: [], groups: []) else { return nil }
      for name in names where known.insert(name).inserted { found.append(name) }
    }
    return found
  }

  private init(_ term: Term) { (text, terms) = ("", [term]) }

  /// Whether the selector stands for a target of this name, if that exists.
  ///
  /// - Parameter members: the members of a group; `nil` if there is no such group.
  public func contains(_ target: TargetName, members: (GroupName) -> [TargetName]?) -> Bool {
    terms.contains { term in
      switch term {
      case .name(let name): name == target
      case .pattern(let pattern): pattern.matches(target)
      case .group(let group): members(group)?.contains(target) ?? false
      }
    }
  }

  /// The selectors of the operations for targets that are given one by one: names as they are, and otherwise one for
  /// all, in which each target counts once.
  package static func operations(_ given: [TargetSelector]) -> [TargetSelector] {
    guard given.count > 1, given.contains(where: { $0.name == nil }) else { return given }
    return (try? TargetSelector(given.map(\.text))).map { [$0] } ?? given
  }
}
