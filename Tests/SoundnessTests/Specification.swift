/// The clauses of docs/specification.md, in the order of the document.
struct Specification {
  /// One numbered statement about the behaviour.
  struct Clause: Hashable {
    let id: String
    /// The heading above it.
    let section: String
    let line: Int
  }

  static let path = "docs/specification.md"

  private(set) var clauses: [Clause] = []
  /// The errors of the document itself.
  private(set) var violations: [String] = []

  /// Parses a document whose sections are called `## 3. Operators` and whose clauses begin with `- **S3.12** `.
  init(_ text: String) {
    var section = ""
    var lines: [String: Int] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard let match = line.prefixMatch(of: /- \*\*(S(\d+)\.\d+)\*\* \S/) else {
        // A line that resembles a clause, but is not parsed as one, would silently need no test.
        if line.prefixMatch(of: /\W*S\d+\.\d+/) != nil {
          violations.append("\(Self.path):\(index + 1): a clause begins with \"- **S1.2** \" and says something")
        }
        continue
      }
      let id = String(match.output.1)
      if !section.hasPrefix("\(match.output.2). ") {
        violations.append("\(Self.path):\(index + 1): \(id) stands under \"\(section)\"")
      }
      if let first = lines[id] {
        violations.append("\(Self.path):\(index + 1): \(id) is the clause of line \(first), too")
      }
      lines[id] = lines[id] ?? index + 1
      clauses.append(Clause(id: id, section: section, line: index + 1))
    }
  }
}
