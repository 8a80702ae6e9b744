import Testing

/// The other rules depend on a correct scanner.
struct CodeScannerTests {
  @Test(arguments: [
    ("let a = 1 // Task", "let a = 1        "),
    ("a /* Task /* lock */ */ b", "a                       b"),
    (#"print("Task \(count + 1) actor")"#, #"print("       count + 1       ")"#),
    (##"let a = #"Task \(b) "actor""#"##, ##"let a =  "                 " "##),
    (##"let a = #"\#(Task.self)"#"##, ##"let a =  "   Task.self " "##),
    (#"let a = "\"Task""#, #"let a = "      ""#),
    (#"f("\(g("Task", (1)))")"#, #"f("  g("    ", (1)) ")"#),
    ("let a = \"\"\"\n  Task \"quoted\"\n  \"\"\"", "let a = \"\"\"\n               \n  \"\"\""),
    ("#if os(Linux)", "#if os(Linux)"),
  ])
  func `comments and literals are removed from code`(source: String, expected: String) {
    var scanner = CodeScanner(source)
    #expect(scanner.code() == expected)
  }

  @Test func `imports are found`() {
    let source = SwiftSource(
      path: "Sources/A/B.swift",
      text: """
        // import Comment
        import Plain
        public import Public
        @testable import Tested
        import struct Module.Type
        let importer = "import Text"
        """)
    #expect(source.imports.map(\.module) == ["Plain", "Public", "Tested", "Module"])
    #expect(source.imports.map(\.line) == [2, 3, 4, 5])
    #expect(source.target == "A")
  }
}
