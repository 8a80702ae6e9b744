/// One Swift file, line for line: as written, and with everything except the code blanked out.
struct SwiftSource {
  /// Its path from the repository's root.
  let path: String
  /// The lines as written.
  let lines: [String]
  /// The same lines with comments and the contents of string literals replaced by blanks.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var scanner = CodeScanner(text)
    code = scanner.code().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The target it belongs to: its folder below Sources, plugins or examples, or the first two for tests.
  var target: String {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 2 else { return parts.first ?? path }
    if parts[0] == "Tests", parts[1] == "Fixtures" { return parts[2] }
    return parts[1]
  }

  /// The words of each line of code, with the line's number, counted from 1.
  var words: [(line: Int, words: [String])] {
    code.enumerated().map { index, line in
      (index + 1, line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
  }

  /// The modules that it imports, with the lines of the imports.
  var imports: [(line: Int, module: String)] {
    words.compactMap { line, words in
      guard let keyword = words.firstIndex(of: "import"),
        words[..<keyword].allSatisfy({ Self.beforeImport.contains($0) }), words.count > keyword + 1
      else { return nil }
      let rest = words[(keyword + 1)...]
      let isKind = rest.count > 2 && Self.kindsOfImport.contains(words[keyword + 1])
      return (line, words[keyword + (isKind ? 2 : 1)])
    }
  }

  private static let beforeImport: Set = ["public", "package", "internal", "private", "testable", "preconcurrency"]
  private static let kindsOfImport: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
}
