import Foundation
import MCAP
import MCAPPeer
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// Recordings with the values of properties, in readers that are not ours.
  @Suite struct ExportTests {
    /// Records a spring that is displaced, a tween in a worker and a stop.
    ///
    /// - Returns: the daemon that has ended, and the states that a subscriber received with their frames.
    private func record(in directory: TestDirectory) throws -> (daemon: Daemon, states: [String: PropertyState]) {
      try PluginFolder.tween().write(to: directory)
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      try client.add(.springTo("position", [100, 50]), to: "ball")
      try client.add(.tween("opacity", to: 0.25, duration: .milliseconds(200)), named: "a \"fade\", slowly", to: "ball")
      try client.awaitIdle(within: .seconds(20))
      try client.add(.springTo("position", [0, 0]), to: "ball")
      try client.awaitIdle()
      try client.stop(["ball"])
      try client.add(.springTo("level", 1), to: "lamp")
      try client.awaitIdle()
      try watcher.listenUntilIdle(client)
      var states: [String: PropertyState] = [:]
      for frame in watcher.frames {
        for change in frame.properties { states["\(frame.frame) \(change.reference)"] = change.state }
      }
      #expect(try daemon.terminate() == .exited(0))
      return (daemon, states)
    }

    // Clauses: S11.31
    @Test(.enabled(if: Peer.isInstalled, "PyPI mcap is not installed: make test installs it"))
    func `exported values are those of the run, and open in a reader that is not ours`() throws {
      let directory = try TestDirectory()
      let (daemon, states) = try record(in: directory)
      let run = try daemon.ctl("export", directory["show.mcap"], directory["values.mcap"], "--values")
      #expect(run.end == .exited(0), "\(run.errors)")
      let file = try Array(Data(contentsOf: URL(fileURLWithPath: directory["values.mcap"])))
      let lines = try Peer.run("decode", file)
      func contents(_ topic: String) -> [[String: Any]] {
        lines.filter { $0["topic"] as? String == topic }.compactMap { $0["content"] as? [String: Any] }
      }
      func numbers(_ texts: Any?) -> [Double]? { (texts as? [String])?.compactMap { Double($0) } }
      var compared = 0
      for property in ["position", "opacity"] {
        for sample in contents("values/ball/\(property)") {
          let frame = try #require(sample["frame"] as? String)
          guard let state = states["\(frame) ball/\(property)"] else { continue }
          #expect(numbers(sample["value"]) == state.value.array, "frame \(frame)")
          #expect(numbers(sample["velocity"]) == state.velocity.array, "frame \(frame)")
          compared += 1
        }
      }
      #expect(compared > 30)
      #expect(numbers(contents("values/lamp/level").last?["value"]) == [1])
      let drivers = contents("motiond/drivers").compactMap { $0["driver"] as? String }
      #expect(drivers.contains { $0.hasPrefix("SpringTo ") })
      #expect(drivers.contains { $0.hasPrefix("Tween ") && $0.hasSuffix("named a \"fade\", slowly") })
      let events = contents("motiond/events").compactMap { $0["text"] as? String }
      #expect(
        events.contains { $0.contains("add SpringTo") && $0.contains(" by ") && $0.contains("(user ") }, "\(events)")
      #expect(events.contains { $0.hasPrefix("stop of ball by ") && $0.contains("(user ") }, "\(events)")
      #expect(events.contains { $0.contains("tween") && $0.hasSuffix("is ready") })

      // The file is still a recording.
      let replay = try daemon.ctl("replay", directory["values.mcap"], "--json").json()
      #expect(replay["identical"].flag && replay["complete"].flag)
    }

    // Clauses: S11.31
    @Test func `a table of values has each property at the given rate, and its state of rest`() throws {
      let directory = try TestDirectory()
      let (daemon, _) = try record(in: directory)
      let run = try daemon.ctl(
        "export", directory["show.mcap"], "-", "--csv", "--rate", "10", "--target", "ball/opacity", "--target", "lamp",
        "--target", "nix")
      #expect(run.end == .exited(0) && run.errors.contains("note: the recording has no values of nix"), "\(run.errors)")
      #expect(!run.errors.contains("no values of lamp"), "\(run.errors)")
      let rows = run.output.split(separator: "\n").dropFirst().map {
        $0.split(separator: ",", maxSplits: 13, omittingEmptySubsequences: false)
      }
      #expect(run.output.hasPrefix("frame,time,wall_time,target,property,value_1,value_2,value_3,value_4,velocity_1,"))
      #expect(Set(rows.map { "\($0[3])/\($0[4])" }) == ["ball/opacity", "lamp/level"])
      let periods = rows.filter { $0[3] == "ball" }.compactMap { Double($0[1]) }
      // Two samples in a period are one that was due and one at rest.
      #expect(periods.count >= 3 && periods.count <= Int(((periods.last ?? 0) - periods[0]) * 10) + 3)
      let rest = try #require(rows.last { $0[3] == "ball" })
      #expect(rest[5] == "0.25" && rest[9] == "0.0")
      #expect(rows.contains { $0[13].hasSuffix("named a \"\"fade\"\", slowly\"") })
    }

    // Clauses: S11.31
    @Test func `an export refuses to write over its recording, and a damaged one is exported up to there`() throws {
      let directory = try TestDirectory()
      let (daemon, _) = try record(in: directory)
      var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: directory["show.mcap"])))
      let same = try daemon.ctl("export", directory["show.mcap"], directory["show.mcap"], "--values")
      #expect(same.end == .exited(2) && same.errors.contains("is the recording itself"), "\(same.errors)")
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: directory["show.mcap"]))) == bytes)
      try directory.write("kept", to: "old")
      for place in [directory["nothing"], directory["old"]] {
        let unreadable = try daemon.ctl("export", place, directory["old"] + (place == directory["old"] ? "2" : ""))
        #expect(unreadable.end == .exited(1), "\(unreadable.errors)")
      }
      #expect(try String(contentsOfFile: directory["old"], encoding: .utf8) == "kept")
      #expect(!FileManager.default.fileExists(atPath: directory["old2"]))
      let index = try MCAPIndex(size: UInt64(bytes.count)) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
      let last = try #require(index.chunks.max { $0.offset < $1.offset })
      bytes[Int(last.offset + last.length) - 1] ^= 1
      try Data(bytes).write(to: URL(fileURLWithPath: directory["damaged.mcap"]))
      let run = try daemon.ctl("export", directory["damaged.mcap"], directory["part.mcap"], "--values")
      #expect(run.end == .exited(1) && run.errors.contains("byte \(last.offset)"), "\(run.errors)")
      let part = try daemon.ctl("replay", directory["part.mcap"], "--json").json()
      #expect(part["identical"].flag && part["complete"].flag && part["frames"].number > 0)
    }

    // Clauses: S11.31
    @Test func `the export of a run that continued another begins with the state and drivers of before`() throws {
      let directory = try TestDirectory()
      let first = try Daemon(in: directory)
      let client = try first.connect()
      try client.add(.springTo("level", 1), to: "lamp")
      try client.add(.anchoredSpring("rotation", 2, .physical(tension: 100, friction: 0)), named: "turn", to: "arm")
      try awaitTruth("the lamp is lit") { try client.state(of: "level", of: "lamp")?.state.value == 1 }
      #expect(try first.terminate() == .exited(0))
      let daemon = try Daemon(in: directory, arguments: ["--record", directory["show.mcap"]])
      let second = try daemon.connect()
      let begun = try second.status().frame.number
      try awaitTruth("it continues") { try second.status().frame.number > begun + 10 }
      #expect(try daemon.terminate() == .exited(0))
      let run = try daemon.ctl("export", directory["show.mcap"], "-", "--csv", "--rate", "1000")
      #expect(run.end == .exited(0), "\(run.errors)")
      let rows = run.output.split(separator: "\n").dropFirst().map {
        $0.split(separator: ",", maxSplits: 13, omittingEmptySubsequences: false)
      }
      let lamp = try #require(rows.first { $0[3] == "lamp" })
      #expect(lamp[0] == rows[0][0] && lamp[5] == "1.0" && lamp[9] == "0.0")
      let arm = try #require(rows.first { $0[3] == "arm" })
      #expect(arm[13].hasPrefix("AnchoredSpring ") && arm[13].hasSuffix(" named turn"), "\(arm[13])")
    }

    /// Made by the motiond of before.
    // Clauses: S11.30, S11.31
    @Test func `a recording of format 1 is replayed, and converted by an export`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory)
      let old = Programs.source("Tests/DistributedTests/Recordings/format-1.motion")
      // The frames of a later version may have other hashes.
      let report = try daemon.ctl("replay", old, "--json").json()
      #expect(report["frames"].count == 120 && report["complete"].flag)
      _ = try daemon.ctl("export", old, directory["new.mcap"])
      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: directory["new.mcap"])))
      #expect(bytes.prefix(8) == [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A])
      let converted = try daemon.ctl("replay", directory["new.mcap"], "--json").json()
      #expect(converted["frames"].count == 120 && converted["complete"].flag)
      #expect(converted["hash"].text == report["hash"].text)
    }
  }
}
