import Faults
import Glibc
import MotionClient
import MotionModel
import MotionTestKit
import Testing

extension DistributedTests {
  /// Lists of cues, from the command line to a restart.
  @Suite struct CueTests {
    private static let show = """
      {"cues": [
        {"cue": "1", "scene": "dusk", "fade": "200ms", "follow": "300ms"},
        {"cue": "2", "wait": "100ms", "transaction": [
          {"add": {"type": "SpringTo", "property": "level", "destination": 1}, "to": "lamp*"}]},
        {"scene": "dusk"}
      ]}
      """

    private func level(_ daemon: Daemon, _ target: String) throws -> Double? {
      try daemon.connect().properties().first {
        $0.reference.target.text == target && $0.reference.property == "level"
      }?.state.value[0]
    }

    private func row(_ daemon: Daemon, _ list: CueListName = "main") throws -> CueListRow? {
      guard case .cues(let rows) = try daemon.connect().query(.cues(list)) else { return nil }
      return rows.first
    }

    // Clauses: S23.2
    @Test func `a list that is loaded names the groups that there are not yet, also those in patches`() throws {
      let daemon = try Daemon([.dmx()])
      _ = try daemon.ctl("group", "back", "lamp1")
      try daemon.directory.write(
        """
        {"cues": [
          {"cue": "1", "transaction": [{"add": {"type": "AnchoredSpring", "property": "level", "destination": 1}, "to": "@front"}]},
          {"cue": "2", "transaction": [
            {"add": {"type": "SendDMX", "patch": "universe 1 sacn\\n@back dimmer 1.1\\n@side dimmer 1.2\\nmaster desk/m @side,@top"}, "to": "desk"}]},
          {"cue": "3", "transaction": [
            {"group": "made", "targets": "lamp1"}, {"add": {"type": "AnchoredSpring", "property": "level", "destination": 1}, "to": "@made"}]}
        ]}
        """, to: "show.json")
      let loaded = try daemon.ctl("cue", "load", daemon.directory["show.json"])
      #expect(loaded.end == .exited(0))
      let notes = loaded.errors.split(separator: "\n").filter { $0.hasPrefix("note:") }.map(String.init)
      #expect(
        notes
          == [("front", 1), ("side", 2), ("top", 2)].map {
            "note: there is no group \"\($0)\" yet: cue \"\($1)\" is refused until it is set"
          }, "\(loaded.errors)")
    }

    // Clauses: S23.1, S23.3, S23.4, S23.6, S23.7
    @Test func `cues are loaded, go, follow, wait, and are kept over kills`() throws {
      let daemon = try Daemon([.tween()])
      let directory = daemon.directory
      _ = try daemon.ctl("add", "SpringTo", "--to", "lamp{1..3}", "property=level", "destination=0.25")
      try awaitTruth("they are there") { try level(daemon, "lamp3") == 0.25 }
      #expect(try daemon.ctl("cue", "status").errors.contains("no lists of cues"))
      try directory.write(Self.show, to: "show.json")
      let early = try daemon.ctl("cue", "load", directory["show.json"])
      #expect(early.end == .exited(0) && early.errors.contains("no scene \"dusk\" yet"), "\(early.errors)")
      let refused = try daemon.ctl("cue", "go")
      #expect(refused.end == .exited(4) && refused.errors.contains("cue \"1\": there is no scene \"dusk\""))
      _ = try daemon.ctl("scene", "save", "dusk", "lamp*")
      _ = try daemon.ctl("add", "SpringTo", "--to", "lamp*", "property=level", "destination=0.75")
      try awaitTruth("they are up") { try level(daemon, "lamp1") == 0.75 && level(daemon, "lamp3") == 0.75 }
      let went = try daemon.ctl("cue", "go")
      #expect(went.output.contains("main: cue 1, goes on at") && went.output.contains("next is 2"), "\(went.errors)")
      // The second goes by itself, waits, and begins.
      try awaitTruth("the second has begun") {
        try row(daemon)?.current == "2" && row(daemon)?.position.waits == false && level(daemon, "lamp2") == 1
      }
      let position = try #require(try row(daemon)?.position)
      #expect(position.due == nil)
      daemon.process.kill()
      let second = try Daemon([.tween()], in: directory)
      #expect(try row(second)?.position == position && row(second)?.next == "3")
      // A command with an id is carried out once, also over a kill.
      let id = "0123456789abcdef0123456789abcdef"
      let third = try second.ctl("cue", "go", "--id", id)
      #expect(third.output.contains("it was the last"))
      second.process.kill()
      let other = try Daemon([.tween()], in: directory)
      #expect(try other.ctl("cue", "go", "--id", id).output.contains("main: cue 3; it was the last"))
      let again = try other.ctl("cue", "go", "--id", id, "--json")
      #expect(try again.json()["repeat"].flag && again.json()["cues"].elements.first?["current"].text == "3")
      #expect(try row(other)?.position.step == position.step + 1)
      #expect(try other.ctl("cue", "go").errors.contains("the last cue of \"main\" has gone"))
      try awaitTruth("they are dim") { try level(other, "lamp1") == 0.25 }
      _ = try other.ctl("cue", "back")
      #expect(try row(other)?.current == "2")
      // It lets the second follow 0.3 s after it has begun; a loaded machine may take as long to stop it.
      repeat {
        _ = try other.ctl("cue", "goto", "1")
        _ = try other.ctl("stop")
      } while try row(other)?.current != "1"
      #expect(try row(other)?.position.due == nil)
      let table = try other.ctl("cue", "status", "--list", "main").output
      #expect(table.contains("▶  1") && table.contains("scene dusk") && table.contains("1 operation"))
      let shown = try other.ctl("cue", "show").output
      try directory.write(shown, to: "again.json")
      _ = try other.ctl("cue", "load", "--list", "copy", directory["again.json"])
      #expect(try row(other, "copy")?.content == row(other)?.content)
      #expect(try other.ctl("cue", "delete", "main").end == .exited(0))
      #expect(try other.terminate() == .exited(0))
      let last = try Daemon([.tween()], in: directory)
      #expect(
        try last.connect().query(.cues(nil))
          == .cues([CueListRow("copy", count: 3, CuePosition(step: 1), current: nil, next: "1")]))
      let gone = try last.ctl("cue", "go")
      #expect(gone.end == .exited(4) && gone.errors.contains("there is no cue list \"main\""))
    }

    // Clauses: S23.4, S23.6
    @Test(
      .fault(
        .processes, "motiond, while a cue waits for the next", by: "KILL",
        promise: "the next cue goes after the start, once, at the simulated time at which it was due"))
    func `what goes by itself goes after a kill`() throws {
      let daemon = try Daemon()
      let directory = daemon.directory
      try directory.write(
        """
        {"cues": [{"cue": "1", "follow": "1s", "transaction": []},
          {"cue": "2", "transaction": [{"add": {"type": "AnchoredSpring", "property": "level", "destination": 1}, "to": "lamp"}]}]}
        """, to: "show.json")
      _ = try daemon.ctl("cue", "load", directory["show.json"])
      _ = try daemon.ctl("cue", "go")
      let due = try #require(try row(daemon)?.position.due)
      daemon.process.kill()
      let second = try Daemon(in: directory)
      try awaitTruth("the second went") { try row(second)?.current == "2" }
      let position = try row(second)?.position
      #expect(position?.went == due && position?.step == 3)
      try awaitTruth("it moves the lamp") { try level(second, "lamp") == 1 }
      #expect(try second.connect().intentions().count == 1)
    }

    // Clauses: S23.8
    @Test func `what goes by itself and is refused is left out, and the list goes on`() throws {
      let daemon = try Daemon()
      try daemon.directory.write(
        """
        {"cues": [{"follow": 0, "transaction": []}, {"scene": "gone", "follow": 0},
          {"transaction": [{"add": {"type": "AnchoredSpring", "property": "level", "destination": 1}, "to": "lamp"}]}]}
        """, to: "show.json")
      _ = try daemon.ctl("cue", "load", daemon.directory["show.json"])
      _ = try daemon.ctl("cue", "go")
      try awaitTruth("the third moves the lamp") { try level(daemon, "lamp") == 1 }
      #expect(try row(daemon)?.current == "3" && row(daemon)?.position.step == 4)
      #expect(daemon.log.contains("goes on without what its cue does") && daemon.log.contains("no scene \"gone\""))
      try daemon.directory.write(
        #"{"list": "short", "cues": [{"follow": 0, "transaction": []}, {"scene": "gone"}, {"transaction": []}]}"#,
        to: "short.json")
      _ = try daemon.ctl("cue", "load", daemon.directory["short.json"])
      _ = try daemon.ctl("cue", "go", "--list", "short")
      let reason = "short has left out cue \"2\": there is no scene \"gone\""
      try awaitTruth("the reason") { try daemon.ctl("cue", "status").output.contains(reason) }
      daemon.process.kill()
      let second = try Daemon(in: daemon.directory)
      let status = try second.ctl("cue", "status", "--list", "short")
      #expect(status.output.contains(reason) && status.output.contains("2 (left out)"), "\(status.output)")
      _ = try second.ctl("cue", "go", "--list", "short")
      #expect(try !second.ctl("cue", "status").output.contains("left out"))
    }

    // Clauses: S23.5
    @Test func `an input fires cues as a timeline`() throws {
      let daemon = try Daemon()
      let cues = (1...5).map {
        #"{"at": \#(10 * $0), "transaction": [{"add": {"type": "SpringTo", "property": "level", "destination": \#($0)}, "to": "lamp"}]}"#
      }
      try daemon.directory.write(
        #"{"timeline": "show/time", "cues": [\#(cues.joined(separator: ", "))]}"#, to: "show.json")
      _ = try daemon.ctl("add", "Follow", "--to", "show", "property=time", "input=ltc", "mode=direct")
      _ = try daemon.ctl("cue", "load", daemon.directory["show.json"])
      let client = try daemon.connect()
      func set(_ time: Double) throws {
        _ = try client.send(InputValues(from: "desk", [InputValue("ltc", Lanes(time))]))
      }
      try set(9.75)
      try awaitTruth("the time is there") { try client.properties().contains { $0.state.value == 9.75 } }
      #expect(try row(daemon)?.current == nil)
      try set(10.25)
      try awaitTruth("the first") { try row(daemon)?.current == "1" }
      try set(35)
      try awaitTruth("after a jump, the third") { try row(daemon)?.current == "3" && level(daemon, "lamp") == 3 }
      try set(12)
      try awaitTruth("after a jump back, the first") { try row(daemon)?.current == "1" }
      #expect(try row(daemon)?.position.step == 4)
    }
  }
}
