/// The clauses of the specification that the tests of a file cover.
///
/// A line `// Clauses: S3.12, S3.13` right above a test's attributes lists them. It is a comment and no trait, so that
/// it needs no import in any test target. A line of its own merges with other changes to the test. This type finds the
/// errors that a compiler would find: a line with another syntax, or above no test, is a violation.
struct ClauseAnnotations {
  /// A test that covers a clause.
  struct Testimony: Hashable {
    let clause: String
    let path: String
    let line: Int
    let test: String
  }

  private(set) var testimonies: [Testimony] = []
  private(set) var violations: [String] = []

  init(_ source: SwiftSource) {
    for (index, line) in source.lines.enumerated() where Self.mayBeMeant(line) {
      // An annotation inside a string literal does not count; quotation marks remain where literals were.
      guard line.trimmed.hasPrefix("//") || !source.code[index].contains("\""),
        line.contains(/\/\/.*\bS\d+\.\d+\b|\/\/ *Clause/)
      else { continue }
      let place = "\(source.path):\(index + 1)"
      guard let match = line.trimmed.wholeMatch(of: /\/\/ Clauses: (S\d+\.\d+(?:, S\d+\.\d+)*)/) else {
        violations.append("\(place): write \"// Clauses: S1.2, S3.4\", alone on its line")
        continue
      }
      guard let test = Self.test(below: index, in: source) else {
        violations.append("\(place): no test follows")
        continue
      }
      for id in match.output.1.split(separator: ",") {
        testimonies.append(Testimony(clause: String(id).trimmed, path: source.path, line: index + 1, test: test))
      }
    }
  }

  /// Whether a line needs closer examination: patterns are slow, and few lines have a number after an S or mention
  /// clauses.
  private static func mayBeMeant(_ line: String) -> Bool {
    let bytes = line.utf8
    return bytes.contains(UInt8(ascii: "/"))
      && zip(bytes, bytes.dropFirst()).contains { first, second in
        first == UInt8(ascii: "S") && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
          || first == UInt8(ascii: "C") && second == UInt8(ascii: "l")
      }
  }

  /// The name of the test whose attributes begin below a line, not counting comments.
  private static func test(below line: Int, in source: SwiftSource) -> String? {
    guard let attribute = source.code[(line + 1)...].firstIndex(where: { !$0.trimmed.isEmpty }),
      source.code[attribute].trimmed.hasPrefix("@Test"),
      let function = source.code[attribute...].firstIndex(where: { $0.contains(/\bfunc\b/) }),
      let name = source.lines[function].firstMatch(of: /\bfunc (?:`([^`]+)`|(\w+))/)
    else { return nil }
    return (name.output.1 ?? name.output.2).map(String.init)
  }
}
