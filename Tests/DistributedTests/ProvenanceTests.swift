import Foundation
import Glibc
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// The author of a commit, the waiting transactions, and their withdrawal.
  @Suite struct ProvenanceTests {
    // Clauses: S8.39, S17.35
    @Test func `a plan's committer, time and comment are listed, and survive a kill`() throws {
      let daemon = try Daemon()
      let before = Self.wallTime
      let run = try daemon.ctl(
        "add", "AnchoredSpring", "--to", "lamp", "--named", "home", "property=x", "destination=1", "--comment",
        "the second act")
      #expect(run.end == .exited(0), "\(run.errors)")
      var transaction = Transaction()
      transaction.add(Self.spring, named: "cue", to: "arm")
      try daemon.connect().commit(transaction, at: 1e6, comment: "far away")
      try awaitTruth("it is there") { try daemon.connect().intentions().count == 1 }

      func check(_ daemon: Daemon) throws {
        let row = try #require(try daemon.ctl("list", "intentions", "--json").json().elements.first)["committed"]
        #expect(row["client"]["name"].text == "motionctl")
        #expect(row["client"]["user"].count == UInt64(geteuid()))
        #expect(row["client"]["process"].count > 1)
        #expect(row["comment"].text == "the second act")
        #expect(row["time"].text.hasPrefix("20") && row["time"].text.hasSuffix("Z"))
        let provenance = try #require(try daemon.connect().intentions().first?.provenance)
        #expect((before...Self.wallTime).contains(provenance.wallTime))
        let waiting = try #require(try daemon.connect().waiting().last?.provenance)
        #expect(waiting.client == Committer(name: "test", user: geteuid(), process: getpid()))
        #expect(waiting.comment == "far away")
      }
      try check(daemon)
      // While time is paused, no checkpoint covers the row of a transaction that waits for the next frame.
      try daemon.connect().clock(.pause)
      #expect(try daemon.ctl("forget", "nosuch", "--comment", "while time stands").end == .exited(0))
      daemon.process.kill()
      let shown = try daemon.ctl("journal", "show", daemon.directory["state/journal"], "--json").json()
      let commit = try #require(shown["rows"].elements.last { $0["what"].text == "commit" })
      #expect(commit["comment"].text == "while time stands")
      #expect(commit["committed"]["client"]["name"].text == "motionctl")
      let second = try Daemon(in: daemon.directory)
      try check(second)
      #expect(try second.connect().waiting().map { $0.provenance?.comment } == ["while time stands", "far away"])
      try second.connect().clock(.step(1))
      // Once more, from the checkpoint of an orderly stop.
      #expect(try second.terminate() == .exited(0))
      try check(try Daemon(in: daemon.directory))
    }

    // Clauses: S8.39
    @Test func `the comment is part of a transaction's body, and the committer is not`() throws {
      let daemon = try Daemon()
      let id = TransactionID.random()
      let transaction = Transaction(log: [.add(Self.spring, named: "home", to: "ball")])
      let first = try daemon.connect().commit(transaction, id: id, comment: "one")
      let other = try MotionClient(connectingTo: [daemon.paths], name: "another")
      let again = try other.commit(transaction, id: id, comment: "one")
      #expect(again.isRepeat && again.sequence == first.sequence)
      let error = #expect(throws: MotionClientError.self) { try other.commit(transaction, id: id, comment: "two") }
      #expect(error?.refusal?.code == .idReused)
      let long = #expect(throws: MotionClientError.self) {
        try other.commit(transaction, comment: String(repeating: "é", count: 129))
      }
      #expect(long?.refusal?.code == .limit || long?.refusal?.code == .malformed, "\(String(describing: long))")
    }

    // Clauses: S8.39
    @Test func `a plan's provenance names the gateway and its client, or the remote client's key`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      try gateway.connect().add(Self.spring, named: "home", to: "visitor")
      let row = try awaitFact("the plan") { try daemon.connect().intentions().first?.provenance }
      #expect(row.client.name == "motion-gateway")
      #expect(row.client.process == gateway.process.processID)
      #expect(row.onBehalfOf == Committer(name: "stranger", user: geteuid(), process: getpid()))

      let stage = try RemoteStage(clients: ["desk"])
      try stage.connect("desk").add(Self.spring, named: "home", to: "ball")
      let remote = try awaitFact("the plan") { try stage.daemon.connect().intentions().first?.provenance }
      #expect(remote.client.user == nil && remote.client.process == nil)
      #expect(stage.directory.text(of: "authorized").contains(remote.client.key) && remote.client.key.count == 40)
    }

    // Clauses: S11.23, S11.26, S17.35
    @Test func `waiting transactions are listed and counted, and a removed one stays removed`() throws {
      let daemon = try Daemon()
      for (at, target) in [("1000", "one"), ("2000", "two"), ("3000", "three")] {
        let run = try daemon.ctl("add", "AnchoredSpring", "--to", target, "property=x", "destination=1", "--at", at)
        #expect(run.end == .exited(0), "\(run.errors)")
      }
      let rows = try daemon.ctl("list", "waiting", "--json").json().elements
      #expect(rows.map { $0["at"].number } == [1000, 2000, 3000])
      #expect(rows.map { $0["summary"].text } == ["one", "two", "three"].map { "add AnchoredSpring to \($0)" })
      #expect(rows.allSatisfy { $0["committed"]["client"]["name"].text == "motionctl" })
      #expect(try daemon.ctl("status").output.contains("3 transactions for later times"))

      let second = "\(rows[1]["sequence"].count)"
      let removal = try daemon.ctl("remove", "--waiting", second)
      #expect(
        removal.end == .exited(0) && removal.output == "transaction \(second) will not be applied\n", "\(removal)")
      let again = try daemon.ctl("remove", "--waiting", second)
      #expect(again.end == .exited(0) && again.output.hasPrefix("nothing to remove"), "\(again)")
      #expect(try daemon.connect().waiting().map(\.at) == [1000, 3000])
      daemon.process.kill()
      let next = try Daemon(in: daemon.directory)
      #expect(try next.connect().waiting().map(\.at) == [1000, 3000])
      #expect(try next.connect().status().counts.waiting == 2)
      #expect(try next.connect().intentions().isEmpty)

      // While time is paused, the next frame does not come.
      try next.connect().clock(.pause)
      _ = try next.ctl("add", "SpringTo", "--to", "one", "property=x", "destination=1")
      let waiting = try next.ctl("list", "waiting").output
      #expect(waiting.contains("next frame") && waiting.contains("add SpringTo to one"), "\(waiting)")
      #expect(try next.ctl("status").output.contains("3 transactions for later times or the next frame"))
      #expect(try next.ctl("step").end == .exited(0))
      #expect(try next.connect().waiting().map(\.at) == [1000, 3000])
    }

    // Clauses: S11.24, S11.20
    @Test func `each answer contains the time of both clocks, also refusals and through a gateway`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      for client in [try daemon.connect(), try gateway.connect()] {
        var last = Moment(time: 0, wallTime: Self.wallTime)
        func check(_ what: String) throws {
          let moment = try #require(client.moment, "\(what)")
          #expect((last.wallTime...Self.wallTime).contains(moment.wallTime), "\(what)")
          #expect(moment.time >= last.time, "\(what)")
          last = moment
        }
        #expect(try client.commit(Transaction(log: [.forget("t")])).frame != nil)
        try check("receipt")
        let status = try client.status()
        #expect(try #require(client.moment).time >= status.clock.time)
        try check("status")
        #expect(throws: MotionClientError.self) { try client.properties(of: "nosuch") }
        try check("refusal")
        try client.stop(["t"])
        try check("done")
      }
      let client = try daemon.connect()
      // More than one answer contains.
      for number in 0..<200 { try client.commit(Transaction(log: [.forget("t")]), at: Double(1000 + number)) }
      let before = Self.wallTime
      #expect(try client.waiting().map(\.at) == (0..<200).map { Double(1000 + $0) })
      #expect(try #require(client.moment).wallTime >= before)
      let rows = try daemon.ctl("list", "waiting", "--json").json().elements
      #expect(rows.count == 200 && rows.allSatisfy { $0["due"].text.hasSuffix("Z") })
      try client.clock(.pause)
      #expect(try daemon.ctl("list", "waiting").output.contains("1000.000 s  -  "))
    }

    // Clauses: S11.23
    @Test func `the receipt of a commit for a past time states how late it is`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.clock(.speed(1000))
      try awaitTruth("the clock is far along") { try client.status().clock.time > 100 }
      let run = try daemon.ctl("add", "SpringTo", "--to", "ball", "property=x", "destination=1", "--at", "1")
      #expect(run.end == .exited(0) && run.output.contains(" s ago: applied now"), "\(run)")
      let receipt = try client.commit(Transaction(log: [.forget("ball")]), at: 1)
      #expect(receipt.overdue ?? 0 > 99)
      #expect(try client.commit(Transaction(log: [.forget("ball")])).overdue == nil)
      #expect(try client.commit(Transaction(log: [.forget("ball")]), at: 1e8).overdue == nil)
    }

    // Clauses: S8.40, S8.41
    @Test func `a plan without a name is removed by its listed identity, and a missing one is no error`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      #expect(try daemon.ctl("add", "AnchoredSpring", "--to", "ball", "property=x", "destination=1").end == .exited(0))
      let shown = try awaitFact("it is listed") {
        try daemon.ctl("list", "intentions", "--json").json().elements.first?["intention"].text
      }
      let removal = try daemon.ctl("remove", shown)
      #expect(removal.end == .exited(0) && !removal.output.contains("nothing"), "\(removal)")
      try awaitTruth("it is gone") { try client.intentions().isEmpty }

      // The list shows the target beside the identity, so both may be given. A plan of that name comes first.
      let second = try client.add(.anchoredSpring("x", 1), to: "ball").sequence
      let third = try client.add(.anchoredSpring("y", 1), named: IntentionName("\(second).0"), to: "ball").sequence
      try awaitTruth("both are listed") { try client.intentions().count == 2 }
      #expect(try daemon.ctl("remove", "\(second).0", "--from", "disc").output.contains("nothing to remove"))
      for identity in [third, second] {
        _ = try daemon.ctl("remove", "\(second).0", "--from", "ball")
        try awaitTruth("\(identity) is gone") { try !client.intentions().contains { $0.identity.sequence == identity } }
      }
      for arguments in [
        ["remove", shown], ["remove", "home", "--from", "ball"], ["remove", "home", "--from", "nosuch"],
      ] {
        let run = try daemon.ctl.start(arguments).finish()
        #expect(run.end == .exited(0) && run.output.contains("nothing to remove"), "\(arguments): \(run)")
      }
      let forgetting = try daemon.ctl("forget", "nosuch")
      #expect(forgetting.end == .exited(0) && forgetting.output.contains("nothing to forget"), "\(forgetting)")
      let stop = try daemon.ctl("stop", "nosuch")
      #expect(stop.end == .exited(0) && stop.output.contains("nothing to stop"), "\(stop)")
      #expect(try client.commit(Transaction(log: [.forget("ball")])).counts == Receipt.Counts(forgotten: 1))
    }

    // Clauses: S11.23
    @Test func `a comment of several lines stays in its row of the list`() throws {
      let daemon = try Daemon()
      let comment = "x\n      99  215.377 s  forged"
      #expect(
        try daemon.ctl(
          "add", "AnchoredSpring", "--to", "ball", "property=x", "destination=1", "--at", "+500s", "--comment", comment
        ).end == .exited(0))
      let list = try daemon.ctl("list", "waiting").output.split(separator: "\n")
      #expect(list.count == 2 && list[1].contains(#"x\n"#), "\(list)")
    }

    // Clauses: S8.38
    @Test func `a plan that fails is logged once with its committer, also at the next start`() throws {
      let first = try Daemon([.tween()])
      let directory = first.directory
      #expect(
        try first.ctl("add", "Tween", "--to", "ball", "property=x", "to=1", "duration=1h").end == .exited(0))
      try first.terminate()
      try FileManager.default.removeItem(atPath: directory["plugins/tween"])
      let second = try Daemon(in: directory)
      try second.connect().add(.springTo("x", 1), to: "other")
      try second.connect().awaitIdle()
      let lines = second.log.split(separator: "\n").filter { $0.contains("Tween") && $0.contains("warning") }
      #expect(lines.count == 1 && lines[0].contains("committed by motionctl (user"), "\(second.log)")
      // The refusal of a type names the folders that motiond searched.
      let run = try second.ctl("add", "Tween", "--to", "ball", "property=x", "to=1", "duration=1s")
      #expect(run.end != .exited(0) && run.errors.contains("motiond looked in \(directory["plugins"])"), "\(run)")
    }

    // Clauses: S19.15
    @Test func `limits that became impossible while time was paused are logged with their committer`() throws {
      let daemon = try Daemon()
      try daemon.connect().clock(.pause)
      try daemon.connect().add(.springTo("pair", [1, 2, 3]), to: "head")
      #expect(try daemon.ctl("limit", "head", "property=pair", "velocity=1,2").end == .exited(0))
      try daemon.connect().clock(.resume)
      try awaitTruth("the warning is there") { daemon.log.contains("the limits of head/pair") }
      let lines = daemon.log.split(separator: "\n").filter { $0.contains("the limits of head/pair") }
      #expect(lines.count == 1 && lines[0].contains("warning"), "\(lines)")
      #expect(lines[0].contains("lanes") && lines[0].contains("committed by motionctl (user"), "\(lines)")
      #expect(try daemon.connect().properties().allSatisfy { $0.limits == nil })
    }

    private static let spring = Intention(
      "AnchoredSpring", [.init("property", .property("x")), .init("destination", .number(1))])

    private static var wallTime: Int64 {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }
}
