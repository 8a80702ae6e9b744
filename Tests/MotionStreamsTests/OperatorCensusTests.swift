import Foundation
import Testing

/// Every operator has a diagram, and documents its effect: found by the names of files, so that none is missed.
struct OperatorCensusTests {
  /// A file of operators, and the file that draws them.
  struct Pair: CustomTestStringConvertible {
    let name: String
    let operators: String
    let tests: String?

    var testDescription: String { name }
  }

  private static let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Operators")
  private static let sources = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/MotionStreams/Operators")

  /// The folders below: of operators of any stream, and of those of gestures.
  private static let folders = [".", "Gestures"]

  static let pairs: [Pair] = folders.flatMap { folder in
    let place = sources.appending(path: folder)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: place.path(percentEncoded: false))) ?? []
    return files.filter { $0.hasSuffix(".swift") }.sorted().map { file in
      let name = String(file.dropLast(".swift".count))
      return Pair(
        name: name, operators: text(of: place.appending(path: file)) ?? "",
        tests: text(of: tests.appending(path: "\(folder)/\(name)Tests.swift")))
    }
  }

  private static func text(of file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }

  /// The public operators of `text`, with their documentation.
  static func operators(in text: String) -> [(name: String, documentation: String)] {
    var documentation: [Substring] = []
    var found: [(name: String, documentation: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("///") {
        documentation.append(line.dropFirst(3))
        continue
      }
      if let declaration = line.firstMatch(of: /public (?:static )?func ([^(<]+)/) {
        let name = declaration.1.split(separator: " ").first.map(String.init) ?? ""
        found.append((name, documentation.joined(separator: "\n")))
      }
      documentation = []
    }
    return found
  }

  /// Whether an operator's documentation has a diagram, the state channel and the memory, or refers to one that has
  /// them.
  static func isDocumented(_ documentation: String) -> Bool {
    if documentation.contains(/(see|like|of)\s+``/) { return true }
    let text = documentation.lowercased()
    return documentation.contains("\n     ") && text.contains("state channel") && text.contains("memory:")
  }

  /// Whether a file of tests has a diagram with the operator, on a line of its own or as a function.
  static func isDrawn(_ name: String, in tests: String) -> Bool {
    guard tests.contains("marbles(") else { return false }
    return tests.split(separator: "\n").contains { line in
      let line = line.drop { $0 == " " }
      return line.hasPrefix(".\(name)(") || line.hasPrefix("\(name)(:")
    }
  }

  // Clauses: S2.9
  @Test(arguments: pairs) func `an operator has a test file that draws it`(_ pair: Pair) throws {
    let tests = try #require(pair.tests, "\(pair.name)Tests.swift is missing")
    #expect(tests.contains("marbles("), "no diagram of \(pair.name)")
    #expect(tests.contains("^"), "no diagram of \(pair.name) shows when it subscribes")
    for name in Self.operators(in: pair.operators).map(\.name) where Self.namesItself(name, in: pair.operators) {
      #expect(Self.isDrawn(name, in: tests), "no diagram of \(name) in \(pair.name)Tests.swift")
    }
  }

  // Clauses: S3.1
  @Test(arguments: pairs) func `an operator documents its state channel and its memory`(_ pair: Pair) {
    for (name, documentation) in Self.operators(in: pair.operators) {
      #expect(Self.isDocumented(documentation), "\(pair.name).swift: \(name)")
    }
  }

  @Test(arguments: pairs) func `a file holds one operator, its overloads and other names`(_ pair: Pair) {
    // The four signs of arithmetic are documented together.
    let operators = Self.operators(in: pair.operators).filter { operation in
      !operation.documentation.lowercased().contains("another name of") && operation.name.contains(/\w/)
    }
    #expect(Set(operators.map(\.name)).count <= 1, "\(pair.name).swift: \(operators.map(\.name))")
  }

  @Test func `common files contain no operator`() throws {
    for folder in Self.folders {
      let common = Self.sources.appending(path: "\(folder)/Common")
      let files = try FileManager.default.contentsOfDirectory(atPath: common.path(percentEncoded: false))
      #expect(!files.isEmpty)
      for file in files {
        let operators = Self.operators(in: Self.text(of: common.appending(path: file)) ?? "")
        #expect(operators.isEmpty, "\(folder)/Common/\(file)")
      }
    }
  }

  /// Whether it makes a stream that is described by its own name: operators that receive their metadata are drawn under
  /// the names that the tests give them.
  private static func namesItself(_ name: String, in text: String) -> Bool {
    guard let start = text.range(of: "func \(name)") else { return false }
    let signature = text[start.lowerBound...].prefix { $0 != "{" }
    return signature.contains("-> MotionObservable") && !signature.contains("_ metadata: Metadata,")
  }

  @Test func `operators are found in the sources`() {
    #expect(Self.pairs.count > 30)
    #expect(Self.pairs.flatMap { Self.operators(in: $0.operators) }.count > 60)
  }

  @Test func `a missing document or diagram is found`() {
    let text = """
      /// Twice.
      ///
      ///     1-2
      ///
      /// State channel: passed on. Memory: none.
      @inlinable public func twice<Result>(_ value: Result) {}

      /// Nothing.
      public static func + (left: Int, right: Int) {}
      """
    let found = Self.operators(in: text)
    #expect(found.map(\.name) == ["twice", "+"])
    #expect(found.map { Self.isDocumented($0.documentation) } == [true, false])
    #expect(Self.isDrawn("twice", in: "marbles(\n  .twice(: 1)"))
    #expect(!Self.isDrawn("twice", in: "marbles(\n  .thrice()") && !Self.isDrawn("twice", in: "  .twice()"))
  }
}
