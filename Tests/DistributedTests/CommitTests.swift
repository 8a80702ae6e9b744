import Faults
import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// From a commit to values in another process.
  @Suite struct CommitTests {
    // Clauses: S18.12
    @Test(arguments: ["bell\u{9B}31m", "lamp\u{202E}", "lamp\u{200F}"])
    func `a name with characters that control a terminal or the text direction is refused`(name: String) throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let error = #expect(throws: MotionClientError.self) {
        try client.add(.springTo("position", [1, 2]), named: IntentionName(name), to: "ball")
      }
      #expect(error?.refusal?.code == .name && error?.refusal?.remedy.isEmpty == false)
    }

    // Clauses: S8.49, S8.50
    @Test func `clients are listed with what ends with them, and named in the log`() throws {
      let daemon = try Daemon()
      let desk = try MotionClient(connectingTo: [daemon.paths], name: "desk")
      func rows(_ more: String...) throws -> [ClientRow] {
        guard case .clients(let rows) = try desk.query(.clients) else { throw Problem("no clients are listed") }
        return rows
      }
      func wall() throws -> ClientRow? { try rows().first { $0.client.name == "wall" } }
      #expect(try rows().map(\.client) == [Committer(name: "desk", user: getuid(), process: getpid())])
      do {
        let client = try MotionClient(connectingTo: [daemon.paths], name: "wall")
        var transaction = Transaction()
        transaction.add(.springTo("x", 1), to: "ball")
        try client.commit(transaction, whileConnected: true)
        try client.send(InputValues(from: "wall", [InputValue("fader", 1)]))
        try client.send(PointerInput("ball", from: "wall", [PointerEvent(id: 1, .down, at: .zero, time: 0)]))
        #expect(try wall()?.held == .init(transactions: 1, pointers: 1, inputs: 1))
        try client.stop(["ball"])
        try client.clock(.pause)
        _ = #expect(throws: MotionClientError.self) { try client.add(.unreadable("Nothing", ""), to: "ball") }
        try client.clock(.resume)
      }
      try awaitTruth("the client that is gone is not listed") { try wall() == nil }
      let name = Committer(name: "wall", user: getuid(), process: getpid())
      for line in [
        "ball is stopped by \(name)", "time is paused by \(name)", "time is resumed by \(name)",
        "a request of \(name) is refused",
      ] {
        #expect(daemon.log.contains(line), "\(line)")
      }
      #expect(try daemon.ctl("list", "clients").output.contains("desk (user \(getuid()), process \(getpid()))"))
      #expect(try daemon.ctl("list", "clients", "--json").json().elements.first?["client"]["name"].text == "desk")
    }

    @Test func `a commit's values reach a subscriber in another process, without a gap, to the exact end`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")), .outcomes("ball"))

      let receipt = try client.add(.springTo("position", [100, -50]), to: "ball")
      try watcher.listen("the spring's end") { !watcher.ended.isEmpty }

      let track = watcher.track("position", of: "ball")
      #expect(receipt.frame == track.first?.frame)
      #expect(track.count > 20)
      #expect(Watcher.isGapless(track))
      #expect(watcher.missed == 0)
      #expect(track.last?.value == [100, -50])
      #expect(track.last?.velocity == [0, 0])
      #expect(watcher.ended.map(\.outcome) == [.completed])
      // The first frame of a spring of tension 342 and friction 30 after 1/120 s: x'' = 342 at the start.
      let first = try #require(track.first?.value[0])
      #expect(abs(first - 100 * 342 / 2 / 120 / 120) < 0.12)
    }

    @Test func `motionctl watch prints the values of a file that motionctl commits`() throws {
      let daemon = try Daemon()
      let watch = try daemon.ctl.start(["watch", "ball/position", "--velocities"])
      try awaitTruth("the watcher's first line") { !watch.lines.isEmpty }
      try daemon.directory.write(
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "position", "destination": [7, 9]}, "to": "ball"}]}"#,
        to: "spring.json")

      let commit = try daemon.ctl("commit", daemon.directory["spring.json"])
      #expect(commit.end == .exited(0), "\(commit.errors)")
      let last = try awaitFact("the watcher's last line") { () -> JSON? in
        guard let line = try watch.lines.last.map({ try JSON($0) }) else { return nil }
        return line["values"].elements.first?["value"].elements.map(\.number) == [7, 9] ? line : nil
      }

      let lines = try watch.lines.map { try JSON($0) }
      let frames = lines.filter { !$0["complete"].flag }.map { $0["frame"].count }
      #expect(lines.first?["complete"].flag == true)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 == $0 + 1 })
      #expect(lines.allSatisfy { $0["missed"].count == 0 })
      #expect(last["values"].elements.first?["velocity"].elements.map(\.number) == [0, 0])
    }

    // Clauses: S18.10
    @Test func `a plan for two targets is added to both, in one transaction`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let run = try daemon.ctl(
        "add", "AnchoredSpring", "--to", "left", "--to", "right", "--named", "home", "property=x", "destination=1")
      #expect(run.end == .exited(0), "\(run.errors)")
      try awaitTruth("both are there") { try client.intentions().count == 2 }
      let plans = try client.intentions()
      #expect(plans.map(\.target) == ["left", "right"])
      #expect(plans.map(\.name) == ["home", "home"])
      #expect(Set(plans.map(\.identity.sequence)).count == 1, "one transaction")
    }

    // Clauses: S18.10
    @Test func `an option of one value that is given twice is refused by motiond and by the gateway`() throws {
      let directory = try TestDirectory()
      func run(_ program: String, _ arguments: [String]) throws -> (end: ChildProcess.End, errors: String) {
        let process = try ChildProcess(
          Programs.path(program), arguments, environment: ["PATH": "/usr/bin:/bin"], output: directory["out"],
          errors: directory["errors"])
        return (try process.awaitEnd(), directory.text(of: "errors"))
      }
      let common = ["--check", "--state-dir", directory["state"]]
      let worker = [
        "--connect", "tcp://a:1", "--server-key", "k", "--key", "f", "--listen", "tcp://b:2", "--admit", "k",
      ]
      for (program, arguments, option) in [
        ("motiond", common + ["--runtime-dir", directory["a"], "--runtime-dir", directory["b"]], "--runtime-dir"),
        ("motiond", common + ["--rate", "60", "--rate=120"], "--rate"),
        ("motion-gateway", ["--gateway-dir", directory["a"], "--gateway-dir", directory["b"]], "--gateway-dir"),
        ("motion-gateway", ["worker"] + worker + ["--log-level", "info", "--log-level", "debug"], "--log-level"),
      ] {
        let run = try run(program, arguments)
        #expect(run.end == .exited(2), "\(program) \(arguments)")
        #expect(run.errors.contains("'\(option)' takes one value and is given twice"), "\(run.errors)")
      }
      // An option that takes several values is not affected.
      let several =
        common + ["--runtime-dir", directory["run"], "--plugin-path", directory["x"], "--plugin-path", directory["y"]]
      #expect(try run("motiond", several).end != .exited(2))
    }

    // Clauses: S8.10
    @Test(
      .fault(
        .operators, "One operation of a thousand is wrong", by: "an unknown type, in the middle",
        promise: "nothing of the transaction is applied; the error names the operation"))
    func `one bad operation of a thousand changes nothing`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      var transaction = Transaction()
      for number in 0..<999 { transaction.add(.springTo("opacity", 1), to: try TargetName("lamp\(number)")) }
      // Two values for three lanes: the error is found only when the operation itself is examined.
      transaction.add(.springTo("position", [1, 2, 3]), to: "lamp7")

      let error = try #require(throws: MotionClientError.self) { try client.commit(transaction) }
      let refusal = try #require(error.refusal)
      #expect(refusal.operation == 999)
      #expect(!refusal.remedy.isEmpty)
      let status = try client.status()
      #expect(status.counts.targets == 0)
      #expect(status.counts.intentions == 0)
      #expect(status.frame.number == 0)
      #expect(!status.isActive)

      // The same transaction without the bad operation is accepted, so only that operation was wrong.
      try client.commit(Transaction(log: transaction.log.dropLast()))
      try awaitTruth("the good ones") { try client.status().counts.targets == 999 }
    }

    // Clauses: S8.13
    @Test(
      .fault(
        .network, "A client commits again because it received no answer",
        by: "the same id again, with the same and with another body",
        promise: "the first receipt again; another body is refused"))
    func `a repeated commit with the same id changes nothing, and is refused with another body`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let id = TransactionID.random()
      var transaction = Transaction()
      transaction.add(.springTo("position", [10, 10]), to: "ball")

      let first = try client.commit(transaction, id: id)
      try client.awaitIdle()
      let frames = try client.status().frame.number
      // From another client, as when the first answer was lost together with the client's process.
      let second = try daemon.connect().commit(transaction, id: id)
      #expect(!first.isRepeat && second.isRepeat)
      #expect(second.sequence == first.sequence)
      #expect(try client.status().frame.number == frames)

      transaction.add(.springTo("opacity", 0), to: "ball")
      let error = try #require(throws: MotionClientError.self) { try client.commit(transaction, id: id) }
      #expect(error.refusal?.code == .idReused)
      #expect(try client.status().frame.number == frames)
      #expect(try client.state(of: "opacity", of: "ball") == nil)
    }

    /// A relative time is another one whenever it is resolved, so the remedy and a resent file have the first receipt.
    // Clauses: S8.13, S11.19
    @Test func `a file with a relative time may be committed again under its id`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let file =
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "x", "destination": 1}, "to": "a"}], "at": "+60s"}"#
      try daemon.directory.write(file, to: "cue.json")
      let id = TransactionID.random().description
      let first = try daemon.ctl("commit", "--json", "--id", id, daemon.directory["cue.json"]).json()
      try client.add(.springTo("x", 1), to: "b")
      try awaitTruth("time has moved on") { try client.status().clock.time > 0 }
      let again = try daemon.ctl("commit", "--json", "--id", id, "--at", "+1s", daemon.directory["cue.json"]).json()
      #expect(first["at"].number == again["at"].number && again["at"].number >= 60)
      #expect(again["sequence"].number == first["sequence"].number)
      #expect(try client.status().counts.waiting == 1)
    }

    /// The time that was resolved is in the remedy: committed as it says, the transaction is applied when it should be.
    // Clauses: S8.13
    @Test func `the remedy of a commit that was not answered commits it for the same time`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let path = daemon.directory["a cue.json"]
      #expect(mkfifo(path, 0o600) == 0)
      let run = try daemon.ctl.start(["commit", "--at", "700s", "--comment", "it's late", "--timeout", "300ms", path])
      // It opens its file when it knows the daemon's types; from then on the daemon answers nothing.
      var pipe: Int32 = -1
      try awaitTruth("the file is open") {
        pipe = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return pipe >= 0
      }
      daemon.process.send(SIGSTOP)
      defer { daemon.process.send(SIGCONT) }
      let file = #"{"transaction": [{"add": {"type": "SpringTo", "property": "x", "destination": 1}, "to": "a"}]}"#
      _ = Array(file.utf8).withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
      close(pipe)
      let ended = try run.finish()
      #expect(ended.end != .exited(0))
      let remedy = try #require(ended.errors.firstMatch(of: /motionctl (commit .*), which is applied at most once/)).1
      daemon.process.send(SIGCONT)
      unlink(path)
      try daemon.directory.write(file, to: "a cue.json")
      let shell = try ChildProcess(
        "/bin/sh", ["-c", "\(try Programs.path("motionctl")) \(remedy)"],
        environment: ["MOTIOND_RUNTIME_DIR": daemon.directory["run"]], output: daemon.directory["sh"],
        errors: daemon.directory["sh.err"])
      #expect(try shell.awaitEnd() == .exited(0), "\(daemon.directory.text(of: "sh.err"))")
      let waiting = try client.waiting()
      #expect(waiting.map(\.at) == [700] && waiting.map { $0.provenance?.comment } == ["it's late"])
    }

    @Test func `each commit of sixteen simultaneous clients is applied once`() throws {
      let daemon = try Daemon()
      try daemon.directory.write(
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "position", "destination": [1, 2]}, "to": "TARGET"}]}"#,
        to: "template.json")
      let template = daemon.directory.text(of: "template.json")
      var runs: [Ctl.Running] = []
      for number in 0..<16 {
        var files: [String] = []
        for part in 0..<8 {
          let file = "commit-\(number)-\(part).json"
          try daemon.directory.write(template.replacing("TARGET", with: "ball\(number).\(part)"), to: file)
          files.append(daemon.directory[file])
        }
        runs.append(try daemon.ctl.start(["commit", "--json"] + files))
      }
      var sequences: [UInt64] = []
      for run in runs {
        let run = try run.finish(within: .seconds(30))
        #expect(run.end == .exited(0), "\(run.errors)")
        let own = try run.output.split(separator: "\n").map { try JSON($0)["sequence"].count }
        #expect(own == own.sorted(), "a client's commits keep their order")
        sequences += own
      }
      #expect(sequences.sorted() == Array(1...128))
      let client = try daemon.connect()
      #expect(try client.status()["commits"] == 128)
      try client.awaitIdle()
      let properties = try client.properties()
      #expect(properties.count == 128)
      #expect(properties.allSatisfy { $0.state == PropertyState([1, 2]) })
    }
  }
}
