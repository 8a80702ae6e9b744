import Glibc
import MotionClient
import MotionFiles
import MotionModel
import Testing

extension DistributedTests {
  /// Groups and selectors, from the command line to a restart.
  @Suite struct SelectorTests {
    private func makeLamps(_ range: ClosedRange<Int>, _ daemon: Daemon) throws {
      let run = try daemon.ctl(
        "add", "SpringTo", "--to", "lamp{\(range.lowerBound)..\(range.upperBound)}", "property=level", "destination=0.5"
      )
      #expect(run.end == .exited(0))
      try awaitTruth("the lamps exist") { try daemon.connect().targets().count >= range.count }
    }

    private func levels(_ client: MotionClient) throws -> [String: Double] {
      Dictionary(
        try client.properties().filter { $0.reference.property == "level" }.map {
          ($0.reference.target.text, $0.state.value[0])
        }, uniquingKeysWith: { $1 })
    }

    // Clauses: S21.1, S21.5, S21.6, S21.12
    @Test func `a group is named, used, listed, kept over a kill and removed`() throws {
      let daemon = try Daemon()
      try makeLamps(1...12, daemon)
      #expect(try daemon.ctl("group", "front", "lamp{1..3}", "spot").output.contains("4 targets for lamp{1..3},spot"))
      #expect(try daemon.ctl("group", "all", "@front", "lamp*").output.contains("13 targets for @front,lamp*"))
      let run = try daemon.ctl("add", "SpringTo", "--to", "@front", "--named", "up", "property=level", "destination=1")
      #expect(run.output.contains("4 targets for @front"))
      try awaitTruth("they are there") { try levels(daemon.connect()).filter { $0.value == 1 }.count == 4 }
      #expect(try levels(daemon.connect())["lamp4"] == 0.5)
      daemon.process.kill()
      let second = try Daemon(in: daemon.directory)
      let table = try second.ctl("list", "groups").output
      #expect(table.contains("@all") && table.contains("13") && table.contains("lamp1 lamp2 lamp3 spot"))
      let front = try second.ctl("list", "groups", "--json").json().elements.first { $0["group"].text == "front" }
      #expect(front?["targets"].elements.compactMap(\.text) == ["lamp1", "lamp2", "lamp3", "spot"])
      #expect(try second.ctl("group", "@front", "--none").end == .exited(0))
      try awaitTruth("the group is gone") {
        guard case .groups(let rows) = try second.connect().query(.groups) else { return false }
        return rows.map(\.group) == ["all"]
      }
      let refused = try second.ctl("add", "SpringTo", "--to", "@frnt", "property=level", "destination=1")
      #expect(refused.end == .exited(4) && refused.errors.contains("there is no group \"frnt\""))
      // The journal has the targets, and no selector.
      let journal = try second.ctl("list", "events", "--last", "1h").output
      #expect(!journal.contains("lamp*"))
      #expect(try second.terminate() == .exited(0))
      let third = try Daemon(in: daemon.directory)
      #expect(try third.ctl("list", "groups").output.contains("@all"))
    }

    // Clauses: S21.12
    @Test func `a group is listed without members that do not exist, and drawn from when it was made`() throws {
      let daemon = try Daemon()
      try makeLamps(1...2, daemon)
      let client = try daemon.connect()
      let wave = try daemon.ctl("add", "Wave", "--to", "lamp1", "property=level", "offset=0.5", "amplitude=0.5")
      #expect(wave.end == .exited(0))
      let begun = try client.status().frame.number
      try awaitTruth("it moves") { try client.status().frame.number > begun + 60 }
      #expect(try daemon.ctl("group", "young", "lamp1", "lamp9").end == .exited(0))
      #expect(try daemon.ctl("group", "gone", "ghost").end == .exited(0))
      let made = try client.status().frame.number
      try awaitTruth("frames with the group") { try client.status().frame.number > made + 60 }
      for subject in ["properties", "intentions", "targets"] {
        let listed = try daemon.ctl("list", subject, "@young", "--json")
        #expect(listed.end == .exited(0) && listed.output.contains("lamp1"), "\(subject): \(listed.errors)")
        let nothing = try daemon.ctl("list", subject, "@gone")
        #expect(nothing.end == .exited(4) && nothing.errors.contains("no target is in @gone"), "\(nothing)")
      }
      let named = try daemon.ctl("list", "properties", "@young", "lamp9")
      #expect(named.errors.contains("there is no target \"lamp9\""), "\(named)")
      let drawn = try daemon.ctl("draw", "@young/level", "--last", "10s", "--json")
      #expect(drawn.end == .exited(0), "\(drawn.errors)")
      #expect(try drawn.json()["tracks"].elements.count == 1)
    }

    // Clauses: S18.17, S25.11
    @Test func `outputs take patterns and groups, with the names of then over a kill`() throws {
      let daemon = try Daemon([.dmx(), .osc()])
      let receiver = try OSCReceiver()
      try makeLamps(1...3, daemon)
      #expect(try daemon.ctl("group", "front", "lamp{1..2}", "desk").end == .exited(0))
      let out = try daemon.ctl(
        "add", "SendOSC", "--named", "out", "--to", "lamp*", "property=level", "port=\(receiver.port)")
      #expect(out.output.contains("3 targets for lamp*"), "\(out.errors)")
      for lamp in 1...3 { try receiver.awaitLast([0.5], at: "/lamp\(lamp)/level") }
      try daemon.directory.write(
        "universe 1 sacn 127.0.0.1\nlamp* dimmer 1.1\nmaster desk/front @front\n", to: "rig.patch")
      let rig = try daemon.ctl(
        "add", "SendDMX", "--to", "rig", "--named", "rig", "patch=@\(daemon.directory["rig.patch"])")
      #expect(rig.output.contains("3 targets for the patterns of the patch"), "\(rig.output) \(rig.errors)")
      let none = try daemon.ctl("add", "SendDMX", "--to", "other", "patch=universe 2 sacn\nspot* dimmer 2.1")
      #expect(none.errors.contains("line 2: no target matches \"spot*\""), "\(none.errors)")
      try makeLamps(4...4, daemon)
      daemon.process.kill()
      let second = try Daemon([.dmx(), .osc()], in: daemon.directory)
      let client = try second.connect()
      let lines = try #require(try client.plans(of: "rig").first?.intention["patch"])
      #expect(
        lines
          == .list(
            ["universe 1 sacn 127.0.0.1", "lamp1,lamp2,lamp3 dimmer 1.1", "master desk/front lamp1,lamp2", ""]
              .map { .text($0) }))
      #expect(try client.plans(of: "lamp4").allSatisfy { $0.intention.type != "SendOSC" })
      try client.add(.springTo("level", 1), to: "lamp3")
      try receiver.awaitLast([1], at: "/lamp3/level")
    }

    // Clauses: S8.54, S21.13, S21.14, S21.15
    @Test func `lamps begin one after the other with other values, also over a kill`() throws {
      let daemon = try Daemon()
      try makeLamps(1...4, daemon)
      _ = try daemon.ctl("add", "SpringTo", "--to", "lamp{1..4}", "property=x", "destination=4..1")
      try awaitTruth("they are placed") {
        try daemon.connect().properties().filter { $0.reference.property == "x" }.map(\.state.value[0]).sorted()
          == [1, 2, 3, 4]
      }
      _ = try daemon.ctl("pause")
      let run = try daemon.ctl(
        "add", "SpringTo", "--to", "lamp*", "property=level", "destination=10..40", "after=1s", "--stagger", "100ms",
        "--by", "x")
      #expect(run.end == .exited(0) && run.output.contains("4 targets for lamp*"), "\(run.errors)")
      _ = try daemon.ctl("step")
      let plans = try daemon.ctl("list", "intentions", "--json").json().elements
        .filter { $0["state"].text == "waiting" }
        .sorted { ($0["begins"].number ?? 0) < ($1["begins"].number ?? 0) }
      #expect(plans.compactMap { $0["target"].text } == ["lamp4", "lamp3", "lamp2", "lamp1"])
      #expect(plans.compactMap { $0["fields"]["destination"].number } == [10, 20, 30, 40])
      let begins = plans.compactMap { $0["begins"].number }
      #expect(zip(begins, begins.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 1e-9 })
      #expect(try daemon.ctl("list", "intentions").output.contains("waits until"))
      #expect(try daemon.ctl("why", "lamp1.level").output.contains("begins at"))
      daemon.process.kill()
      let second = try Daemon(in: daemon.directory)
      let kept = try second.ctl("list", "intentions", "--json").json().elements
      #expect(kept.compactMap { $0["begins"].number }.sorted() == begins)
      _ = try second.ctl("resume")
      try awaitTruth("they have arrived") {
        try levels(second.connect()) == ["lamp1": 40, "lamp2": 30, "lamp3": 20, "lamp4": 10]
      }
      let missing = try second.ctl(
        "add", "SpringTo", "--to", "lamp*", "property=level", "destination=0..1", "--by", "nowhere")
      #expect(missing.end == .exited(4) && missing.errors.contains("has no property \"nowhere\""), "\(missing.errors)")
      let wrong = try second.ctl("add", "SpringTo", "--to", "lamp*", "property=level", "destination=0..1,2")
      #expect(wrong.end == .exited(2) && wrong.errors.contains("destination"), "\(wrong.errors)")
    }

    // Clauses: S21.2, S21.3, S21.6
    @Test func `commands take patterns, and none is a refusal`() throws {
      let daemon = try Daemon()
      try makeLamps(1...3, daemon)
      let none = try daemon.ctl("remove", "up", "--from", "spot*")
      #expect(none.end == .exited(4) && none.errors.contains("no target matches \"spot*\""))
      #expect(
        try daemon.ctl("add", "AnchoredSpring", "--to", "lamp*", "--named", "up", "property=level", "destination=1").end
          == .exited(0))
      #expect(try daemon.ctl("list", "intentions", "lamp{1..2}").output.contains("lamp2"))
      #expect(try !daemon.ctl("list", "intentions", "lamp{1..2}").output.contains("lamp3"))
      let removed = try daemon.ctl("remove", "up", "--from", "lamp?", "--from", "spot").output
      #expect(removed.contains("4 targets for lamp?,spot") && removed.contains("nothing to remove in 1 of 4"))
      let limited = try daemon.ctl("limit", "lamp*", "property=level", "velocity=2", "--json").json()
      #expect(limited["addressed"].elements.first?["targets"].number == 3)
      let watched = try daemon.ctl("watch", "lamp*/level", "--frames", "1").output
      #expect(["lamp1", "lamp2", "lamp3"].allSatisfy(watched.contains))
      #expect(try daemon.ctl("watch", "bulb*").end == .exited(4))
      #expect(try daemon.ctl("stop", "lamp*").output.contains("lamp* (3 targets) stopped"))
      #expect(try daemon.ctl("stop", "lamp*", "--json").json()["targets"].number == 3)
      let partly = try daemon.ctl("stop", "lamp{3..5}").output
      #expect(partly.contains("(1 target) stopped") && partly.contains("no target \"lamp4\", nor 1 more"))
      #expect(try daemon.ctl("stop", "bulb*").end == .exited(4))
      let graph = try daemon.ctl("graph", "lamp*")
      #expect(graph.end == .exited(2) && graph.errors.contains("stands for 3 targets"))
      let wrong = try daemon.ctl("forget", "lamp{1..")
      #expect(wrong.end == .exited(2) && wrong.errors.contains("a } is missing"))
      #expect(try daemon.ctl("forget", "lamp*").output.contains("3 targets for lamp*"))
      try awaitTruth("they are gone") { try daemon.connect().targets().isEmpty }
    }

    // Clauses: S21.4
    @Test func `a resent commit has its first receipt whatever its selectors would stand for`() throws {
      let daemon = try Daemon()
      try makeLamps(1...3, daemon)
      let client = try daemon.connect()
      var transaction = Transaction()
      transaction.add(.springTo("level", 1), toEach: "lamp*")
      let id = TransactionID.random()
      let first = try client.commit(transaction, id: id)
      #expect(first.addressed == [.init(operation: 0, targets: 3)])
      try makeLamps(4...5, daemon)
      let again = try client.commit(transaction, id: id)
      #expect(again.isRepeat && again.sequence == first.sequence && again.addressed == first.addressed)
      daemon.process.kill()
      let second = try Daemon(in: daemon.directory)
      let restarted = try second.connect()
      let third = try restarted.commit(transaction, id: id)
      #expect(third.isRepeat && third.sequence == first.sequence && third.addressed == first.addressed)
      var other = Transaction()
      other.add(.springTo("level", 1), toEach: "lamp?")
      let error = #expect(throws: MotionClientError.self) { try restarted.commit(other, id: id) }
      #expect(error?.refusal?.code == .idReused)
      try awaitTruth("it was applied once") {
        try levels(restarted) == ["lamp1": 1, "lamp2": 1, "lamp3": 1, "lamp4": 0.5, "lamp5": 0.5]
      }
    }

    // Clauses: S21.10, S21.2
    @Test func `among many targets a selector is resolved in pieces, and later requests wait for it`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let count = 5000
      #expect(
        try daemon.ctl("add", "SpringTo", "--to", "t{1..\(count)}", "property=level", "destination=1").end == .exited(0)
      )
      try awaitTruth("the targets exist") { try client.targets().count == count }
      let receipts = try ["*9", "t1*", "nothing*,t5"].map { text in
        var transaction = Transaction()
        transaction.add(.springTo("level", 0), toEach: try TargetSelector(text))
        return try client.commit(transaction)
      }
      #expect(receipts.map { $0.addressed.first?.targets } == [500, 1111, 1])
      #expect(receipts.map(\.sequence) == receipts.map(\.sequence).sorted())
      try awaitTruth("they have arrived") {
        try levels(client).values.filter { $0 == 0 }.count == 500 + 1111 + 1 - 111
      }
    }

    // Clauses: S21.12
    @Test func `a recording is drawn and exported by patterns and groups`() throws {
      let daemon = try Daemon()
      #expect(try daemon.ctl("group", "pair", "a", "b").end == .exited(0))
      let file = daemon.directory.path + "/show.mcap"
      #expect(try daemon.ctl("record", "start", file).end == .exited(0))
      for target in ["a", "b", "lamp1", "lamp2"] {
        #expect(try daemon.ctl("add", "SpringTo", "--to", target, "property=level", "destination=1").end == .exited(0))
      }
      try awaitTruth("all have arrived") { try levels(daemon.connect()).values.filter { $0 == 1 }.count == 4 }
      #expect(try daemon.ctl("record", "stop").end == .exited(0))
      func drawn(_ place: String) throws -> [String] {
        try daemon.ctl("draw", place, "--recording", file, "--json").json()["tracks"].elements.compactMap {
          $0["target"].text
        }
      }
      #expect(try drawn("lamp*") == ["lamp1", "lamp2"])
      #expect(try drawn("@pair/level") == ["a", "b"])
      let table = daemon.directory.path + "/show.csv"
      #expect(try daemon.ctl("export", file, table, "--csv", "--target", "@pair").end == .exited(0))
      let missing = try daemon.ctl("export", file, table, "--csv", "--target", "bulb*")
      #expect(missing.errors.contains("the recording has no values of bulb*"))
    }
  }
}
