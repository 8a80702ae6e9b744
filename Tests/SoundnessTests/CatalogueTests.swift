import Testing

/// The landing pages of the documentation put everything that is public into a group.
struct CatalogueTests {
  static let modules = ["MotionStreams", "MotionCore", "MotionExecutorKit"]
  private static let kinds: Set = ["class", "struct", "enum", "protocol", "func", "typealias", "let", "var", "actor"]

  /// The names that a file declares publicly outside of any type.
  static func publicNames(in source: SwiftSource) -> [String] {
    source.lines.compactMap { line in
      guard line.hasPrefix("public ") || line.hasPrefix("open ") else { return nil }
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { return nil }
      // DocC omits names that begin with an underscore.
      return words[kind + 1].hasPrefix("_") ? nil : words[kind + 1]
    }
  }

  static func missing(_ names: [String], on page: String) -> [String] {
    let named = page.split(separator: "\n").filter { $0.hasPrefix("- ``") }
      .map { String($0.dropFirst(4).prefix { $0 != "`" && $0 != "(" }) }
    return names.filter(Set(names).subtracting(named).contains)
  }

  @Test(arguments: modules) func `every public name is in a group of its module's page`(of module: String) throws {
    let page = try #require(Repository.text(of: "Sources/\(module)/\(module).docc/\(module).md"))
    let names = Repository.sources.filter { $0.path.hasPrefix("Sources/\(module)/") }.flatMap(Self.publicNames)
    #expect(!names.isEmpty)
    #expect(Self.missing(names, on: page) == [])
  }

  @Test func `a missing name is found`() {
    let source = SwiftSource(
      path: "A.swift", text: "public final class A {}\nopen class B {\n  public var c = 0\n}\npublic func d() {}\n")
    #expect(Self.publicNames(in: source) == ["A", "B", "d"])
    #expect(Self.missing(["A", "B", "d"], on: "- ``B``\n- ``d()``\n- ``AB``\n") == ["A"])
  }
}
