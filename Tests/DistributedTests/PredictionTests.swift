import Faults
import Foundation
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// What a transaction would do, asked of a daemon, and what it then does.
  @Suite struct PredictionTests {
    // Clauses: S11.39
    @Test func `a dry run tells where a spring will rest, and the commit then does that`() throws {
      let directory = try TestDirectory()
      try PluginFolder.tween().write(to: directory)
      let daemon = try Daemon(in: directory)
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 50]), to: "ball")
      try client.add(.tween("opacity", to: 0, duration: .seconds(30)), to: "lamp")
      _ = try client.awaitReady("tween")
      try awaitTruth("it moves") { try client.status().frame.number > 5 }
      try client.clock(.pause)
      let file = directory["next.json"]
      try directory.write(
        #"""
        {"transaction": [
          {"add": {"type": "SpringTo", "property": "position", "destination": [-40, 8]}, "to": "ball"},
          {"add": {"type": "Tween", "property": "opacity", "to": 1, "duration": "500ms"}, "to": "lamp"}
        ]}
        """#, to: "next.json")
      let before = try client.status()
      let dry = try daemon.ctl("commit", "--dry-run", file, "--json", "--horizon", "5")
      #expect(dry.end == .exited(0), "\(dry.errors)")
      let prediction = try dry.json()["prediction"]
      #expect(try client.status().frame == before.frame, "nothing has happened")
      #expect(prediction["properties"].elements.map(\.["property"].text) == ["ball/position", "lamp/opacity"])
      #expect(prediction["ended"].elements.contains { $0["outcome"].text == "displaced" })
      let ball = prediction["properties"].elements[0]
      #expect(prediction["properties"].elements[1]["end"]["value"].elements.map(\.number) == [1])
      let shown = try daemon.ctl("commit", "--dry-run", file)
      #expect(shown.output.contains("RESTS AT") && shown.output.contains("would be displaced"), "\(shown.output)")

      #expect(try daemon.ctl("commit", file).end == .exited(0))
      let rest = ball["rest"]["frame"].number
      let frames = UInt64(rest) - before.frame.number
      try client.clock(.step(frames - 1))
      #expect(try #require(try client.properties().first { $0.reference.target == "ball" }).state.velocity != [0, 0])
      try client.clock(.step(1))
      let state = try #require(try client.properties().first { $0.reference.target == "ball" }).state
      #expect(state.value == [-40, 8] && state.velocity == [0, 0], "\(state) at frame \(rest)")
      #expect(ball["end"]["value"].elements.map(\.number) == [-40, 8])
    }

    // Clauses: S11.39
    @Test(arguments: ["10min", "none"])
    func `a dry run counts what waits for the resume, and what happened since the last frame`(
      _ history: String
    ) throws {
      let daemon = try Daemon(arguments: ["--history", history])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 50]), to: "ball")
      try client.add(.springTo("position", [100, 50]), to: "gone")
      try awaitTruth("it moves") { try client.status().frame.number > 5 }
      try client.clock(.pause)
      let next = try client.add(.springTo("position", [7, 7]), to: "ball")
      var later = Transaction()
      later.add(.springTo("position", [9, 9]), to: "later")
      let at = try client.status().frame.time + 0.5
      _ = try client.commit(later, at: at)
      try client.stop(["gone"])
      try daemon.directory.write(
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "position", "destination": [-40, 8]}, "to": "ball"}, "#
          + #"{"add": {"type": "SpringTo", "property": "position", "destination": [0, 5]}, "to": "later"}]}"#,
        to: "next.json")
      let dry = try daemon.ctl("commit", "--dry-run", daemon.directory["next.json"], "--json")
      #expect(dry.end == .exited(0), "\(dry.errors)")
      let prediction = try dry.json()["prediction"]
      let ended = prediction["ended"].elements.map { "\($0["intention"].text) \($0["outcome"].text)" }
      #expect(ended.contains { $0.hasPrefix("\(next.sequence).") && $0.hasSuffix("displaced") }, "\(ended)")
      #expect(prediction["properties"].elements.map(\.["property"].text) == ["ball/position", "later/position"])
      #expect(prediction["properties"].elements[1]["end"]["value"].elements.map(\.number) == [9, 9])
    }

    // Clauses: S11.39
    @Test(arguments: ["10min", "none"])
    func `a dry run counts the values of inputs that no frame has had`(_ history: String) throws {
      let daemon = try Daemon(arguments: ["--history", history])
      let client = try daemon.connect()
      try client.send(InputValues(from: "desk", [InputValue("fader", 0.5)]))
      try daemon.directory.write(
        #"{"transaction": [{"add": {"type": "Follow", "property": "x", "input": "fader", "mode": "direct"}, "to": "lamp"}]}"#,
        to: "next.json")
      let dry = try daemon.ctl("commit", "--dry-run", daemon.directory["next.json"], "--json")
      #expect(dry.end == .exited(0), "\(dry.errors)")
      let lamp = try dry.json()["prediction"]["properties"].elements
      #expect(lamp.first?["end"]["value"].elements.map(\.number) == [0.5], "\(dry.output)")
    }

    // Clauses: S11.39
    @Test func `a dry run after a rest begins at the present, and counts what waits for its time`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.springTo("x", 1), to: "ball")
      try client.awaitIdle()
      let rest = try client.status().frame.time
      try awaitTruth("time has gone on") { try client.status().clock.time > rest + 0.5 }
      var later = Transaction()
      later.add(.springTo("x", -50), to: "ball")
      let now = try client.status().clock.time
      _ = try client.commit(later, at: now + 30)
      try daemon.directory.write(
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "x", "destination": 50}, "to": "ball"}]}"#,
        to: "next.json")
      let file = daemon.directory["next.json"]
      let dry = try daemon.ctl("commit", "--dry-run", file, "--json", "--horizon", "5").json()["prediction"]
      #expect(dry["properties"].elements[0]["rest"]["time"].number > now, "\(dry)")
      let long = try daemon.ctl("commit", "--dry-run", file, "--json", "--horizon", "60").json()["prediction"]
      #expect(long["properties"].elements[0]["end"]["value"].elements.map(\.number) == [-50])
    }

    // Clauses: S11.39
    @Test func `a plan of a plugin that does not run in motionctl is held, and listed`() throws {
      let directory = try TestDirectory()
      try PluginFolder.tween().write(to: directory)
      let daemon = try Daemon(in: directory)
      try directory.write(
        #"{"transaction": [{"add": {"type": "SquashAndStretch", "strength": 1}, "to": "ball"}]}"#,
        to: "squash.json")
      let before = try daemon.ctl("commit", "--dry-run", directory["squash.json"])
      #expect(before.end == .exited(0) && before.output.contains("held here"), "\(before.output) \(before.errors)")
      #expect(try daemon.ctl("commit", directory["squash.json"]).end == .exited(0))
      let after = try daemon.ctl("commit", "--dry-run", directory["squash.json"])
      #expect(after.end == .exited(0) && !after.output.contains("failed"), "\(after.output) \(after.errors)")
    }

    // Clauses: S11.39
    @Test func `a dry run of what would be refused is refused with the place in the file`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory)
      try directory.write(
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "x", "destination": 1}, "to": "a"}]}"#,
        to: "first.json")
      #expect(try daemon.ctl("commit", directory["first.json"]).end == .exited(0))
      try directory.write(
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "x", "destination": [1, 2]}, "to": "a"}]}"#,
        to: "second.json")
      let run = try daemon.ctl("commit", "--dry-run", directory["second.json"])
      #expect(run.end == .exited(4) && run.errors.contains("second.json"), "\(run.end) \(run.errors)")
    }
  }
}
