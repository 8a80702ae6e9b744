import MotionModel
import MotionTestKit
import Testing

@testable import MotionFiles

@Suite struct ShortFormTests {
  // Clauses: S29.3
  @Test(arguments: [
    ("ball.position ~ 100,50", "SpringTo", "ball/position", ["destination=100,50@17"]),
    ("ball/position ~ 1", "SpringTo", "ball/position", ["destination=1@17"]),
    ("  stage.ball.x~-1  ", "SpringTo", "stage.ball/x", ["destination=-1@16"]),
    (
      "ball.x ~ [1, 2] bounce=0.3 duration=0.5", "SpringTo", "ball/x",
      ["destination=[1, 2]@10", "bounce=0.3@17", "duration=0.5@28"]
    ),
    ("lamp.opacity -> 0 in 2s", "Tween", "lamp/opacity", ["to=0@17", "duration=2s@22"]),
    ("lamp-1.opacity->0", "Tween", "lamp-1/opacity", ["to=0@17"]),
    (
      "lamp.opacity -> 0 in 2s cubic-bezier(0.4, 0, 0.2, 1) delay=1s # slow", "Tween", "lamp/opacity",
      ["to=0@17", "duration=2s@22", "easing=cubic-bezier(0.4, 0, 0.2, 1)@25", "delay=1s@54"]
    ),
    ("lamp.opacity -> 0 ease", "Tween", "lamp/opacity", ["to=0@17", "easing=ease@19"]),
    ("a.b -> 1 in \"1 s\"", "Tween", "a/b", ["to=1@8", "duration=1 s@13"]),
    ("lamp{1..12}.level ~ 1", "SpringTo", "lamp{1..12}/level", ["destination=1@21"]),
    ("@front/level -> 0 in 1s", "Tween", "@front/level", ["to=0@17", "duration=1s@22"]),
    ("lamp*,spot.level ~ 1", "SpringTo", "lamp*,spot/level", ["destination=1@20"]),
  ])
  func `a short form has a type, a property, and fields with columns`(
    line: String, type: IntentionType, place: String, fields: [String]
  ) throws {
    let form = try #require(try ShortForm.parse(line))
    #expect(form.type == type)
    #expect("\(form.targets)/\(form.property)" == place)
    #expect(form.fields.map { "\($0.name)=\($0.text)@\($0.column)" } == fields)
  }

  // Clauses: S29.3
  @Test(arguments: [
    ("ball.position ~", "column 16: there is no value after \"~\""),
    ("lamp.opacity -> in 2s", "column 16: there is no value after \"->\""),
    ("lamp.opacity -> 0 in", "column 21: there is no duration after \"in\""),
    ("lamp.opacity -> 0 in 2s ease out", "column 30: \"out\" is no field"),
    ("ball ~ 1", "column 1: \"ball\" has no property"),
    ("ball.x ~ 1, 2", "column 13: \"2\" is no field"),
    ("ball.x ~ 1 bounce=1 bounce=2", "column 21: the field \"bounce\" is given twice"),
    ("ball.x ~ 1 property=y", "column 12: the property is written before the operator"),
    (
      " ball.pö ~ 1",
      "column 7: \"pö\" is not a valid property name: use 1 to 64 of A-Z a-z 0-9 _ -, without dot or slash"
    ),
    (
      "b!.x ~ 1",
      "column 1: \"b!\" does not select targets: use target names, patterns such as lamp* or lamp{1..12}, and groups such as @front, separated by commas"
    ),
    ("lamp.opacity = 0.5", "column 14: \"=\" is no short form"), ("ball.x ~ 'a", "column 10: the quote is not closed"),
    ("list 'ball", "column 6: the quote is not closed"), ("list ball\\", "column 10: the line ends after a backslash"),
  ])
  func `a mistake in a line is reported with its column`(line: String, message: String) {
    let error = #expect(throws: ShellLineError.self) { _ = try ShellLine(line) }
    #expect(error?.description == message)
  }

  // Clauses: S29.1, S29.3, S29.4, S29.7
  @Test(arguments: [
    ("", []), ("  # list", []), ("list properties ball", ["list", "properties", "ball"]),
    ("list ball # all", ["list", "ball"]),
    ("commit 'my show.json' \"a\\\"b\" c\\ d ''", ["commit", "my show.json", "a\"b", "c d", ""]),
    ("draw a#b color=#fff", ["draw", "a#b", "color=#fff"]), ("stop --ramp", ["stop", "--ramp"]),
  ])
  func `a command is split into words`(line: String, words: [String]) throws {
    var found: [String] = []
    switch try ShellLine(line) {
    case .empty: break
    case .command(let words): found = words.map(\.text)
    case let other: Issue.record("\(other)")
    }
    #expect(found == words)
  }

  // Clauses: S29.9
  @Test func `random lines give a result or an error within the line`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: #function))
    let pieces = [
      "ball", ".", "/", "x", " ", "~", "->", "=", "in", "1", ",", "[", "]", "(", ")", "'", "\"", "\\", "#", "{", "}",
      "\t",
      "\r", "ä", "👩‍👩‍👧", "\u{0}", "ease", "bounce=", "\u{301}",
    ]
    for _ in 0..<SeededRandom.rounds(20_000) {
      let count = Int.random(in: 0...12, using: &random)
      let line = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      do throws(ShellLineError) {
        if case .shortForm(let form) = try ShellLine(line) { #expect(!form.fields.isEmpty, "\(line)") }
      } catch {
        #expect(
          (1...line.unicodeScalars.count + 1).contains(error.column) && !error.message.isEmpty, "\(line): \(error)")
      }
      let split = ShellWords(completing: line)
      #expect(split.last.column <= line.unicodeScalars.count + 1, "\(line)")
    }
  }
}
