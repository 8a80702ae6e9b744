import Faults
import Foundation
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// A recording replays to the same frames.
  @Suite struct RecordingTests {
    // Clauses: S11.8
    @Test func `a recording replays to the same hashes`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.motion"]])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 50]), .springTo("opacity", 0), to: "ball")
      // Undamped, so that it still swings when it is stopped between two frames.
      try client.add(.anchoredSpring("rotation", 2, .physical(tension: 100, friction: 0)), named: "turn", to: "arm")
      try client.clock(.speed(3))
      try awaitTruth("it moves") { try client.status().frame.number > 20 }
      try client.stop(["arm"])
      try client.clock(.pause)
      try client.add(.springTo("position", [0, 0]), to: "ball")
      try client.clock(.step(5))
      try client.clock(.resume)
      try client.awaitIdle()
      try client.add(.springTo("position", [9, 9]), to: "late")
      try client.awaitIdle()
      let frames = try client.status().frame.number
      #expect(try daemon.terminate() == .exited(0))

      let run = try daemon.ctl("replay", directory["show.motion"], "--json")
      #expect(run.end == .exited(0), "\(run.errors) \(run.output)")
      let report = try run.json()
      #expect(report["frames"].count == frames)
      #expect(report["identical"].flag)
      #expect(report["truncatedBytes"].count == 0)
      #expect(report["hash"].text.count == 16)
    }

    // Clauses: S8.34
    @Test func `a large transaction is prepared between frames, and replays identically`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.motion"]])
      let client = try daemon.connect()
      try client.add(.anchoredSpring("x", 5, .physical(tension: 100, friction: 0)), to: "moving")
      let operations = (0..<8_000).map {
        #"{"add": {"type": "SpringTo", "property": "x", "destination": \#($0)}, "to": "r\#($0)"}"#
      }
      try directory.write("{\"transaction\": [\(operations.joined(separator: ",\n"))]}", to: "large.json")
      // Built for debugging, and beside other processes, it takes seconds to read and to check.
      let commit = try daemon.ctl.start(["commit", directory["large.json"], "--timeout", "50s"])
      // Whether these commits are applied before, after or, as most are, while the snapshot is made, each target is
      // contained once.
      for number in 0..<50 { try client.add(.springTo("x", 3), to: try TargetName("r\(7_999 - number)")) }
      let committed = try commit.finish(within: .seconds(50))
      #expect(committed.end == .exited(0), "\(committed.errors)")
      let frame = try client.status().frame.number
      try awaitTruth("it is applied") { try client.status().frame.number > frame + 20 }
      #expect(try client.status().counts.targets == 8_001)
      #expect(try daemon.terminate() == .exited(0))

      let run = try daemon.ctl("replay", directory["show.motion"], "--json")
      #expect(run.end == .exited(0), "\(run.errors) \(run.output)")
      let report = try run.json()
      #expect(report["identical"].flag)
      #expect(report["frames"].count > frame + 20)
    }

    @Test func `a recording contains the workers' messages and a worker's exit`() throws {
      let directory = try TestDirectory()
      for plugin in [try PluginFolder.tween(), try .gestures(), try .unruly()] { try plugin.write(to: directory) }
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.motion"]])
      let client = try daemon.connect()
      try client.add(.tween("opacity", to: 0, duration: .milliseconds(300)), Intention("Draggable"), to: "a")
      try client.add(.unruly(to: 5, duration: .seconds(1)), named: "rise", to: "b")
      try client.add(.springTo("position", [30, 30]), to: "a")
      let worker = try client.awaitReady("unruly")
      kill(worker.processID, SIGKILL)
      _ = try client.awaitReady("gesture")
      try Touch(client: client, target: "a").play()
      _ = try client.awaitReady("unruly", after: worker.incarnation)
      try client.awaitIdle(within: .seconds(20))
      let properties = try client.properties()
      #expect(try daemon.terminate() == .exited(0))

      // Neither the daemon nor its plugins exist any more.
      let run = try daemon.ctl("replay", directory["show.motion"], "--json")
      #expect(run.end == .exited(0), "\(run.errors) \(run.output)")
      let report = try run.json()
      #expect(report["identical"].flag)
      #expect(report["frames"].number > 60)
      #expect(properties.contains { $0.reference.target == "b" && $0.state.value == 5 })
    }

    @Test(
      .fault(
        .storage, "A recording cannot be written", by: "a pipe whose reader goes away",
        promise: "it ends with a log line; motion continues"))
    func `a recording that cannot be written ends with the reason, and motion continues`() throws {
      let directory = try TestDirectory()
      let path = directory["show.motion"]
      #expect(mkfifo(path, 0o600) == 0)
      let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      let daemon = try Daemon(in: directory, arguments: ["--record", path])
      let client = try daemon.connect()
      #expect(try client.status().recording == Status.Recording(path: path))
      try client.add(.springTo("position", [1, 1]), to: "ball")
      try client.awaitIdle()
      close(reader)
      try client.add(.springTo("position", [100, 50]), to: "ball")
      let problem = try awaitFact("the recording has ended") {
        try client.status().recording.flatMap { $0.problem.isEmpty ? nil : $0.problem }
      }
      #expect(problem.contains("Broken pipe"), "\(problem)")
      try awaitLog(of: daemon, "the recording has ended with frame")
      try client.awaitIdle()
      #expect(try client.state(of: "position", of: "ball")?.state.value == [100, 50])
      let text = try daemon.ctl("status").output
      #expect(text.contains("records  \(path): ended:"), "\(text)")
      #expect(try daemon.terminate() == .exited(0))
    }

    @Test(
      .fault(
        .storage, "A recording was changed", by: "a destination in the file is altered",
        promise: "the replay names the frame"))
    func `the replay of a changed recording reports the first different frame`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.motion"]])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 50]), to: "ball")
      try client.awaitIdle()
      #expect(try daemon.terminate() == .exited(0))
      // The destination 100.0 as eight bytes, and the bytes by which 100.5 differs.
      var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: directory["show.motion"])))
      let hundred: [UInt8] = [0, 0, 0, 0, 0, 0, 0x59, 0x40]
      let place = try #require(bytes.firstRange(of: hundred))
      bytes[place.lowerBound + 5] = 0x20
      try Data(bytes).write(to: URL(fileURLWithPath: directory["changed.motion"]))

      let run = try daemon.ctl("replay", directory["changed.motion"])
      #expect(run.end == .exited(1))
      #expect(run.output.contains("frame 1"), "\(run.output) \(run.errors)")
    }
  }
}
