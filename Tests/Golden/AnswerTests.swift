import FakeCoordinator
import MotionModel
import MotionWire
import Testing

/// What the reading commands print, for programs and for people.
@Suite(.timeLimit(.minutes(1))) struct AnswerTests {
  private static let readings = [
    "list targets", "list properties", "list executors", "list intentions", "list tokens", "list plugins",
    "describe Glow", "status", "pause",
  ]

  @Test(arguments: readings)
  func jsonIsGolden(command: String) throws {
    let run = try run(command.split(separator: " ").map(String.init) + ["--json"])
    try Golden.expect(run.output, "JSON/\(command.replacing(" ", with: "-")).json")
  }

  @Test(arguments: readings)
  func textIsGolden(command: String) throws {
    let run = try run(command.split(separator: " ").map(String.init))
    try Golden.expect(run.output, "Text/\(command.replacing(" ", with: "-")).txt")
  }

  @Test func receiptsAreGolden() throws {
    let file = #"{"transaction": [{"forget": "old"}], "id": "000102030405060708090a0b0c0d0e0f"}"#
    try Golden.expect(try run(["commit", "-", "--json"], input: file).output, "JSON/commit.json")
    try Golden.expect(try run(["commit", "-"], input: file).output, "Text/commit.txt")
    try Golden.expect(try run(["commit", "-", "--at", "+2s"], input: file).output, "Text/commit-at.txt")
    try Golden.expect(try run(["commit", "--dry-run", "--json", "-"], input: file).output, "JSON/commit-dry-run.json")
    try Golden.expect(try run(["commit", "--dry-run", "-"], input: file).output, "Text/commit-dry-run.txt")
  }

  @Test func watchingIsGolden() throws {
    let coordinator = try FakeCoordinator(handler: Samples.handler)
    defer { coordinator.stop() }
    let names = [
      NamedProperty(handle: PropertyHandle(1), reference: PropertyReference("ball", "position"), lanes: 2),
      NamedProperty(handle: PropertyHandle(2), reference: PropertyReference("ball", "opacity"), lanes: 1),
    ]
    let values = Values(
      frame: 1480, time: 12.345, dt: 0.00416, handles: names.map(\.handle), counts: [2, 1], lanes: [62.5, -3.25, 0.75],
      velocities: [410.125, 0, -1.5], late: [PropertyHandle(2)])
    coordinator.declare("m/ball", names, values)
    let run = try Program.run(
      ["watch", "ball", "--velocities", "--frames", "1"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 0)
    #expect(run.errors == "")
    try Golden.expect(run.output, "JSON/watch.ndjson")
  }

  private func run(_ arguments: [String], input: String? = nil) throws -> Program.Run {
    let coordinator = try FakeCoordinator(handler: Samples.handler)
    defer { coordinator.stop() }
    let run = try Program.run(arguments, runtimeDirectory: coordinator.paths.directory, input: input)
    #expect(run.status == 0)
    #expect(run.errors == "")
    return run
  }
}
