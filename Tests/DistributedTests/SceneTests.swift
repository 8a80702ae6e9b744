import Glibc
import MotionClient
import MotionFiles
import MotionModel
import MotionTestKit
import MotionWire
import Testing

extension DistributedTests {
  /// Scenes, from the command line to a restart.
  @Suite struct SceneTests {
    private func level(_ daemon: Daemon, _ target: String) throws -> Double? {
      try daemon.connect().properties().first {
        $0.reference.target.text == target && $0.reference.property == "level"
      }?.state.value[0]
    }

    // Clauses: S22.1, S22.2, S22.3, S22.4
    @Test func `a scene is saved, listed, shown, recalled, kept over kills and deleted`() throws {
      let daemon = try Daemon([.tween()])
      _ = try daemon.ctl("add", "SpringTo", "--to", "lamp{1..3}", "property=level", "destination=10..30")
      _ = try daemon.ctl("add", "AnchoredSpring", "--to", "head", "--named", "aim", "property=level", "destination=5")
      try awaitTruth("they are there") {
        try level(daemon, "lamp3") == 30 && level(daemon, "head") == 5 && level(daemon, "lamp1") == 10
      }
      let saved = try daemon.ctl("scene", "save", "dusk", "lamp*", "--target", "head")
      #expect(saved.end == .exited(0) && saved.output.contains("4 targets for lamp*,head"), "\(saved.errors)")
      let table = try daemon.ctl("scene", "list").output
      #expect(table.contains("SCENE") && table.contains("dusk"))
      #expect(try daemon.ctl("list", "scenes").output == table)
      let row = try daemon.ctl("scene", "list", "--json").json().elements.first
      #expect(row?["targets"].number == 4 && row?["values"].number == 3 && row?["plans"].number == 1)
      let shown = try daemon.ctl("scene", "show", "dusk").output
      let file = try TransactionFile(Array(shown.utf8), named: "dusk.json", catalog: .builtIn())
      #expect(file.transaction.log.count == 4 && file.transaction.targets.contains("head"))
      _ = try daemon.ctl("add", "AnchoredSpring", "--to", "lamp*", "--named", "up", "property=level", "destination=90")
      try awaitTruth("they are up") { try level(daemon, "lamp1") == 90 && level(daemon, "lamp3") == 90 }
      daemon.process.kill()
      let second = try Daemon([.tween()], in: daemon.directory)
      #expect(try second.ctl("scene", "list").output == table)
      try second.directory.write(#"{"transaction": [{"recall": "dusk"}]}"#, to: "recall.json")
      let tried = try second.ctl("commit", "--dry-run", second.directory["recall.json"])
      #expect(tried.output.contains("scene dusk") && tried.output.contains("lamp1/level"), "\(tried.errors)")
      #expect(try level(second, "lamp1") == 90)
      let recalled = try second.ctl("scene", "recall", "dusk", "--in", "200ms")
      #expect(recalled.end == .exited(0) && recalled.output.contains("4 targets for scene dusk"), "\(recalled.errors)")
      try awaitTruth("they are back") {
        try (1...3).allSatisfy { try level(second, "lamp\($0)") == Double(10 * $0) }
      }
      #expect(try !second.ctl("list", "intentions").output.contains("up"))
      #expect(try second.terminate() == .exited(0))
      let third = try Daemon([.tween()], in: daemon.directory)
      #expect(try third.ctl("scene", "list").output == table)
      try third.directory.write(#"{"cues": [{"transaction": []}, {"cue": "2.5", "scene": "dusk"}]}"#, to: "show.json")
      #expect(try third.ctl("cue", "load", third.directory["show.json"]).end == .exited(0))
      let deleted = try third.ctl("scene", "delete", "dusk")
      #expect(deleted.end == .exited(0) && deleted.errors.contains("cue \"2.5\" of \"main\" recalls it"), "\(deleted)")
      third.process.kill()
      let fourth = try Daemon([.tween()], in: daemon.directory)
      #expect(try fourth.ctl("scene", "list").output.isEmpty)
      let gone = try fourth.ctl("scene", "recall", "dusk")
      #expect(gone.end == .exited(4) && gone.errors.contains("there is no scene \"dusk\""))
    }

    // Clauses: S13.5, S22.3
    @Test func `a snap of hundreds of lamps is one step for each, also while its worker starts`() throws {
      let daemon = try Daemon()
      _ = try daemon.ctl("add", "SpringTo", "--to", "lamp{1..300}", "property=level", "destination=1")
      let client = try daemon.connect()
      try client.awaitIdle()
      #expect(try daemon.ctl("scene", "save", "full").end == .exited(0))
      _ = try daemon.ctl("add", "SpringTo", "--to", "lamp{1..300}", "property=level", "destination=0.25")
      try client.awaitIdle()
      #expect(try daemon.terminate() == .exited(0))
      // The worker starts while the scene is recalled.
      let second = try Daemon([.tween()], in: daemon.directory)
      let again = try second.connect()
      let watcher = try Watcher(again, .motion(.everything))
      #expect(try second.ctl("scene", "recall", "full", "--in", "0s").end == .exited(0))
      let lamps = try (1...300).map { try TargetName("lamp\($0)") }
      try watcher.listen("all are there") {
        lamps.allSatisfy { watcher.track("level", of: $0).last?.value == 1 }
      }
      for lamp in lamps {
        let values = Set(watcher.track("level", of: lamp).map { $0.value[0] })
        #expect(values.isSubset(of: [0.25, 1]), "\(lamp)")
      }
    }

    // Clauses: S22.6
    @Test func `a recall needs the grant for the priorities in its scene`() throws {
      let own = "user:\(geteuid())"
      let daemon = try Daemon(arguments: ["--allow-priority", "\(own)=10"])
      _ = try daemon.ctl("add", "AnchoredSpring", "--to", "lamp", "property=level", "destination=5", "priority=7")
      try awaitTruth("it is there") { try level(daemon, "lamp") == 5 }
      #expect(try daemon.ctl("scene", "save", "high").end == .exited(0))
      _ = try daemon.ctl("stop", "lamp")
      daemon.process.kill()
      let second = try Daemon(in: daemon.directory, arguments: ["--allow-priority", "\(own)=0"])
      let refused = try second.ctl("scene", "recall", "high")
      #expect(refused.end == .exited(4) && refused.errors.contains("above 0"), "\(refused.errors)")
    }

    // Clauses: S22.2, S22.4, S22.5
    @Test func `mistakes are named`() throws {
      let daemon = try Daemon()
      for (arguments, code, text) in [
        (["save", "dusk"], 4, "no target matches"), (["save", "du sk"], 2, "not a valid scene name"),
        (["recall", "dusk", "--in=-1s"], 2, "write a duration"),
        (["recall", "dusk", "--in", "1s", "--spring"], 2, "exclude each other"),
        (["show", "dusk"], 4, "there is no scene"), (["delete", "dusk"], 4, "there is no scene"),
        (["recall", "dusk", "--at", "+100s"], 2, "Unknown option '--at'"),
      ] {
        let run = try daemon.ctl.start(["scene"] + arguments).finish()
        #expect(run.end == .exited(Int32(code)) && run.errors.contains(text), "\(arguments): \(run.errors)")
      }
      _ = try daemon.ctl("add", "SpringTo", "--to", "lamp1", "property=level", "destination=1")
      var transaction = Transaction()
      transaction.saveScene("dusk", of: "lamp1")
      let later = #expect(throws: MotionClientError.self) { try daemon.connect().commit(transaction, at: 100_000) }
      #expect(later?.refusal?.message.contains("at which they are committed") == true, "\(String(describing: later))")
      let past = try daemon.ctl("list", "scenes", "--at", "-1s")
      #expect(past.end != .exited(0))
    }
  }
}
