import FakeCoordinator
import MotionModel
import MotionWire
import Testing

/// The meanings of the exit codes; every error states a remedy.
@Suite(.timeLimit(.minutes(1))) struct ExitCodeTests {
  @Test(arguments: [
    ["bogus"], ["speed", "x"], ["speed", "0"], ["step", "0"], ["list", "balls"], ["list", "types", "ball"], ["commit"],
    ["add", "Tween"], ["add", "Tween", "--to", "a b"], ["add", "Tween", "--to", "ball", "duration"],
    ["add", "Tween", "--to", "ball", "to=1", "to=2"], ["watch", "--frames", "0"], ["status", "--timeout", "5m"],
    ["remove", "drag"], ["remove"], ["remove", "49", "--from"], ["remove", "--waiting", "49", "drag"],
    ["remove", "--waiting", "49", "--at", "1"], ["list", "waiting", "ball"],
    ["forget", "ball", "--comment", String(repeating: "x", count: 257)],
    ["commit", "a", "b", "--id", "000102030405060708090a0b0c0d0e0f"], ["commit", "-", "-"],
    ["step", "x"], ["speed", "-1"], ["step", "-1"], ["watch", "--frames", "-1"], ["forget", "ball", "--at", "-1"],
  ])
  func `wrong usage exits with 2`(arguments: [String]) throws {
    let run = try Program.run(arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("--help"))
  }

  // Clauses: S18.10
  @Test(arguments: [
    (["add", "Tween", "--to", "ball", "--named", "a", "--named", "b"], "--named"),
    (["forget", "ball", "--at", "1", "--at=2"], "--at"), (["status", "--timeout=1s", "--timeout", "2s"], "--timeout"),
    (["commit", "x.json", "--runtime-dir", "/a", "--json", "--runtime-dir", "/b"], "--runtime-dir"),
    (["journal", "show", "/a", "--last", "1", "--last", "2"], "--last"),
    (["key", "new", "x", "--directory", "a", "--directory", "b"], "--directory"),
  ])
  func `a single-value option that is given twice is refused`(arguments: [String], option: String) throws {
    let run = try Program.run(arguments)
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.contains("The option '\(option)' takes one value and is given twice"), "\(run.errors)")
  }

  @Test func `a target that is given twice is refused`() throws {
    let run = try Program.run(["add", "Tween", "--to", "ball", "--to", "ball"])
    #expect(run.status == 2 && run.errors.contains("the target \"ball\" is given twice"), "\(run.errors)")
  }

  @Test func `arguments after two dashes are not options`() throws {
    // A field whose value looks like an option, and a file of that name, may be given any number of times.
    let run = try Program.run(["commit", "--dry-run", "--", "--at", "--at"])
    #expect(run.status == 1 && run.errors.contains("cannot read --at"), "\(run.errors)")
  }

  @Test(arguments: [
    (["speed", "-1"], "of at least"), (["speed", "-0.5", "--json"], "of at least"),
    (["step", "-1"], "at least 1"), (["watch", "--frames", "-1"], "at least 1"),
    (["forget", "ball", "--at", "-1"], "simulated seconds"), (["status", "--timeout", "-1s"], "at most 1h"),
    (["speed", "--json", "-1"], "of at least"), (["forget", "ball", "--at", "-1"], "'-1'"),
    (["forget", "ball", "--timeout", "-5"], "'-5'"), (["speed", "-2", "--timeout", "-1"], "'-1'"),
    (["limit", "head", "property=angle", "range=nan..1"], "range=-1..1"),
  ])
  func `numbers out of their range, or none, are refused with the range`(arguments: [String], range: String) throws {
    let run = try Program.run(arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(range))
  }

  @Test func `a full standard output exits with 1`() throws {
    let shell = try Program.run(["--help"], output: "/dev/full")
    #expect(shell.status == 1)
    #expect(shell.errors.contains("cannot write to standard output: No space left on device"))
  }

  /// A shell closes them with `<&-` and `>&-`. A socket that took the number of one would receive the output.
  @Test(arguments: [
    ("commit --dry-run - <&-", "standard input is closed"), ("--help >&-", "standard output is closed"),
    ("--help >&- <&-", "standard output is closed"),
  ])
  func `a closed standard stream is reported`(arguments: String, message: String) throws {
    let run = try Program.shell("\"$MOTIONCTL\" \(arguments)")
    #expect(run.status != 0 && run.status < 64)
    #expect(run.errors.contains("error: \(message)\n"), "\(run.errors)")
  }

  @Test func `a file beyond the limit of the process is an error, not a signal`() throws {
    let run = try Program.shell(
      """
      folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; ulimit -f 1
      "$MOTIONCTL" completions bash > "$folder/completions"
      """)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("File too large"), "\(run.errors)")
  }

  @Test func `an invalid transaction file exits with 2 and its place`() throws {
    let file =
      #"{"transaction": [{"add": {"type": "Tween", "property": "opacity", "to": 1, "durtion": "1s"}, "to": "a"}]}"#
    let run = try Program.run(["commit", "--dry-run", "-"], input: file)
    #expect(run.status == 2)
    #expect(run.errors.contains("standard input:1:"))
    #expect(run.errors.contains("Did you mean \"duration\"?"))
  }

  // Clauses: S18.7
  @Test func `errors escape control characters`() throws {
    let file = #"{"transaction": [{"add": {"type": "Tw\u001b[31men", "property": "opacity"}, "to": "a"}]}"#
    let run = try Program.run(["commit", "--dry-run", "-"], input: file)
    #expect(run.status == 2)
    #expect(run.errors.contains(#"Tw\u{1B}[31men"#) && !run.errors.contains("\u{1B}"), "\(run.errors)")
    let usage = try Program.run(["list", "b\u{1B}[31malls"])
    #expect(usage.status == 2 && !usage.errors.contains("\u{1B}"), "\(usage.errors)")
  }

  @Test func `an id of zeros is refused with the reason`() throws {
    let zeros = String(repeating: "0", count: 32)
    let file = "{\"id\": \"\(zeros)\", \"transaction\": [{\"forget\": \"ball\"}]}"
    for arguments in [["--id", zeros], []] {
      let run = try Program.run(["commit", "--dry-run", "-"] + arguments, input: file)
      #expect(run.status == 2)
      #expect(run.errors.contains("an id of zeros is not valid") && run.errors.contains("or omit"), "\(run.errors)")
      #expect(!run.errors.contains("id_high"))
    }
  }

  @Test func `a missing file exits with 1`() throws {
    let run = try Program.run(["commit", "--dry-run", "/tmp/motion-nowhere/show.json"])
    #expect(run.status == 1)
    #expect(run.errors.contains("cannot read /tmp/motion-nowhere/show.json: No such file"))
  }

  @Test(arguments: [("whi", "Did you mean \"why\"?"), ("frobnicate", "motionctl --help lists them")])
  func `a command that there is not is named, with the nearest`(name: String, remedy: String) throws {
    let run = try Program.run([name, "ball.x"])
    #expect(run.status == 2 && run.errors.contains("there is no command \"\(name)\""), "\(run.errors)")
    #expect(run.errors.contains(remedy), "\(run.errors)")
  }

  @Test func `the name of a command that there is not cannot control a terminal`() throws {
    let run = try Program.run(["\u{1B}[31mlis\nt"])
    #expect(run.status == 2 && run.errors.contains("there is no command"), "\(run.errors)")
    let help = try Program.run(["help", "frob"])
    #expect(help.status == 2 && help.errors.contains("there is no command \"frob\""), "\(help.errors)")
    #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("lis\nt"), "\(run.errors)")
  }

  @Test func `a missing daemon exits with 3`() throws {
    let run = try Program.run(["status"])
    #expect(run.status == 3)
    #expect(run.errors.contains("no motiond listens on /tmp/motion-nowhere/client/control.ipc"))
    #expect(run.errors.contains("motiond --runtime-dir /tmp/motion-nowhere,"))
  }

  @Test func `a refusal exits with 4`() throws {
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
        error: refused: plugin "tween" is quarantined
          try: See motionctl status.

        """)
  }

  @Test func `an unknown type exits with 4`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let run = try Program.run(["describe", "Twen"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 4)
    #expect(run.errors.contains("Did you mean \"Tween\"?"))
  }

  @Test func `a timeout exits with 5`() throws {
    let coordinator = try FakeCoordinator { envelope in
      if case .query = envelope.body { nil } else { FakeCoordinator.obliging(envelope) }
    }
    defer { coordinator.stop() }
    let run = try Program.run(["status", "--timeout", "100ms"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 5)
    #expect(run.errors.contains("--timeout"))
  }

  @Test func `a repeated receipt is reported only if the user gave the id`() throws {
    let coordinator = try FakeCoordinator { envelope in
      // The first receipt was lost, and this one answers the second attempt.
      if case .commit = envelope.body { return .receipt(Receipt(sequence: 7, frame: 1, isRepeat: true)) }
      return FakeCoordinator.obliging(envelope)
    }
    defer { coordinator.stop() }
    let file = #"{"transaction":[{"add":{"type":"SpringTo","property":"position","destination":[1,2]},"to":"ball"}]}"#
    func report(_ arguments: String..., input: String? = nil) throws -> String {
      let run = try Program.run(arguments, runtimeDirectory: coordinator.paths.directory, input: input)
      #expect(run.status == 0 && run.output.contains("transaction 7"), "\(run)")
      return run.output
    }
    let said = "committed before"
    #expect(!(try report("add", "SpringTo", "--to", "ball", "property=position", "destination=1,2").contains(said)))
    #expect(!(try report("commit", "-", input: file).contains(said)))
    let id = "00112233445566778899aabbccddeeff"
    #expect(try report("commit", "--id", id, "-", input: file).contains(said))
  }

  @Test func `an unanswered commit prints the command that resends it`() throws {
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
    let bad = ["add", "Tween", "--to", "ball", "property=opacity", "to=0", "duration=300m"]
    let refused = try Program.run(bad, runtimeDirectory: coordinator.paths.directory)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("300ms"))
  }

  @Test(arguments: [
    ("to=nan", "\"nan\" is not a finite number"), ("to=-inf", "\"-inf\" is not a finite number"),
    ("to=1,infinity", "\"infinity\" is not a finite number"), ("to=1e999", "finite"),
    ("easing=bouncy", "no timing function is called 'bouncy'"), ("offsets=[0,0.5]", "do not run from 0 to 1"),
    ("values=[1,2]", "exclude each other"), ("to=1", ""),
  ])
  func `invalid field values exit with 2`(field: String, problem: String) throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let others = field.hasPrefix("to=") ? ["property=level"] : ["property=level", "to=1"]
    let run = try Program.run(
      ["add", "Tween", "--to", "ball"] + others + [field], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == (problem.isEmpty ? 0 : 2))
    #expect(run.errors.contains(problem) || problem.isEmpty, "\(run.errors)")
    #expect(run.errors.isEmpty == problem.isEmpty)
  }

  // Clauses: S8.41
  @Test func `stopping a missing target is no error`() throws {
    let coordinator = try FakeCoordinator { envelope in
      guard case .query(.tokens(let target?)) = envelope.body, target == "bal" else {
        return FakeCoordinator.obliging(envelope)
      }
      return .refusal(Refusal(.notFound, "there is no target \"bal\"", remedy: "Did you mean \"ball\"?"))
    }
    defer { coordinator.stop() }
    let run = try Program.run(["stop", "ball", "bal"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("ball stopped at"))
    let absence = "nothing to stop: there is no target \"bal\". Did you mean \"ball\"?\n"
    #expect(run.output.hasSuffix(absence))
    let nothing = try Program.run(["stop", "bal"], runtimeDirectory: coordinator.paths.directory)
    #expect(nothing.status == 0)
    #expect(nothing.output == absence)
  }

  @Test func `watching a missing target prints a note`() throws {
    let coordinator = try FakeCoordinator { envelope in
      guard case .query(.tokens) = envelope.body else { return FakeCoordinator.obliging(envelope) }
      return .refusal(Refusal(.notFound, "there is no target \"bal\"", remedy: "Did you mean \"ball\"?"))
    }
    defer { coordinator.stop() }
    let run = try Program.run(["watch", "bal", "--frames", "1"], runtimeDirectory: coordinator.paths.directory)
    #expect(run.status == 0)
    #expect(run.errors == "note: there is no target \"bal\" yet, waiting for it. Did you mean \"ball\"?\n")
  }

  @Test func dryRunChangesNothing() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let file = #"{"transaction": [{"forget": "ball"}]}"#
    let run = try Program.run(
      ["commit", "--dry-run", "-", "--timeout", "1s"], runtimeDirectory: coordinator.paths.directory, input: file)
    #expect(run.status == 0)
    #expect(!coordinator.requests.contains { if case .commit = $0.body { true } else { false } })
  }

  // Clauses: S11.39
  @Test func `a dry run reads its files before it asks for the state, and knows a time below zero as one`() throws {
    let coordinator = try FakeCoordinator()
    defer { coordinator.stop() }
    let missing = try Program.run(
      ["commit", "--dry-run", "/tmp/motion-nowhere/show.json"], runtimeDirectory: coordinator.paths.directory)
    #expect(missing.status == 1 && missing.errors.contains("No such file"), "\(missing.errors)")
    #expect(!coordinator.requests.contains { $0.body == .query(.snapshot) })
    let negative = try Program.run(["commit", "--dry-run", "-", "--horizon", "-1s"], input: "")
    #expect(negative.status == 2 && negative.errors.contains("-1s"), "\(negative.errors)")
  }
}
