import Faults
import Foundation
import MCAP
import MCAPPeer
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// A recording replays to the same frames.
  @Suite struct RecordingTests {
    // Clauses: S11.8
    @Test func `a recording replays to the same hashes`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
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

      let run = try daemon.ctl("replay", directory["show.mcap"], "--json")
      #expect(run.end == .exited(0), "\(run.errors) \(run.output)")
      let report = try run.json()
      #expect(report["frames"].count == frames)
      #expect(report["identical"].flag)
      #expect(report["complete"].flag && report["truncatedBytes"].count == 0)
      #expect(report["hash"].text.count == 16)
    }

    // Clauses: S8.34
    @Test func `a large transaction is prepared between frames, and replays identically`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
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

      let run = try daemon.ctl("replay", directory["show.mcap"], "--json")
      #expect(run.end == .exited(0), "\(run.errors) \(run.output)")
      let report = try run.json()
      #expect(report["identical"].flag)
      #expect(report["frames"].count > frame + 20)
    }

    @Test func `a recording contains the workers' messages and a worker's exit`() throws {
      let directory = try TestDirectory()
      for plugin in [try PluginFolder.tween(), try .gestures(), try .unruly()] { try plugin.write(to: directory) }
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
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
      let run = try daemon.ctl("replay", directory["show.mcap"], "--json")
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
      let path = directory["show.mcap"]
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

    // Clauses: S11.8
    @Test(
      .fault(
        .storage, "A recording was changed", by: "a destination in the file is altered, with and without its checksum",
        promise: "the replay names the place and the frame"))
    func `the replay of a changed recording reports the place and the first different frame`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 50]), to: "ball")
      try client.awaitIdle()
      #expect(try daemon.terminate() == .exited(0))
      // The destination 100.0 as eight bytes, and the bytes by which 100.5 differs.
      var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: directory["show.mcap"])))
      let chunks = try Self.chunks(bytes)
      let hundred: [UInt8] = [0, 0, 0, 0, 0, 0, 0x59, 0x40]
      let place = try #require(bytes.firstRange(of: hundred))
      bytes[place.lowerBound + 5] = 0x20
      try Data(bytes).write(to: URL(fileURLWithPath: directory["altered.mcap"]))
      let altered = try daemon.ctl("replay", directory["altered.mcap"])
      #expect(altered.end == .exited(1))
      #expect(altered.errors.contains("byte \(chunks[1].offset): the content of a chunk differs"), "\(altered.errors)")

      // Without the checksums of the chunk and of the data, as if it had been recorded so.
      let index = Int(chunks[1].offset) + 9 + 24
      bytes.replaceSubrange(index..<index + 4, with: [0, 0, 0, 0])
      let summary = bytes.suffix(37).dropFirst(9).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(summary - 4..<summary, with: [0, 0, 0, 0])
      try Data(bytes).write(to: URL(fileURLWithPath: directory["changed.mcap"]))
      let run = try daemon.ctl("replay", directory["changed.mcap"])
      #expect(run.end == .exited(1))
      #expect(run.output.contains("frame 1"), "\(run.output) \(run.errors)")
    }

    // Clauses: S11.30
    @Test(
      .fault(
        .processes, "motiond is killed while it records", by: "SIGKILL",
        promise: "the recording replays up to its last chunk, which is at most a second old"))
    func `a recording of a motiond that was killed replays up to its last chunk`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
      let client = try daemon.connect()
      try client.add(.anchoredSpring("rotation", 2, .physical(tension: 100, friction: 0)), to: "arm")
      let frames = try awaitFact("a second is recorded") {
        let frame = try client.status().frame.number
        return frame > 150 ? frame : nil
      }
      daemon.process.send(SIGKILL)
      try daemon.process.awaitEnd()

      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: directory["show.mcap"])))
      #expect(try Self.chunks(bytes).count > 1)
      for lost in [0, 20] {
        try Data(bytes.dropLast(lost)).write(to: URL(fileURLWithPath: directory["cut.mcap"]))
        let report = try daemon.ctl("replay", directory["cut.mcap"], "--json").json()
        #expect(report["identical"].flag && !report["complete"].flag)
        #expect(report["frames"].number > Double(frames) - 150)
      }
      let text = try daemon.ctl("replay", directory["show.mcap"]).output
      #expect(text.contains("the recording has no end"), "\(text)")
    }

    // Clauses: S11.30
    @Test(.enabled(if: Peer.isInstalled, "PyPI mcap is not installed: make test installs it"))
    func `a recording opens in a reader that is not ours, with its times`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 50]), to: "ball")
      try client.awaitIdle()
      let frames = try client.status().frame.number
      #expect(try daemon.terminate() == .exited(0))
      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: directory["show.mcap"])))
      let lines = try Peer.run("decode", bytes)
      #expect(lines.first?["type"] as? String == "motion.v1.RecordingHeader")
      let decoded = lines.dropFirst()
      #expect(decoded.count == Int(frames))
      var last = 0.0
      for line in decoded {
        let content = try #require(line["content"] as? [String: Any])
        #expect(line["topic"] as? String == "motiond/frames")
        #expect(content["wallTime"] as? String == "\(line["log"] ?? "")")
        let boot = try #require((content["bootTime"] as? String).flatMap(Double.init))
        #expect(boot >= last)
        last = boot
      }
      let first = try #require(decoded.first?["content"] as? [String: Any])
      #expect("\(first)".contains("SpringTo"))
    }

    private static func chunks(_ bytes: [UInt8]) throws -> [MCAPChunk] {
      try MCAPIndex(size: UInt64(bytes.count)) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }.chunks
    }
  }
}
