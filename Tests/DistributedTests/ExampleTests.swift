import Foundation
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// Each example is committed as its text describes, and has the described effect.
  @Suite struct ExampleTests {
    // Clauses: S8.3
    @Test func `the specification's transaction commits, and a touch drags both views`() throws {
      let daemon = try Daemon([.tween(), .gestures()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.everything), .outcomes(nil))
      try commit(["specification.json"], to: daemon)

      let executors = try client.executors()
      #expect(
        executors.map(\.key.description) == ["Tween on circleView", "Gesture on squareView", "Gesture on circleView"])
      #expect(try client.intentions().contains { $0.name == "name1" })
      #expect(try !client.intentions().contains { $0.name == "name2" }, "the rotation was removed")
      try watcher.listen("the fade's end") { watcher.ended.contains { $0.type == "Tween" } }
      _ = try client.awaitReady("gesture")
      let touch = Programs.source("examples/touch.jsonl")
      for run in [
        try daemon.ctl("input", touch, "--to", "squareView"),
        try daemon.ctl("input", touch, "--to", "circleView", "--fast"),
      ] { #expect(run.end == .exited(0), "\(run.errors)") }
      try watcher.listen("the touch is felt") {
        watcher.frames.contains { $0[PropertyReference("circleView", "position")] != nil }
      }
      // The same touch drags both; nothing rotates.
      try client.awaitIdle(within: .seconds(20))
      _ = try watcher.take(upTo: .milliseconds(200))
      #expect(try client.state(of: "opacity", of: "circleView")?.state.value == 1)
      let square = try #require(try client.state(of: "position", of: "squareView")).state.value
      let circle = try #require(try client.state(of: "position", of: "circleView")).state.value
      #expect(square != [0, 0])
      #expect(square == circle)
      #expect(try #require(try client.state(of: "scale", of: "squareView")).state.value[0] != 1)
      #expect(try client.state(of: "rotation", of: "squareView")?.state.value == 0)
    }

    @Test func `two interruptions of a tween cause no jump in its track`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")), .outcomes("ball"))
      let now = try client.status().clock.time
      // The times that its text names, one second later.
      for (time, file) in zip([1, 1.15, 1.4], 1...3) {
        let name = try #require(Self.files.first { $0.hasPrefix("interruption-\(file)") })
        let run = try daemon.ctl("commit", "--at", "\(now + time)", Programs.source("examples/\(name)"))
        #expect(run.end == .exited(0), "\(run.errors)")
      }
      try watcher.listen("all three end") { watcher.ended.count == 3 }
      #expect(watcher.ended.map(\.outcome) == [.displaced, .displaced, .completed])
      let track = watcher.track("position", of: "ball")
      #expect(Watcher.isGapless(track))
      #expect(WorkerTests.largestStep(of: track) < 40, "\(WorkerTests.aroundLargestStep(of: track))")
      // Each plan continues at the velocity of its predecessor: the ball's movement matches its published velocity
      // everywhere.
      WorkerTests.expectVelocities(of: track, within: 100)
      #expect(try client.state(of: "position", of: "ball")?.state.velocity == [0, 0])
    }

    @Test func `a thousand springs start in the same frame and come to rest`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .values(.everything))
      try commit(["thousand-springs.json"], to: daemon)
      try watcher.listen("the first frame") { !watcher.frames.isEmpty }
      #expect(watcher.frames.first?.properties.count == 1000)
      try client.awaitIdle(within: .seconds(30))
      let properties = try client.properties()
      #expect(properties.count == 1000)
      #expect(properties.allSatisfy { $0.state.velocity == .zero(count: $0.state.value.count) && $0.driver == nil })
      #expect(Set(properties.map(\.state.value)).count > 900, "they open into a spiral, not into a heap")
      try watcher.take(upTo: .zero)
      #expect(watcher.missed == 0)
      let frames = Set(watcher.frames.map(\.frame)).sorted()
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 == $0 + 1 }, "in every frame some of them move")
    }

    @Test func `a show with three cues plays at four times the speed`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.everything), .outcomes(nil))
      // A daemon with an old state: its clock is far ahead of every number in the files.
      try client.clock(.speed(1000))
      try awaitTruth("the clock is far along") { try client.status().clock.time > 100 }
      try client.clock(.speed(4))
      let start = try client.status().clock.time
      try commit(["show-1-rise.json", "show-2-swing.json", "show-3-dark.json"], to: daemon)
      try watcher.listen("the dark", within: .seconds(20)) { watcher.frames.contains { $0.time > start + 12.5 } }
      try client.awaitIdle(within: .seconds(20))

      let lamp = watcher.track("opacity", of: "lamp:left")
      #expect(try #require(lamp.first).time >= start + 5)
      #expect(lamp.contains { $0.value == 1 })
      #expect(try client.state(of: "opacity", of: "lamp:left")?.state.value == 0)
      #expect(try client.state(of: "opacity", of: "lamp:right")?.state.value == 0)
      #expect(watcher.missed == 0)
    }

    @Test func `the ball's position is sent by Open Sound Control up to its end`() throws {
      let daemon = try Daemon([.osc()])
      let client = try daemon.connect()
      let receiver = try OSCReceiver()
      // The example's text, with a port of this test instead of the one that other programs may use.
      let text = try String(contentsOfFile: Programs.source("examples/osc.json"), encoding: .utf8)
      try daemon.directory.write(text.replacing("9000", with: "\(receiver.port)"), to: "osc.json")
      let run = try daemon.ctl("commit", daemon.directory["osc.json"])
      #expect(run.end == .exited(0), "\(run.errors)")
      try receiver.awaitLast([400, 250], at: "/ball/xy")
      #expect(try client.intentions().map(\.name) == ["osc"], "the spring is done, the output stays")
    }

    @Test func `a ball stretches along its path and returns to scale 1 at rest`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")), .outcomes("ball"))
      try commit(["squash.json"], to: daemon)
      try watcher.listen("the spring's end") { watcher.ended.contains { $0.type == "SpringTo" } }
      try client.awaitIdle(within: .seconds(20))
      let track = watcher.track("scale", of: "ball")
      #expect(!track.isEmpty)
      // It takes over from round within 150 ms, in which the factors are blended, each separately.
      #expect(track.contains { $0.value[0] > 1.02 && $0.value[1] < 0.98 })
      #expect(try client.state(of: "scale", of: "ball")?.state == PropertyState([1, 1]))
    }

    @Test func `every example file is covered by a test`() throws {
      let known = ["specification", "interruption-", "thousand-springs", "show-", "osc.", "squash."]
      #expect(Self.files.count >= 8)
      #expect(Self.files.allSatisfy { file in known.contains { file.hasPrefix($0) } })
    }

    @Test func `a client in Python commits and receives each frame up to the end`() throws {
      let daemon = try Daemon()
      let script = Programs.source("examples/clients/python/motion_client.py")
      let lines = try String(contentsOfFile: script, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 100, "a client of under a hundred lines, and the empty one after the last")
      let environment = [
        "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "MOTIOND_RUNTIME_DIR": daemon.paths.directory,
      ]
      let python = try ChildProcess(
        "/usr/bin/python3", [script, "ball", "position", "100", "50"], environment: environment,
        output: daemon.directory["python"],
        errors: daemon.directory["python.err"])
      let end = try python.awaitEnd(within: .seconds(20))
      #expect(end == .exited(0), "\(daemon.directory.text(of: "python.err")); make setup installs what it needs")
      let printed = try daemon.directory.text(of: "python").split(separator: "\n").map { try JSON($0) }
      #expect(printed.last?["outcome"].text == "completed")
      #expect(printed.last?["value"].elements.map(\.number) == [100, 50])
      let frames = printed.dropLast().map { $0["frame"].count }
      #expect(frames.count > 20)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 == $0 + 1 })

      let refused = try ChildProcess(
        "/usr/bin/python3", [script, "ball", "position", "1", "2", "3"], environment: environment,
        output: daemon.directory["python2"],
        errors: daemon.directory["python2.err"])
      #expect(try refused.awaitEnd(within: .seconds(20)) == .exited(4))
      #expect(daemon.directory.text(of: "python2.err").contains("refused"))
    }

    /// The transaction files of the examples.
    private static let files =
      ((try? FileManager.default.contentsOfDirectory(atPath: Programs.source("examples"))) ?? [])
      .filter { $0.hasSuffix(".json") }.sorted()

    private func commit(_ files: [String], to daemon: Daemon) throws {
      let run = try daemon.ctl.start(["commit"] + files.map { Programs.source("examples/\($0)") }).finish()
      #expect(run.end == .exited(0), "\(run.errors)")
    }
  }
}
