/// The specification against the tests: the tests of each clause, and the clauses without a test.
struct Conformance {
  static let path = "docs/conformance.md"

  private let specification: Specification
  private let testimonies: [String: [ClauseAnnotations.Testimony]]
  /// Clauses without a test, tests without a clause, and lines that cannot be parsed.
  let violations: [String]

  init(_ specification: Specification, _ annotations: [ClauseAnnotations]) {
    self.specification = specification
    let all = annotations.flatMap(\.testimonies)
    testimonies = Dictionary(grouping: all, by: \.clause)
    let known = Set(specification.clauses.map(\.id))
    let unknown = all.filter { !known.contains($0.clause) }
    let unshown = specification.clauses.filter { !all.map(\.clause).contains($0.id) }
    violations =
      specification.violations + annotations.flatMap(\.violations)
      + unknown.map { "\($0.path):\($0.line): \($0.test): there is no clause \($0.clause)" }
      + unshown.map { "\(Specification.path):\($0.line): no test shows \($0.id)" }
  }

  var clauseCount: Int { specification.clauses.count }

  /// The document: every clause with its tests, in the order of the specification.
  var document: String {
    var text = """
      # Conformance

      Each clause of the [specification](specification.md) and the tests that show it. The tests write this file, from the
      lines `// Clauses: …` above them: `MOTION_UPDATE_CONFORMANCE=1 swift test --filter Conformance`.

      """
    var section = ""
    for clause in specification.clauses {
      if clause.section != section {
        section = clause.section
        text += "\n## \(section)\n\n"
      }
      text += "- **\(clause.id)**\n"
      // By name and not by line, so that the order of tests in a file changes nothing.
      for testimony in (testimonies[clause.id] ?? []).sorted(by: { ($0.path, $0.test) < ($1.path, $1.test) }) {
        let file = testimony.path.split(separator: "/").last?.split(separator: ".").first ?? ""
        text += "  - [\(file)](../\(testimony.path)): \(testimony.test)\n"
      }
    }
    return text
  }
}
