import Foundation
import Testing

/// Every clause of docs/specification.md has a test, every test that names a clause names an existing one, and
/// docs/conformance.md lists them.
struct ConformanceTests {
  /// The rules' own tests quote annotations that do not count.
  private static let annotated = Repository.sources.filter {
    $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/SoundnessTests/")
  }

  private static let conformance = Conformance(
    Specification(Repository.text(of: Specification.path) ?? ""), annotated.map { ClauseAnnotations($0) })

  @Test func everyClauseHasATestAndEveryTestItsClause() {
    #expect(Self.annotated.count > 200, "the tests were not found in \(Repository.root)")
    #expect(Self.conformance.clauseCount > 200, "the clauses of \(Specification.path) were not found")
    #expect(Self.conformance.violations == [])
  }

  @Test func `the conformance page lists the tests of each clause`() throws {
    let document = Self.conformance.document
    if ProcessInfo.processInfo.environment["MOTION_UPDATE_CONFORMANCE"] == "1" {
      try document.write(toFile: "\(Repository.root)/\(Conformance.path)", atomically: true, encoding: .utf8)
    }
    // A flag, since the failure would otherwise print both documents.
    let isCurrent = Repository.text(of: Conformance.path) == document
    #expect(
      isCurrent,
      "\(Conformance.path) is out of date; MOTION_UPDATE_CONFORMANCE=1 swift test --filter Conformance writes it")
  }

  private func annotations(_ text: String) -> ClauseAnnotations {
    ClauseAnnotations(SwiftSource(path: "Tests/A/BTests.swift", text: text))
  }

  @Test func `annotations are parsed above any kind of test`() {
    let read = annotations(
      """
      // Clauses: S1.2
      @Test func plain() {}
        // Clauses: S1.2, S10.11
        // Why it is so.
        @Test(arguments: [
          ("func text", 1)
        ])
        func `in words, (of all kinds)`(text: String) {}
      // Clauses: S3.4
      @Test mutating func changing<T>(_ t: T) {}
      let text = "// Clauses: S9.9"
      """)
    #expect(read.testimonies.map(\.clause) == ["S1.2", "S1.2", "S10.11", "S3.4"])
    let inWords = "in words, (of all kinds)"
    #expect(read.testimonies.map(\.test) == ["plain", inWords, inWords, "changing"])
    #expect(read.testimonies.map(\.line) == [1, 3, 3, 9])
    #expect(read.violations == [])
  }

  @Test(arguments: [
    "// Clause: S1.2", "// clauses: S1.2", "// Clauses: S1.2,S1.3", "// Clauses: S1", "/// Clauses: S1.2",
    "// See S1.2.", "// Clauses: S1.2.",
  ])
  func `an annotation with another syntax is found`(line: String) {
    let read = annotations("\(line)\n@Test func a() {}\n")
    #expect(read.testimonies == [])
    #expect(read.violations == ["Tests/A/BTests.swift:1: write \"// Clauses: S1.2, S3.4\", alone on its line"])
  }

  @Test(arguments: ["func helper() {}", "struct ATests {\n@Test func a() {}\n}", ""])
  func `an annotation above no test is found`(below: String) {
    #expect(annotations("// Clauses: S1.2\n\(below)").violations == ["Tests/A/BTests.swift:1: no test follows"])
  }

  @Test func `errors of the specification are found`() {
    let text = """
      ## 1. One
      - **S1.1** A.
      - **S1.1** B.
      - **S2.1** C.
      - S1.2 D.
      - **S1.3**
      """
    let found = Specification(text)
    #expect(found.clauses.map(\.id) == ["S1.1", "S1.1", "S2.1"])
    #expect(
      found.violations.map { $0.dropFirst(Specification.path.count + 1) } == [
        "3: S1.1 is the clause of line 2, too", "4: S2.1 stands under \"1. One\"",
        "5: a clause begins with \"- **S1.2** \" and says something",
        "6: a clause begins with \"- **S1.2** \" and says something",
      ])
  }

  @Test func `clauses without tests are found, and the others are written`() {
    let specification = Specification("## 1. One\n- **S1.1** A.\n- **S1.2** B.\n")
    let conformance = Conformance(
      specification, [annotations("// Clauses: S1.1, S7.7\n@Test func a() {}\n")])
    #expect(
      conformance.violations == [
        "Tests/A/BTests.swift:1: a: there is no clause S7.7", "\(Specification.path):3: no test shows S1.2",
      ])
    #expect(
      conformance.document.hasSuffix(
        """
        ## 1. One

        - **S1.1**
          - [BTests](../Tests/A/BTests.swift): a
        - **S1.2**

        """))
  }
}
