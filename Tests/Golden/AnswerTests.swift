import FakeCoordinator
import MotionModel
import MotionWire
import Testing

/// The output of the reading commands, for programs and for people.
@Suite(.timeLimit(.minutes(1))) struct AnswerTests {
  private static let readings = [
    "list targets", "list properties", "list executors", "list intentions", "list tokens", "list plugins",
    "list waiting", "describe Glow", "status", "pause", "why ball.position",
  ]

  @Test(arguments: readings)
  func `JSON answers are golden`(command: String) throws {
    let run = try run(command.split(separator: " ").map(String.init) + ["--json"])
    try Golden.expect(run.output, "JSON/\(command.replacing(" ", with: "-")).json")
  }

  @Test(arguments: readings)
  func `text answers are golden`(command: String) throws {
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

  // Clauses: S8.41, S11.23
  @Test func `receipts state missing objects and late times`() throws {
    let coordinator = try FakeCoordinator { envelope in
      switch envelope.body {
      case .commit(let commit):
        var receipt = Receipt(sequence: 17, frame: 1481)
        receipt.counts = Receipt.Counts()
        if commit.at != nil { (receipt.overdue, receipt.counts) = (12.34, Receipt.Counts(forgotten: 1)) }
        return .receipt(receipt)
      case .query(.intentions): return .answer(.intentions(Samples.intentions))
      case .cancel(49): return .done(ClockState())
      case .cancel: return .refusal(Refusal(.notFound, "no transaction 50 waits for its time"))
      default: return Samples.handler(envelope)
      }
    }
    defer { coordinator.stop() }
    func run(_ arguments: String...) throws -> String {
      let run = try Program.run(arguments, runtimeDirectory: coordinator.paths.directory)
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      return run.output
    }
    #expect(try run("remove", "drag", "--from", "ball") == "transaction 17, 1 operation, nothing to remove\n")
    #expect(try run("forget", "nosuch") == "transaction 17, 1 operation, nothing to forget\n")
    #expect(try run("forget", "ball", "--at", "1") == "transaction 17, 1 operation, due 12.3 s ago: applied now\n")
    #expect(
      try run("forget", "ball", "square", "--at", "1")
        == "transaction 17, 2 operations, due 12.3 s ago: applied now; nothing to forget in 1 of 2\n")
    #expect(try run("remove", "99.0") == "nothing to remove: there is no intention 99.0\n")
    #expect(try run("remove", "99.0", "--json") == "{\"removed\":0}\n")
    #expect(try run("remove", "12.3") == "transaction 17, 1 operation, nothing to remove\n")
    let last = try #require(coordinator.requests.last { if case .commit = $0.body { true } else { false } })
    guard case .commit(let commit) = last.body else {
      Issue.record("not a commit")
      return
    }
    #expect(commit.transaction.log == [.removePlan(Samples.identity, from: "ball")])
    #expect(commit.client == "motionctl")
    #expect(try run("remove", "--waiting", "49") == "transaction 49 will not be applied\n")
    #expect(try run("remove", "--waiting", "50") == "nothing to remove: no transaction 50 waits\n")
  }

  @Test func `watched values are golden`() throws {
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

  // Clauses: S11.24
  @Test(arguments: ["status", "pause", "list waiting", "commit -"])
  func `answers of a daemon without wall times are printed`(command: String) throws {
    let coordinator = try FakeCoordinator(handler: Samples.handler)
    defer { coordinator.stop() }
    let file = #"{"transaction": [{"forget": "old"}]}"#
    for option in [[], ["--json"]] {
      let run = try Program.run(
        command.split(separator: " ").map(String.init) + option, runtimeDirectory: coordinator.paths.directory,
        input: file)
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      #expect(!run.output.contains("2027-01-15T08:10"), "\(run.output)")
      if option != [] { #expect(run.output.contains(command == "list waiting" ? "\"due\":" : "\"wallTime\":")) }
    }
  }

  // Clauses: S18.13
  @Test func `targets are accepted in every spelling of their option`() throws {
    let coordinator = try FakeCoordinator(handler: Samples.handler)
    defer { coordinator.stop() }
    let (one, two): (TargetName, TargetName) = ("one", "two")
    func body(_ arguments: [String]) throws -> Envelope.Body? {
      let run = try Program.run(arguments, runtimeDirectory: coordinator.paths.directory)
      #expect(run.status == 0, "\(arguments): \(run.errors)")
      return coordinator.requests.last {
        switch $0.body {
        case .commit, .stop, .query(.properties), .query(.graph): true
        default: false
        }
      }?.body
    }
    func log(_ arguments: [String]) throws -> [Transaction.Operation] {
      guard case .commit(let commit)? = try body(arguments) else { return [] }
      return commit.transaction.log
    }
    let spring = Intention("AnchoredSpring", [.init("property", .property("x")), .init("destination", .number(1))])
    for option in ["--target", "--to", "--from"] {
      let both = [option, "one", option, "two"]
      #expect(
        try log(["add", "AnchoredSpring", "property=x", "destination=1"] + both)
          == [.add(spring, named: nil, to: one), .add(spring, named: nil, to: two)])
      #expect(
        try log(["remove", "home"] + both) == [.remove(named: "home", from: one), .remove(named: "home", from: two)])
      #expect(try log(["forget"] + both) == [.forget(one), .forget(two)])
      #expect(try log(["forget", "one", option, "two"]) == [.forget(one), .forget(two)])
      #expect(try body(["stop", "one", option, "two"]) == .stop(StopRequest([one, two])))
      #expect(try body(["graph", option, "two"]) == .query(.graph(two)))
    }
    #expect(try body(["list", "properties", "--target", "two"]) == .query(.properties(two)))
    for (arguments, message) in [
      (["list", "properties", "--from", "two"], "write a moment"), (["draw", "--to", "two"], "write a moment"),
      (["forget"], "name a target"), (["graph", "one", "--to", "two"], "one target or all"),
      (["remove", "home", "--from", "one", "--to", "one"], "given twice"),
      (["list", "types", "--target", "one"], "omit the targets"), (["stop", "--target", "a b"], "target name"),
      (["input", "a", "--to", "one", "--target", "two"], "given twice"),
    ] {
      let run = try Program.run(arguments)
      #expect(run.status == 2 && run.errors.contains(message), "\(arguments): \(run.errors)")
    }
  }

  // Clauses: S18.16
  @Test func `targets are listed by name, as their properties are`() throws {
    let all = try run(["list", "targets"]).output.split(separator: "\n")
    let name = try #require(all.dropFirst().first?.split(separator: " ").first.map(String.init))
    #expect(try run(["list", "targets", name]).output.split(separator: "\n").count == 2)
    #expect(try run(["list", "targets", "--target", name]).output.contains(name))
  }

  private func run(_ arguments: [String], input: String? = nil) throws -> Program.Run {
    let coordinator = try FakeCoordinator(moment: Samples.moment, handler: Samples.handler)
    defer { coordinator.stop() }
    let run = try Program.run(arguments, runtimeDirectory: coordinator.paths.directory, input: input)
    #expect(run.status == 0)
    #expect(run.errors == "")
    return run
  }
}
