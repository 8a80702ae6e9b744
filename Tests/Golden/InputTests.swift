import FakeCoordinator
import Foundation
import MotionFiles
import MotionModel
import MotionWire
import Testing

@testable import motionctl

/// The output of `motionctl input`, and its refusals.
@Suite(.timeLimit(.minutes(1))) struct InputTests {
  private static let line = #"{"time": 0, "target": "ball", "pointer": 1, "phase": "down", "at": [1, 2]}"#

  @Test func summariesAreGolden() throws {
    let summary = InputSummary(events: 125, messages: 85, seconds: 1.4004)
    try Golden.expect(JSONOutput(summary).line + "\n", "JSON/input.json")
    try Golden.expect(summary.line + "\n", "Text/input.txt")
    #expect(InputSummary(events: 1, messages: 1, seconds: 0).line == "1 event in 1 message, 0 s")
  }

  @Test(arguments: [
    ([], "name a trace"), (["touch.jsonl", "--to", "ball", "--surface", "1x1"], "--surface is for a --device"),
    (["touch.jsonl", "--record", "a"], "--record is for a --device"), (["touch.jsonl", "--to", "a b"], "target name"),
    (["touch.jsonl", "ball"], "ball"), (["--device", "/dev/null"], "--to"),
    (["--device", "/dev/null", "--to", "a b"], "target name"),
    (["touch.jsonl", "--device", "/dev/null", "--to", "a"], "touch.jsonl and --device"),
    (["--device", "/dev/null", "--to", "a", "--fast"], "--fast is for a trace"),
    (["--device", "/dev/null", "--to", "a", "--surface", "0x1"], "above 0"),
    (["--device", "/dev/null", "--to", "a", "--origin", "-1"], "x and y"),
    (["--device", "/dev/null", "--to", "a", "--axes", "big"], "highest place"),
    (["--value", "fader"], "has no \"=\""), (["--value", "a b=1"], "input name"),
    (["--value", "fader=1,x"], "write 1 to 4 numbers"), (["--value", "fader=1,2,3,4,5"], "write 1 to 4 numbers"),
    (["--value", "fader=1e101"], "numbers from -1e+100 to 1e+100"), (["--value", "fader=inf"], "numbers from -1e+100"),
    (["--value", "fader=1", "--to", "ball"], "omit --to"), (["--value", "fader=1", "touch.jsonl"], "omit a trace"),
    (["--value", "fader=1", "--values", "-"], "exclude each other"), (["touch.jsonl", "--hold"], "--hold is for"),
    (["--value", "fader=1", "--value", "fader=2"], "given twice"),
  ])
  func `invalid arguments of input exit with 2`(arguments: [String], problem: String) throws {
    let run = try Program.run(["input"] + arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(problem), "\(run.errors)")
  }

  @Test(arguments: [
    (#"{"time": 0, "pointer": 1, "phase": "dwn", "at": [1, 2]}"#, "Did you mean \"down\"?"),
    (#"{"time": -1, "pointer": 1, "phase": "down", "at": [1, 2]}"#, "field \"time\": "),
    (#"{"time": 0, "pointer": 1, "phase": "down", "at": [1]}"#, "field \"at\": an array"),
    (#"{"time": 0, "pointer": 1, "phase": "down"}"#, "\"at\" is missing"),
    ("{", ":2:"),
  ])
  func `an invalid trace exits with 2, its line and its field`(line: String, problem: String) throws {
    let run = try Program.run(["input", "-", "--to", "ball"], input: Self.line + "\n" + line + "\n")
    #expect(run.status == 2)
    #expect(run.errors.contains("standard input:2:"))
    #expect(run.errors.contains(problem), "\(run.errors)")
  }

  @Test func `a trace without a target is refused with the option that names one`() throws {
    let line = #"{"time": 0, "pointer": 1, "phase": "down", "at": [1, 2]}"#
    let run = try Program.run(["input", "-"], input: line)
    #expect(run.status == 2)
    #expect(run.errors.contains("standard input:1:1: \"target\" is missing"))
    #expect(run.errors.contains("try: name the target of the lines with --to: motionctl input - --to ball"))
  }

  @Test(arguments: [
    ([String](), "cannot read /tmp/motion-nowhere/touch: No such file", "check the path"),
    (["--device"], "/tmp/motion-nowhere/touch cannot be opened: No such file", "/proc/bus/input/devices"),
  ])
  func `a missing trace or device exits with 1`(option: [String], problem: String, remedy: String) throws {
    let run = try Program.run(["input"] + option + ["/tmp/motion-nowhere/touch", "--to", "ball"])
    #expect(run.status == 1)
    #expect(run.errors.contains(problem) && run.errors.contains(remedy), "\(run.errors)")
  }

  @Test func `a file that is no device exits with 1`() throws {
    let run = try Program.run(["input", "--device", "/dev/null", "--to", "ball"])
    #expect(run.status == 1)
    #expect(run.errors.contains("/dev/null cannot be identified"))
  }

  @Test func `a long trace is sent in messages of at most 1,024 events`() throws {
    let coordinator = try FakeCoordinator(handler: Self.handler)
    defer { coordinator.stop() }
    let lines = (0..<3000).map { #"{"time": \#(Double($0) / 1000), "pointer": 1, "phase": "move", "at": [\#($0), 0]}"# }
    let run = try Program.run(
      ["input", "-", "--to", "ball", "--fast", "--json", "--name", "hand"],
      runtimeDirectory: coordinator.paths.directory,
      input: lines.joined(separator: "\n"))
    #expect(run.status == 0)
    #expect(run.output.hasPrefix(#"{"events":3000,"messages":3,"seconds":"#))
    #expect(run.errors == "note: no plan lets a hand move ball yet. Try: motionctl add Draggable --to ball\n")
    let inputs = coordinator.inputs
    #expect(inputs.map(\.events.count) == [1024, 1024, 952])
    #expect(inputs.allSatisfy { $0.target == "ball" && $0.device == "hand" })
    let times = inputs.flatMap(\.events).map(\.time)
    #expect(abs(try #require(times.last) - InputSender.now) < 60, "it ends now")
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.001) < 1e-6 }, "in its own rhythm")
  }

  @Test func `a trace longer than an hour exits with 2`() throws {
    let coordinator = try FakeCoordinator(handler: Self.handler)
    defer { coordinator.stop() }
    let late = Self.line.replacing("\"time\": 0", with: "\"time\": 1e300")
    let run = try Program.run(
      ["input", "-", "--fast"], runtimeDirectory: coordinator.paths.directory, input: Self.line + "\n" + late)
    #expect(run.status == 2)
    #expect(run.errors.contains("at most an hour"))
    #expect(coordinator.inputs.isEmpty)
  }

  @Test func `the documented trace is valid`() throws {
    let text = try String(contentsOfFile: Examples.directory + "/../docs/input.md", encoding: .utf8)
    let trace = try #require(text.split(separator: "```jsonl\n").last?.split(separator: "```").first)
    let entries = try PointerTraceFile(Array(trace.utf8), named: "docs/input.md").entries
    #expect(Set(entries.map(\.event.phase)) == Set(PointerEvent.Phase.allCases))
    #expect(text.contains(#"{"events":125,"messages":85,"seconds":1.4}"#))
  }

  // Clauses: S20.1
  @Test func `values of the command line are sent in one message`() throws {
    let coordinator = try FakeCoordinator(handler: Self.handler)
    defer { coordinator.stop() }
    let run = try Program.run(
      ["input", "--value", "fader.1=0.5", "--value", "tracker=1,-2,3", "--value", "old=", "--hold"],
      runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 0 && run.output == "" && run.errors == "")
    #expect(
      coordinator.values == [
        InputValues(
          from: "motionctl",
          [
            InputValue("fader.1", 0.5, isHeld: true), InputValue("tracker", [1, -2, 3], isHeld: true),
            InputValue("old", nil, isHeld: true),
          ])
      ])
    let other = try Program.run(["input", "--value", "a=1"], runtimeDirectory: coordinator.paths.directory)
    #expect(other.status == 0 && other.errors.contains("--hold keeps it"))
  }

  // Clauses: S20.10
  @Test func `each line of values is sent, and lines with errors are skipped with their numbers`() throws {
    let coordinator = try FakeCoordinator(handler: Self.handler)
    defer { coordinator.stop() }
    let lines = [
      #"{"fader.1": 0.25, "tracker": [1, 2]}"#, "", #"{"fader.1": "high"}"#, #"{"a b": 1}"#, "[1]", "{",
      #"{"tracker": [1, 2, 3, 4, 5]}"#, #"{"fader.1": 1e101}"#, #"{"fader.1": null}"#,
    ]
    let run = try Program.run(
      ["input", "--values", "-", "--name", "desk", "--json"], runtimeDirectory: coordinator.paths.directory,
      input: lines.joined(separator: "\n"))
    #expect(run.status == 2)
    #expect(run.output.hasPrefix(#"{"events":3,"messages":2,"seconds":"#))
    for line in 3...8 { #expect(run.errors.contains("skipped: standard input:\(line):"), "\(run.errors)") }
    #expect(run.errors.contains("6 lines were skipped"))
    #expect(
      coordinator.values == [
        InputValues(from: "desk", [InputValue("fader.1", 0.25), InputValue("tracker", [1, 2])]),
        InputValues(from: "desk", [InputValue("fader.1", nil)]),
      ])
  }

  private static let handler: FakeCoordinator.Handler = { envelope in
    switch envelope.body {
    case .input, .inputValues: .done(ClockState())
    case .query(.intentions): .answer(.intentions([]))
    default: FakeCoordinator.obliging(envelope)
    }
  }
}

extension FakeCoordinator {
  /// The input that was received.
  fileprivate var inputs: [PointerInput] {
    requests.compactMap { if case .input(let input) = $0.body { input } else { nil } }
  }

  /// The input values that were received.
  fileprivate var values: [InputValues] {
    requests.compactMap { if case .inputValues(let input) = $0.body { input } else { nil } }
  }
}
