/// The faults that the tests of a file declare: `.fault(.storage, "what", by: "how", promise: "what holds")`.
struct FaultDeclarations {
  /// One fault, and the test that declares it.
  struct Declaration: Hashable {
    let area: String
    let fault: String
    let injection: String
    let promise: String
    let path: String
    let line: Int
    let test: String
  }

  private(set) var declarations: [Declaration] = []
  private(set) var violations: [String] = []

  init(_ source: SwiftSource) {
    guard source.code.contains(where: { $0.contains(".fault(") }) else { return }
    let code = Array(source.code.joined(separator: "\n").utf8)
    let text = Array(source.lines.joined(separator: "\n").utf8)
    let opening = Array(".fault(".utf8)
    var line = 1
    for start in code.indices {
      if code[start] == UInt8(ascii: "\n") { line += 1 }
      guard code[start...].starts(with: opening) else { continue }
      let place = "\(source.path):\(line)"
      guard let arguments = Arguments(code, text, from: start + opening.count) else {
        violations.append(
          "\(place): write .fault(.area, \"what\", by: \"how\", promise: \"what holds\") in plain texts")
        continue
      }
      guard let test = Self.test(around: line - 1, in: source) else {
        violations.append("\(place): it stands in the attribute of no test")
        continue
      }
      declarations.append(
        Declaration(
          area: arguments.area, fault: arguments.texts[0], injection: arguments.texts[1], promise: arguments.texts[2],
          path: source.path, line: line, test: test))
    }
  }

  /// The arguments of one declaration, read up to the parenthesis that ends it.
  private struct Arguments {
    var area = ""
    var texts: [String] = []

    init?(_ code: [UInt8], _ text: [UInt8], from start: Int) {
      var (index, bare, texts) = (start, "", [""])
      while index < code.count, code[index] != UInt8(ascii: ")") {
        if code[index] == UInt8(ascii: "\"") {
          guard let end = code[(index + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
          texts[texts.count - 1] += String(decoding: text[(index + 1)..<end], as: UTF8.self)
          index = end
        } else if code[index] == UInt8(ascii: ",") {
          texts.append("")
          bare += ","
        } else if code[index] != UInt8(ascii: " "), code[index] != UInt8(ascii: "\n") {
          bare += String(UnicodeScalar(code[index]))
        }
        index += 1
      }
      let parts = bare.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != "+" } }
      self.texts = Array(texts.dropFirst())
      guard parts.count == 4, parts[0].hasPrefix("."), Array(parts.dropFirst()) == ["", "by:", "promise:"],
        self.texts.allSatisfy({ !$0.isEmpty && !$0.contains { "\\|\n".contains($0) } })
      else { return nil }
      area = String(parts[0].dropFirst())
    }
  }

  /// The name of the test in whose attribute a line is.
  private static func test(around line: Int, in source: SwiftSource) -> String? {
    guard let attribute = source.code[...line].lastIndex(where: { $0.trimmed.hasPrefix("@Test") }),
      let function = source.code[attribute...].firstIndex(where: { $0.contains(/\bfunc\b/) }), function >= line,
      let name = source.lines[function].firstMatch(of: /\bfunc (?:`([^`]+)`|(\w+))/)
    else { return nil }
    return (name.output.1 ?? name.output.2).map(String.init)
  }
}
