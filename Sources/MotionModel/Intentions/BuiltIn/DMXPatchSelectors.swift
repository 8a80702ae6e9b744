/// The parts of a patch whose targets are known only when it is committed: patterns with `*` or `?`, and groups.
///
/// A runtime replaces them by names when it accepts the plan, so that lamps that come later do not join.
package struct DMXPatchSelectors {
  /// A text that stands for fixtures.
  package struct Part {
    /// The selector.
    package let selector: TargetSelector
    /// Its line, from 1.
    package let line: Int
    /// Whether it limits a master, which acts on the fixtures of the patch alone, also on those that are no targets yet.
    package let isMaster: Bool
    fileprivate let range: Range<String.Index>
  }

  /// The parts, in their order.
  package let parts: [Part]
  private let lines: [String]

  /// The parts of a plan that depend on what exists; `nil` if it has none. Texts that are no selectors are left to the
  /// reader of the patch.
  package init?(_ intention: Intention) {
    guard intention.type == SendDMXIntention.description.type else { return nil }
    let text = SendDMXIntention.text(of: intention)
    guard text.utf8.contains(where: { "*?@".utf8.contains($0) }), text.utf8.count <= DMXPatch.mostBytes else {
      return nil
    }
    lines = DMXPatch.lines(of: text).map(String.init)
    var parts: [Part] = []
    for (index, line) in lines.enumerated() {
      for (range, isMaster) in Self.fixtures(of: line) {
        guard let selector = try? TargetSelector(String(line[range])), !selector.isFixed else { continue }
        parts.append(Part(selector: selector, line: index + 1, isMaster: isMaster, range: range))
      }
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  /// The texts of a line that stand for fixtures.
  private static func fixtures(of line: String) -> [(range: Range<String.Index>, isMaster: Bool)] {
    guard let words = DMXPatch.words(of: line[...]), let first = words.first else { return [] }
    switch first {
    case "master", "blackout": return words.dropFirst(2).map { ($0.startIndex..<$0.endIndex, true) }
    case "universe", "profile", "source", "rate": return []
    default: return [(first.startIndex..<first.endIndex, false)]
    }
  }

  /// The plan with names in the place of its parts, and how many fixtures these are.
  ///
  /// - Parameter names: the targets of each part, in the order in which they take their channels.
  /// - Throws: the refusal of a part that stands for no fixture.
  package func resolve(
    _ intention: Intention, to names: [[TargetName]]
  ) throws(Refusal) -> (plan: Intention, fixtures: Int) {
    var lines = lines
    var found = zip(parts, names).map { (part: $0, names: $1) }
    let patched = fixtures(with: found.lazy.filter { !$0.part.isMaster }.map(\.names))
    for index in found.indices where found[index].part.isMaster {
      found[index].names = try found[index].part.fixtures(named: found[index].names, of: patched)
    }
    let count = Set(found.lazy.flatMap(\.names)).count
    // The last first, because each changes the places behind it.
    for (part, names) in found.reversed() {
      guard !names.isEmpty else { throw part.refusal(.notFound, "no fixture matches", "Name fixtures of this patch.") }
      var texts = names.map(\.text)
      // A line that began with such a name alone would be no line of a fixture.
      if texts.count == 1, DMXPatchReader.verbs.contains(texts[0]) { texts.append(texts[0]) }
      lines[part.line - 1].replaceSubrange(part.range, with: texts.joined(separator: ","))
      guard lines[part.line - 1].utf8.count <= Limits.textBytes else { throw part.excess }
    }
    var resolved = intention
    resolved["patch"] = .list(lines.map(FieldValue.text))
    return (resolved, count)
  }

  /// All fixtures of the patch: those of parts that were found, and those that have names.
  private func fixtures(with found: some Sequence<[TargetName]>) -> Set<TargetName> {
    var fixtures = Set(found.joined())
    for line in lines {
      for (range, isMaster) in Self.fixtures(of: line) where !isMaster {
        guard let selector = try? TargetSelector(String(line[range])), selector.isFixed,
          selector.mostTargets(existing: 0) <= DMXPatch.mostFixtures
        else { continue }
        fixtures.formUnion(selector.names(among: [], groups: []) ?? [])
      }
    }
    return fixtures
  }
}

extension DMXPatchSelectors.Part {
  /// The fixtures of a patch on which a master acts: those of these names, and those that match its patterns.
  ///
  /// Ends with the first name that is too much for a line.
  fileprivate func fixtures(named names: [TargetName], of patched: Set<TargetName>) throws(Refusal) -> [TargetName] {
    var fixtures = Set(names.lazy.filter(patched.contains))
    let patterns = selector.terms.compactMap { term in
      if case .pattern(let pattern) = term, pattern.isOpen { pattern } else { nil }
    }
    var bytes = fixtures.reduce(0) { $0 + $1.text.utf8.count + 1 }
    for name in patterns.isEmpty ? [] : patched where patterns.contains(where: { $0.matches(name) }) {
      if fixtures.insert(name).inserted { bytes += name.text.utf8.count + 1 }
      guard bytes <= Limits.textBytes else { throw excess }
    }
    return fixtures.sorted { $0.isListedBefore($1) }
  }

  /// The refusal of a part whose names are too long for its line.
  fileprivate var excess: Refusal {
    refusal(
      .limit, "too many fixtures for a line of \(Limits.textBytes) bytes match",
      isMaster ? "Use several lines, or no names for all fixtures." : "Use several lines.")
  }

  /// A refusal with the text and its line.
  package func refusal(_ code: Refusal.Code, _ problem: String, _ remedy: String) -> Refusal {
    Refusal(code, field: "patch", "line \(line): \(problem) \"\(selector.text.prefix(64))\"", remedy: remedy)
  }

  /// A refusal of what it stands for, with its line.
  package func placed(_ refusal: Refusal) -> Refusal {
    var refusal = refusal
    refusal.field = "patch"
    refusal.message = "line \(line): \(refusal.message)"
    return refusal
  }
}

extension Transaction.Operation {
  /// Whether it adds a patch whose targets are known only when it is committed.
  package var hasOpenPatch: Bool { openPatch != nil }

  /// The patterns and groups of the patch that it adds.
  package var selectorsOfPatch: [TargetSelector] { openPatch?.parts.map(\.selector) ?? [] }

  private var openPatch: DMXPatchSelectors? {
    if case .add(let intention, _, _) = self { DMXPatchSelectors(intention) } else { nil }
  }
}
