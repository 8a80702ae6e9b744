import Testing

/// The pages with promises to operators name tests that exist: suites in backquotes, followed by the beginnings of test
/// names, in quotation marks and with an ellipsis.
struct ShownByTests {
  /// A suite that a page names, and the beginning of one of its tests, if one is named.
  struct Reference: Hashable {
    let suite: String
    let test: String?
  }

  /// The references of a page.
  static func references(in page: String) -> [Reference] {
    var found: [Reference] = []
    for line in page.split(separator: "\n") {
      var suites: [String] = []
      var isCode = false
      for part in line.split(separator: "`", omittingEmptySubsequences: false) {
        defer { isCode.toggle() }
        if isCode {
          let name = String(part.split(separator: "/").last ?? "")
          guard name.hasSuffix("Tests"), name.allSatisfy(\.isLetter) else { continue }
          suites.append(name)
          found.append(Reference(suite: name, test: nil))
        } else if let suite = suites.last {
          let quoted = part.split(separator: "\"", omittingEmptySubsequences: false)
          for (index, text) in quoted.enumerated() where index % 2 == 1 && text.hasSuffix("…") {
            found.append(Reference(suite: suite, test: String(text.dropLast())))
          }
        }
      }
    }
    return found
  }

  /// References that match no file. A file bears the name of its suite; `text` gives the texts of the files of a suite.
  static func missing(_ references: [Reference], in text: (_ suite: String) -> [String]) -> [Reference] {
    references.filter { reference in
      let files = text(reference.suite).filter {
        $0.contains("struct \(reference.suite) ") || $0.contains("class \(reference.suite) ")
      }
      guard let test = reference.test else { return files.isEmpty }
      return !files.contains { $0.contains("func `\(test)") }
    }
  }

  @Test(arguments: ["docs/security.md", "docs/gateway.md"])
  func `tests that a page names exist`(page: String) throws {
    let references = Self.references(in: try #require(Repository.text(of: page)))
    #expect(references.count > 10)
    let tests = Repository.files.filter { $0.hasPrefix("Tests/") }
    let missing = Self.missing(references) { suite in
      tests.filter { $0.hasSuffix("/\(suite).swift") }.compactMap(Repository.text)
    }
    #expect(missing == [])
  }

  @Test func `a reference to a missing test is found`() {
    let page = "| x | `Tests/A/DoorTests` \"a door that…\", \"a wall…\" |\nThe `Door` \"is…\"; `WallTests`."
    let references = Self.references(in: page)
    #expect(references.count == 4)
    let text = "struct DoorTests {\n  @Test func `a door that is shut opens`() {}\n}\n"
    #expect(
      Self.missing(references) { $0 == "DoorTests" ? [text] : [] } == [
        Reference(suite: "DoorTests", test: "a wall"), Reference(suite: "WallTests", test: nil),
      ])
  }
}
