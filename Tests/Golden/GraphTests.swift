import FakeCoordinator
import Foundation
import MotionModel
import MotionWire
import Testing

/// The output of `motionctl graph`.
@Suite(.timeLimit(.minutes(1))) struct GraphTests {
  private func run(_ arguments: String...) throws -> Program.Run {
    let coordinator = try FakeCoordinator(handler: Samples.handler)
    defer { coordinator.stop() }
    return try Program.run(["graph"] + arguments, runtimeDirectory: coordinator.paths.directory)
  }

  // Clauses: S8.52
  @Test func `graphs as text, JSON and dot are golden`() throws {
    for (name, arguments) in [("Text/graph.txt", []), ("JSON/graph.json", ["--json"]), ("Text/graph.dot", ["--dot"])] {
      let coordinator = try FakeCoordinator(handler: Samples.handler)
      defer { coordinator.stop() }
      let run = try Program.run(["graph"] + arguments, runtimeDirectory: coordinator.paths.directory)
      #expect(run.status == 0)
      #expect(run.errors == "")
      try Golden.expect(run.output, name)
    }
  }

  @Test func `missing parts of a graph are noted, and control characters are escaped`() throws {
    let text = try run("odd")
    try Golden.expect(text.output, "Text/graph-odd.txt")
    #expect(
      text.errors == "note: osc.0 did not describe its streams within 0.5 seconds\nnote: \\u{1B}[31mred\n")
    let drawn = try run("odd", "--dot")
    #expect(drawn.errors == text.errors)
    try Golden.expect(drawn.output, "Text/graph-odd.dot")
    let json = try run("odd", "--json")
    #expect(json.errors == "", "it has the remarks in it")
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((object?["remarks"] as? [String])?.count == 2)
    for output in [text.output, drawn.output, json.output] {
      #expect(!output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{7F}" })
    }
  }

  @Test func `dot and JSON together are refused`() throws {
    let run = try run("--dot", "--json")
    #expect(run.status == 2)
    #expect(run.errors.contains("--dot and --json exclude each other: give one of them"))
  }

  @Test func `an empty graph prints a note that there are no targets`() throws {
    let run = try run("empty")
    #expect(run.output == "")
    #expect(run.errors == "no targets\n")
  }

  private static let dot = ["/usr/bin/dot", "/usr/local/bin/dot"].first(
    where: FileManager.default.isExecutableFile(atPath:))

  /// Graphviz is among the packages of `make setup`; where it is not installed, the output cannot be checked.
  @Test(.enabled(if: dot != nil), arguments: ["Text/graph.dot", "Text/graph-odd.dot"])
  func `Graphviz draws the graph's dot text`(file: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.dot))
    process.arguments = ["-Tsvg", Golden.path(of: file)]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    defer { if process.isRunning { process.terminate() } }
    let drawing = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(complaints == "")
    let text = String(decoding: drawing, as: UTF8.self)
    #expect(text.contains("<svg") && text.hasSuffix("</svg>\n"))
    #expect(text.contains("Tween in tween.0"))
  }
}
