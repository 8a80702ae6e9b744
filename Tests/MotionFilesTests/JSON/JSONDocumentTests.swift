import MotionFiles
import MotionModel
import MotionTestKit
import Testing

@Suite struct JSONDocumentTests {
  @Test(arguments: [
    ("", "1:1: found the end of the text, expected a value"),
    ("{", "1:2: found the end of the text, expected a key in quotes"),
    ("{\"a\"}", "1:5: found \"}\", expected \":\""),
    ("{\"a\":1,}", "1:8: found \"}\", expected a key in quotes"),
    ("{\"a\":1 \"b\":2}", "1:8: found \"\"\", expected \",\" or \"}\""),
    ("[1,\n 2,\n]", "3:1: found \"]\", expected a value"),
    ("[1 2]", "1:4: found \"2\", expected \",\" or \"]\""),
    ("[1] 2", "1:5: found \"2\", expected the end of the text"),
    ("{\"a\":1,\n\"a\":2}", "2:1: found \"a\" again, expected another key"),
    ("nul", "1:1: found \"n\", expected null"), ("truth", "1:1: found \"t\", expected true"),
    ("'a'", "1:1: found \"'\", expected a value"), ("NaN", "1:1: found \"N\", expected a value"),
    ("01", "1:2: found \"1\", expected the end of the text"), ("-", "1:2: found the end of the text, expected a digit"),
    ("1.", "1:3: found the end of the text, expected a digit"), ("1.e5", "1:3: found \"e\", expected a digit"),
    ("1e", "1:3: found the end of the text, expected a digit"), ("+1", "1:1: found \"+\", expected a value"),
    (".5", "1:1: found \".\", expected a value"),
    ("1e999", "1:1: found the number 1e999, expected a number below 1.8e308"),
    ("\"a", "1:3: found the end of the text, expected the closing quote"),
    ("\"a\nb\"", "1:3: found the control character 0xA, expected it escaped, as in \\n"),
    ("\"\\x\"", "1:3: found \"x\", expected one of \" \\ / b f n r t u after a backslash"),
    ("\"\\u12G4\"", "1:6: found \"G\", expected a hexadecimal digit"),
    ("\"ä\\ud800\"", "1:3: found half of a surrogate pair, expected \\uD800 to \\uDBFF, then \\uDC00 to \\uDFFF"),
    ("\"\\udc00\\ud800\"", "1:2: found half of a surrogate pair, expected \\uD800 to \\uDBFF, then \\uDC00 to \\uDFFF"),
    ("\"\\ud800\\u0041\"", "1:2: found half of a surrogate pair, expected \\uD800 to \\uDBFF, then \\uDC00 to \\uDFFF"),
    ("\u{FEFF}x", "1:1: found \"x\", expected a value"),
    ("\u{FEFF}\u{FEFF}1", "1:1: found the byte 0xEF, expected a value"),
    ("// no\n1", "1:1: found \"/\", expected a value"), ("\u{7}", "1:1: found the byte 0x7, expected a value"),
    ("[\"äöü\", x]", "1:9: found \"x\", expected a value"), ("[1,\r\n\t x]", "2:3: found \"x\", expected a value"),
  ])
  func `errors of JSON have line, column, the found and the expected text`(_ text: String, _ message: String) {
    #expect(failure(Array(text.utf8))?.description == message)
  }

  /// Some editors write it, and it is invisible.
  @Test func skipsAByteOrderMark() throws {
    guard case .number(1) = try JSONDocument(Array("\u{FEFF}1".utf8)).root.content else {
      Issue.record("the number after the mark was not read")
      return
    }
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    let cases: [([UInt8], String)] = [
      ([0x22, 0x61, 0xFF, 0x22], "1:3: found the byte 0xFF, expected UTF-8"),
      ([0x22, 0x61, 0xC3, 0x22], "1:3: found the byte 0xC3, expected UTF-8"),
      ([0x22, 0x5C, 0x6E, 0xC0, 0x80, 0x22], "1:4: found the byte 0xC0, expected UTF-8"),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2: found the byte 0xED, expected UTF-8"),
      ([0xFF], "1:1: found the byte 0xFF, expected a value"),
    ]
    for (bytes, message) in cases { #expect(failure(bytes)?.description == message) }
  }

  @Test func `every kind of value is parsed`() throws {
    let text = " {\"a\": [1, -2.5e1, 0, true, false, null], \"b\\u0041\": \"x\\n\\\"\\u00e4\\ud83d\\ude00/\\/ü\"} "
    let document = try JSONDocument(Array(text.utf8))
    #expect(
      dump(document.root) == "{a:[1.0,-25.0,0.0,true,false,null],bA:\"x\n\"ä😀//ü\"}")
    guard case .object(let members) = document.root.content, case .array(let elements) = members[0].value.content
    else { return #expect(Bool(false), "an object with an array") }
    #expect(document.position(of: document.root) == TextPosition(line: 1, column: 2))
    #expect(document.position(of: elements[1]) == TextPosition(line: 1, column: 12))
    #expect(document.position(at: members[1].keyOffset) == TextPosition(line: 1, column: 43))
  }

  @Test func `repeated keys are found among many`() {
    let keys = (0..<100).map { "\"k\($0)\":0" }
    #expect(failure(Array("{\(keys.joined(separator: ","))}".utf8)) == nil)
    #expect(failure(Array("{\((keys + ["\"k3\":0"]).joined(separator: ","))}".utf8))?.found == "\"k3\" again")
    #expect(failure(Array("{\((keys + ["\"k99\":0"]).joined(separator: ","))}".utf8))?.found == "\"k99\" again")
  }

  @Test func `limits of depth, values, bytes and digits are enforced`() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(failure(nested(Limits.jsonDepth + 1)) == nil)
    #expect(failure(nested(Limits.jsonDepth + 2))?.found == "one level more")
    #expect(failure(nested(1_000_000))?.position == TextPosition(line: 1, column: Limits.jsonDepth + 2))
    let values = Array(("[" + String(repeating: "0,", count: Limits.jsonValues) + "0]").utf8)
    #expect(failure(values)?.found == "one value more")
    #expect(failure(Array("[1, 2]".utf8), limit: 5)?.found == "6 bytes")
    #expect(failure(Array(("0." + String(repeating: "1", count: 1200)).utf8))?.found == "a number of 1202 characters")
  }

  /// Random bytes, and texts with random bytes changed, inserted and removed: a value or an error, never a trap.
  @Test func `random JSON gives a value or an error, never a trap`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "JSONDocument"))
    let text = Array(
      """
      {"transaction":[{"add":{"type":"Tween","property":"opacity","from":0,"to":[1e3,-0.5],"duration":"300ms",
      "easing":"\\ud83d\\ude00 ä\\n","carry":true,"x":null},"to":"circle"},{"remove":"drag","from":"square"}]}
      """.utf8)
    let alphabet = Array("{}[]\",:\\u0123e-+.dtrfn \n".utf8) + [0, 0xC3, 0xFF, 0xED, 0xA0]
    var accepted = 0
    let rounds = SeededRandom.rounds(100_000)
    for round in 0..<rounds {
      var bytes: [UInt8]
      if round % 4 == 0 {
        bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
          alphabet.randomElement(using: &random) ?? 0
        }
      } else {
        bytes = text
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, alphabet, &random) }
      }
      if failure(bytes) == nil { accepted += 1 }
    }
    #expect(
      accepted > rounds / 100 && accepted < rounds * 99 / 100, "\(accepted): neither everything nor nothing is JSON")
  }

  private func failure(_ bytes: [UInt8], limit: Int = Limits.transactionFileBytes) -> JSONError? {
    do {
      _ = try JSONDocument(bytes, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  private func dump(_ value: JSONValue) -> String {
    switch value.content {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .string(let text): "\"\(text)\""
    case .array(let values): "[" + values.map(dump).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { "\($0.key):\(dump($0.value))" }.joined(separator: ",") + "}"
    }
  }
}

/// Changes, inserts or removes one byte.
func mutate(_ bytes: inout [UInt8], _ alphabet: [UInt8], _ random: inout SeededRandom) {
  let index = Int.random(in: 0...bytes.count, using: &random)
  let byte =
    Bool.random(using: &random) ? alphabet.randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
  switch Int.random(in: 0..<3, using: &random) {
  case 0: bytes.insert(byte, at: index)
  case 1 where index < bytes.count: bytes[index] = byte
  case 2 where index < bytes.count: bytes.remove(at: index)
  default: break
  }
}
