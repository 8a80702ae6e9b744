import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing

extension TimedTests {
  /// The show of the examples. A drawing of its last seconds waits for a processor, so nothing runs beside it.
  @Suite(.enabled(if: LampReceiver.isPossible, "it needs a network namespace, which only root makes"))
  struct ShowTests {
    // Clauses: S22.3, S23.3, S24.1, S25.2
    @Test func `the show of the examples runs, up to the lamps, and draws itself`() throws {
      let network = try Namespace()
      let receiver = try LampReceiver("sacn", of: 1, in: network)
      let daemon = try Daemon([.dmx(), .tween()])
      let patch = try String(contentsOfFile: Programs.source("examples/show/rig.patch"), encoding: .utf8)
      try daemon.directory.write(
        patch.replacing("universe 1 sacn", with: "universe 1 sacn via=\(network.host)"), to: "show.patch")
      let setup = try ChildProcess(
        "/bin/bash", [Programs.source("examples/show/setup.sh"), daemon.directory["show.patch"]],
        environment: [
          "PATH": "\(Programs.directory):/usr/bin:/bin", "MOTIOND_RUNTIME_DIR": daemon.paths.directory,
        ], output: daemon.directory["setup"], errors: daemon.directory["setup"])
      #expect(try setup.awaitEnd() == .exited(0), "\(daemon.directory.text(of: "setup"))")
      func levels(_ first: Int, by step: Int = 1, _ count: Int) throws -> [UInt8] {
        let levels = try receiver.levels(of: 1) ?? []
        return levels.count == 512 ? (0..<count).map { levels[first - 1 + step * $0] } : []
      }
      func go(_ cue: String) throws {
        let run = try daemon.ctl("cue", "go")
        #expect(run.output.contains("main: cue \(cue)"), "\(run.errors)\(run.output)")
      }
      try awaitTruth("the dark") { try levels(1, by: 4, 12) == Array(repeating: 0, count: 12) }
      try go("doors")
      try awaitTruth("night") { try levels(1, by: 4, 12) == Array(repeating: 38, count: 12) }
      try go("speech")
      let dusk = [77, 102, 128, 153, 179, 204] + Array(repeating: 26, count: 6)
      try awaitTruth("dusk") {
        // Halves may be rounded down.
        try zip(levels(1, by: 4, 12), dusk).count { abs(Int($0) - $1) <= 1 } == 12
      }
      #expect(try levels(2, 3) == [255, 140, 51], "warm")
      try awaitTruth("the head has turned") { try levels(101, 4) == [99, 142, 170, 170] }
      try go("dance")
      let client = try daemon.connect()
      try awaitTruth("the chase") { try client.intentions().count { $0.intention.type == "Wave" } == 14 }
      try go("flash")
      // It lasts 0.3 s, and whoever looks may be late.
      try awaitTruth("the flash") {
        try receiver.changes(of: 1).contains { change in (0..<12).allSatisfy { change.levels[4 * $0] == 255 } }
      }
      try awaitTruth("and the chase again") { try Set(levels(1, by: 4, 12)).count > 5 }
      try go("end")
      try awaitTruth("night again") { try levels(1, by: 4, 12) == Array(repeating: 38, count: 12) }
      let drawing = try daemon.ctl(
        "draw", "lamp1/level", "head/pan", "--last", "20s", "--svg", daemon.directory["show.svg"],
        "--timeout", "30s")
      #expect(
        drawing.end == .exited(0) && daemon.directory.text(of: "show.svg").contains("head/pan"), "\(drawing.errors)")
    }
  }
}
