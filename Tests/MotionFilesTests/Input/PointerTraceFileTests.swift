import MotionFiles
import MotionModel
import Testing

@Suite struct PointerTraceFileTests {
  private func errors(_ text: String, target: TargetName? = nil) -> [String] {
    do {
      _ = try PointerTraceFile(Array(text.utf8), named: "t.jsonl", target: target)
      return []
    } catch {
      return error.errors.map(\.description)
    }
  }

  @Test func `lines of a trace are parsed`() throws {
    let text = """
      {"time": 0, "target": "ball", "device": "hand", "pointer": 1, "phase": "down", "at": [10, 20]}

      {"pointer": 1, "time": 0.5, "at": [-1.5, 2e1], "phase": "up", "target": "square"}\r

      """
    let file = try PointerTraceFile(Array(text.utf8), named: "t.jsonl")
    #expect(
      file.entries == [
        .init("ball", from: "hand", PointerEvent(id: 1, .down, at: SIMD2(10, 20), time: 0)),
        .init("square", from: "trace", PointerEvent(id: 1, .up, at: SIMD2(-1.5, 20), time: 0.5)),
      ])
  }

  @Test func `a missing target is taken from the caller, or refused`() throws {
    let text = #"{"time": 0, "pointer": 9007199254740992, "phase": "move", "at": [0, 0]}"#
    let file = try PointerTraceFile(Array(text.utf8), named: "t.jsonl", target: "ball")
    #expect(file.entries.map(\.target) == ["ball"] && file.entries[0].event.id == 1 << 53)
    #expect(errors(text) == [#"t.jsonl:1:1: "target" is missing. Add "target"."#])
  }

  @Test func `a written trace parses to the same entries`() throws {
    let entries: [PointerTraceFile.Entry] = PointerEvent.Phase.allCases.enumerated().map { index, phase in
      .init(
        "ball", from: DeviceName(stringLiteral: "a \"\\ \(index)"),
        PointerEvent(id: UInt64(index), phase, at: SIMD2(0.1, -1e-7), time: Double(index) / 3))
    }
    let text = PointerTraceFile(entries).encoded()
    #expect(text.split(separator: "\n").count == 4 && text.hasSuffix("\n"))
    #expect(try PointerTraceFile(Array(text.utf8), named: "t.jsonl").entries == entries)
    #expect(try PointerTraceFile([], named: "t.jsonl").entries == [])
  }

  @Test(arguments: [
    ("x", "t.jsonl:2:1: found \"x\", expected a value"),
    ("[]", "t.jsonl:2:1: an array is not accepted here. Use an object."),
    (
      #"{"time": -1, "pointer": 1, "phase": "down", "at": [0, 0]}"#,
      "t.jsonl:2:10: field \"time\": the number -1 is not accepted here. Use seconds from the beginning, 0 or more."
    ),
    (
      #"{"time": 1, "pointer": 1, "phase": "down", "at": [0, 0]}"#,
      "t.jsonl:2:10: field \"time\": 1 follows 2. Put the lines in the order of their times."
    ),
    (
      #"{"time": 3, "pointer": 1.5, "phase": "down", "at": [0, 0]}"#,
      "t.jsonl:2:24: field \"pointer\": the number 1.5 is not accepted here. Use a whole number from 0 to 9007199254740992."
    ),
    (
      #"{"time": 3, "pointer": 1, "phase": "dwon", "at": [0, 0]}"#,
      "t.jsonl:2:36: field \"phase\": \"dwon\" is no choice. Did you mean \"down\"?"
    ),
    (
      #"{"time": 3, "pointer": 1, "phase": "down", "at": [0]}"#,
      "t.jsonl:2:50: field \"at\": an array is not accepted here. Use two numbers, as in [103.5, 99]."
    ),
    (
      #"{"time": 3, "pointer": 1, "phase": "down", "at": [0, 0], "target": "a b"}"#,
      "t.jsonl:2:68: field \"target\": \"a b\" is not a valid target name: use 1 to 128 of A-Z a-z 0-9 _ . : -"
    ),
    (
      #"{"time": 3, "pointer": 1, "phase": "down", "at": [0, 0], "force": 1}"#,
      "t.jsonl:2:58: there is no entry \"force\" here. "
    ),
    (#"{"time": 3, "phase": "down", "at": [0, 0]}"#, "t.jsonl:2:1: \"pointer\" is missing. Add \"pointer\"."),
  ])
  func `errors have line, column, field and remedy`(line: String, message: String) throws {
    let text = #"{"time": 2, "pointer": 1, "phase": "down", "at": [0, 0]}"# + "\n" + line + "\n"
    let found = errors(text, target: "ball")
    #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
  }

  @Test func `errors are collected up to a limit`() {
    let text = String(repeating: "x\n", count: Limits.fileErrors + 5)
    let found = errors(text)
    #expect(found.count == Limits.fileErrors && found[1].hasPrefix("t.jsonl:2:1:"))
  }

  @Test func refusesAFileThatIsTooLarge() {
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: Limits.pointerTraceBytes + 1)
    #expect(throws: FileErrors.self) { try PointerTraceFile(bytes, named: "t.jsonl") }
  }
}
