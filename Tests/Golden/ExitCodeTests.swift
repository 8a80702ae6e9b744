import FakeCoordinator
import MotionModel
import MotionWire
import Testing

/// What the exit code says, and that every error says what to do.
@Suite(.timeLimit(.minutes(1))) struct ExitCodeTests {
  @Test(arguments: [
    ["bogus"], ["speed", "x"], ["speed", "0"], ["step", "0"], ["list", "balls"], ["list", "types", "ball"], ["commit"],
    ["add", "Tween"], ["add", "Tween", "--to", "a b"], ["add", "Tween", "--to", "ball", "duration"],
    ["add", "Tween", "--to", "ball", "to=1", "to=2"], ["watch", "--frames", "0"], ["status", "--timeout", "5"],
    ["commit", "a", "b", "--id", "000102030405060708090a0b0c0d0e0f"], ["commit", "-", "-"],
  ])
  func usageIsTwo(arguments: [String]) throws {
    let run = try Program.run(arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("--help"))
  }

  @Test func aBrokenFileIsTwoWithItsPlace() throws {
    let file =
      #"{"transaction": [{"add": {"type": "Tween", "property": "opacity", "to": 1, "durtion": "1s"}, "to": "a"}]}"#
    let run = try Program.run(["commit", "--dry-run", "-"], input: file)
    #expect(run.status == 2)
    #expect(run.errors.contains("standard input:1:"))
    #expect(run.errors.contains("Did you mean \"duration\"?"))
  }

  @Test func aMissingFileIsOne() throws {
    let run = try Program.run(["commit", "--dry-run", "/tmp/motion-nowhere/show.json"])
    #expect(run.status == 1)
    #expect(run.errors.contains("cannot read /tmp/motion-nowhere/show.json: No such file"))
  }

  @Test func noDaemonIsThree() throws {
    let run = try Program.run(["status"])
    #expect(run.status == 3)
    #expect(run.errors.contains("no motiond listens on /tmp/motion-nowhere/client/control.ipc"))
    #expect(run.errors.contains("try: motiond --runtime-dir /tmp/motion-nowhere"))
  }

  @Test func aRefusalIsFour() throws {
    let coordinator = try FakeCoordinator { envelope in
      if case .commit = envelope.body {
        return .refusal(
          Refusal(.quarantined, operation: 0, "plugin \"tween\" is quarantined", remedy: "See motionctl status."))
      }
      return FakeCoordinator.obliging(envelope)
    }
    defer { coordinator.stop() }
    let run = try Program.run(["forget", "ball"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 4)
    #expect(
      run.errors == """
        error: refused: operation 0: plugin "tween" is quarantined
          try: See motionctl status.

        """)
  }

  @Test func anUnknownTypeIsFour() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let run = try Program.run(["describe", "Twen"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 4)
    #expect(run.errors.contains("Did you mean \"Tween\"?"))
  }

  @Test func silenceIsFive() throws {
    let coordinator = try FakeCoordinator { envelope in
      if case .query = envelope.body { nil } else { FakeCoordinator.obliging(envelope) }
    }
    defer { coordinator.stop() }
    let run = try Program.run(["status", "--timeout", "100ms"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 5)
    #expect(run.errors.contains("--timeout"))
  }

  @Test func anUnansweredCommitSaysHowToSayItAgain() throws {
    let coordinator = try FakeCoordinator { envelope in
      if case .commit = envelope.body { nil } else { FakeCoordinator.obliging(envelope) }
    }
    defer { coordinator.stop() }
    let file = Examples.directory + "/specification.json"
    let run = try Program.run(["commit", file, "--timeout", "100ms"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 5)
    #expect(run.errors.contains("motionctl commit --id "))
  }

  @Test func addedFieldsAreCheckedAgainstTheDaemonsTypes() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let good = ["add", "Tween", "--to", "ball", "--named", "fade", "property=opacity", "to=0", "duration=300ms"]
    let run = try Program.run(good, runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 0)
    guard case .commit(let commit)? = coordinator.requests.last?.body else {
      Issue.record("a commit has to be the last request")
      return
    }
    let tween = Intention(
      "Tween",
      [
        .init("property", .property("opacity")), .init("to", .number(0)),
        .init("duration", .duration(.milliseconds(300))),
      ])
    #expect(commit.transaction.log == [.add(tween, named: "fade", to: "ball")])
    let bad = ["add", "Tween", "--to", "ball", "property=opacity", "to=0", "duration=300"]
    let refused = try Program.run(bad, runtimeDirectory: coordinator.paths.directory)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("300ms"))
  }

  @Test func dryRunChangesNothing() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let file = #"{"transaction": [{"forget": "ball"}]}"#
    let run = try Program.run(["commit", "--dry-run", "-"], runtimeDirectory: coordinator.paths.directory, input: file)
    #expect(run.status == 0)
    #expect(!coordinator.requests.contains { if case .commit = $0.body { true } else { false } })
  }
}
