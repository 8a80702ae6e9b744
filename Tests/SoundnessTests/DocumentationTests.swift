import Testing

/// Every public declaration is documented; so are the cases of public enums and the requirements of public protocols,
/// which are public without the keyword.
struct DocumentationTests {
  static func violations(in source: SwiftSource) -> [String] {
    var found: [String] = []
    var depth = 0
    /// The depth of the members that are public because the type around them is.
    var inherited: [(depth: Int, keywords: Set<String>)] = []
    for (index, words) in source.words.map(\.words).enumerated() {
      while let innermost = inherited.last, depth < innermost.depth { inherited.removeLast() }
      let isPublic = words.contains("public") || source.code[index].contains("open class")
      let declares = isPublic && !words.contains("import") && !words.contains("extension")
      let isMember =
        inherited.last.map { innermost in
          innermost.depth == depth && words.prefix(3).contains { innermost.keywords.contains($0) }
        } ?? false
      if declares || isMember, !isDocumented(index, in: source) {
        found.append("\(source.path):\(index + 1): \(source.lines[index].trimmed)")
      }
      let opens = source.code[index].count { $0 == "{" }
      depth += opens - source.code[index].count { $0 == "}" }
      guard declares, opens > 0 else { continue }
      if words.contains("enum") { inherited.append((depth, ["case"])) }
      if words.contains("protocol") {
        inherited.append((depth, ["func", "var", "init", "subscript", "associatedtype"]))
      }
    }
    return found
  }

  /// Whether a documentation comment ends right above the declaration or above its attributes.
  private static func isDocumented(_ index: Int, in source: SwiftSource) -> Bool {
    var above = index - 1
    while above >= 0, source.lines[above].trimmed.hasPrefix("@") { above -= 1 }
    guard above >= 0 else { return false }
    return source.lines[above].trimmed.hasPrefix("///")
  }

  @Test func everyPublicDeclarationIsDocumented() {
    #expect(RankTests.ranked.flatMap(Self.violations) == [])
  }

  @Test func `a missing doc comment is found`() {
    let source = SwiftSource(
      path: "A.swift",
      text: """
        /// Documented.
        public enum Direction {
          /// Documented.
          case up
          case down
          public var isUp: Bool {
            switch self {
            case .up: true
            case .down: false
            }
          }
        }
        public import Glibc
        /// Documented.
        @frozen
        public struct Place {
          var hidden = 0
        }
        // public struct Nothing
        /// Documented.
        public protocol Walker {
          func walk(to place: Place)
        }
        """)
    #expect(
      Self.violations(in: source) == [
        "A.swift:5: case down", "A.swift:6: public var isUp: Bool {", "A.swift:22: func walk(to place: Place)",
      ])
  }
}

extension String {
  /// Without blanks at both ends.
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
