import Faults
import Foundation
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// Recordings that begin in the midst of a run.
  @Suite struct RecordingFromNowTests {
    // Clauses: S11.38
    @Test func `a recording that begins while everything moves replays to the same hashes`() throws {
      let directory = try TestDirectory()
      for plugin in [try PluginFolder.tween(), try .gestures(), try .unruly()] { try plugin.write(to: directory) }
      let daemon = try Daemon(in: directory)
      let client = try daemon.connect()
      try client.add(.tween("opacity", to: 0, duration: .seconds(2)), Intention("Draggable"), to: "a")
      try client.add(.unruly(to: 5, duration: .seconds(4)), named: "rise", to: "b")
      try client.add(.anchoredSpring("rotation", 2, .physical(tension: 100, friction: 0)), named: "turn", to: "arm")
      try client.add(.springTo("position", [30, 30]), to: "a")
      let worker = try client.awaitReady("unruly")
      _ = try client.awaitReady("tween")
      try awaitTruth("it moves") { try client.status().frame.number > 20 }
      var run = try daemon.ctl("record", "start", directory["show.mcap"])
      #expect(run.end == .exited(0), "\(run.errors)")
      #expect(try client.status().recording?.path == directory["show.mcap"])
      #expect(try daemon.ctl("record", "status").output.contains("Recording to"))
      let refused = try daemon.ctl("record", "start", directory["other.mcap"])
      #expect(refused.end == .exited(4) && refused.errors.contains("records to"), "\(refused.errors)")
      kill(worker.processID, SIGKILL)
      _ = try client.awaitReady("gesture")
      try Touch(client: client, target: "a").play()
      _ = try client.awaitReady("unruly", after: worker.incarnation)
      let frame = try client.status().frame.number
      try awaitTruth("it moves on") { try client.status().frame.number > frame + 60 }
      run = try daemon.ctl("record", "stop")
      #expect(run.end == .exited(0) && run.output.contains(directory["show.mcap"]), "\(run.errors)")
      #expect(try client.status().recording == nil)
      #expect(try daemon.ctl("record", "stop").end == .exited(4))
      try expectIdentical(directory["show.mcap"], daemon, frames: 60)

      // A second one begins later, keeps the first, and is killed with the daemon.
      #expect(try daemon.ctl("record", "start", directory["show.mcap"]).end == .exited(0))
      let second = try client.status().frame.number
      try awaitTruth("it moves on") { try client.status().frame.number > second + 300 }
      daemon.process.kill()
      try expectIdentical(directory["show.mcap.1"], daemon, frames: 60)
      try expectIdentical(directory["show.mcap"], daemon, frames: 100)
    }

    private func expectIdentical(_ file: String, _ daemon: Daemon, frames: Double) throws {
      let run = try daemon.ctl("replay", file, "--json")
      #expect(run.end == .exited(0), "\(run.errors) \(run.output)")
      let report = try run.json()
      #expect(report["identical"].flag && report["frames"].number > frames, "\(run.output)")
    }

    // Clauses: S11.38
    @Test func `a file that cannot be recorded to is refused with the reason`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory)
      try directory.write("not a recording", to: "text.txt")
      for file in [directory["text.txt"], directory["no/such/folder.mcap"], directory[""]] {
        let run = try daemon.ctl("record", "start", file)
        #expect(run.end == .exited(4) && run.errors.contains("record to"), "\(file): \(run.errors)")
      }
      #expect(try daemon.ctl("record", "status", "--json").json()["recording"].flag == false)
      #expect(try daemon.ctl("record", "stop").errors.contains("records nothing"))
      // One that has ended by itself is told, too.
      let client = try daemon.connect()
      try client.add(.anchoredSpring("x", 1, .physical(tension: 1, friction: 0)), to: "ball")
      #expect(try daemon.ctl("record", "start", "/dev/full").end == .exited(0))
      try awaitTruth("it has ended") { try client.status().recording?.problem.isEmpty == false }
      let stop = try daemon.ctl("record", "stop")
      #expect(stop.end == .exited(4) && stop.errors.contains("No space left on device"), "\(stop.errors)")
    }
  }
}
