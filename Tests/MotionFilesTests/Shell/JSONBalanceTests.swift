import MotionFiles
import MotionTestKit
import Testing

@Suite struct JSONBalanceTests {
  /// The number of lines after which the text ends; `nil` if it does not.
  private static func end(of lines: [String]) -> Int? {
    var balance = JSONBalance()
    for (index, line) in lines.enumerated() {
      balance.take(line: line.utf8)
      if balance.isComplete { return index + 1 }
    }
    return nil
  }

  // Clauses: S29.4
  @Test(arguments: [
    (["{}"], 1), (["{", "}"], 2), (["[", "[1,", "2]", "]"], 4), (["{\"a\": \"}\"", "}"], 2),
    (["{\"a\\\"}\": 1", "}"], 2),
    (["{", "", "\t", "}"], 4), (["{]", "}"], 1), (["{ \"a", "}"], 1), (["{}}", "}"], 1), (["{", "[", "]"], nil),
    (["{\"\\", "}"], 1),
  ])
  func `a text ends where its brackets are closed, or cannot be`(lines: [String], end: Int?) {
    #expect(Self.end(of: lines) == end)
  }

  // Clauses: S29.4
  @Test func `a text begins with a bracket`() {
    #expect(JSONBalance.begins(" \t{".utf8) && JSONBalance.begins("[1".utf8))
    #expect(!JSONBalance.begins("".utf8) && !JSONBalance.begins("list {".utf8))
  }

  // Clauses: S29.5
  @Test(
    arguments: [
      (#"{"transaction": [{"ad"#, "ad", nil, nil), (#"{"add": {"type": "Sp"#, "Sp", "type", nil),
      (#"{"add": {"type": "SpringTo", "bou"#, "bou", nil, "SpringTo"),
      (#"{"type": "Tween", "repeat": "f"#, "f", "repeat", "Tween"), (#"{"type": "Tween"}, "to": ""#, "", "to", "Tween"),
      (#"{"a\"b": "c\\", "d": ["e", "f"#, "f", nil, nil), (#"{"a": {"#, "-", nil, nil), ("", "-", nil, nil),
    ] as [(String, String, String?, String?)])
  func `the string at the end of a line has a key and a type`(
    line: String, prefix: String, key: String?, type: String?
  ) {
    let place = JSONStringPosition(endOf: line.utf8)
    #expect(place?.prefix ?? "-" == prefix)
    #expect(place?.key == key)
    #expect(place?.type == type)
  }

  // Clauses: S29.4, S29.9
  @Test func `valid JSON ends in its last line, and random lines never trap`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: #function))
    for _ in 0..<SeededRandom.rounds(5_000) {
      let text = "{\"a\":" + Self.value(depth: 0, &random) + "\n}"
      _ = try JSONDocument(Array(text.utf8))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(Self.end(of: lines) == lines.count, "\(text)")
      let pieces = ["{", "}", "[", "]", "\"", "\\", "a", " ", "ä"]
      let count = Int.random(in: 0...12, using: &random)
      _ = Self.end(of: (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] })
    }
  }

  /// A random value, over several lines.
  private static func value(depth: Int, _ random: inout SeededRandom) -> String {
    let count = depth > 3 ? 0 : Int.random(in: 0...3, using: &random)
    let space = random.chance(0.3) ? "\n " : " "
    switch Int.random(in: 0...3, using: &random) {
    case 0: return space + ["\"}{\"", "\"\\\"]\"", "\"\\\\\"", "\"ä\""][Int.random(in: 0...3, using: &random)]
    case 1: return space + "-1.5e3"
    case 2:
      return "[" + (0..<count).map { _ in value(depth: depth + 1, &random) }.joined(separator: space + ",") + space
        + "]"
    default:
      return "{" + (0..<count).map { "\"\($0)\":" + value(depth: depth + 1, &random) }.joined(separator: ",") + space
        + "}"
    }
  }
}
