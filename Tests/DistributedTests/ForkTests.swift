import Foundation
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// What would have happened, by a recording.
  @Suite struct ForkTests {
    // Clauses: S11.33, S11.34
    @Test func `a fork leaves out a transaction and adds a file, with tweens as in production`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon([.tween(), .osc()], in: directory, arguments: ["--record", directory["show.mcap"]])
      let client = try daemon.connect()
      try client.add(.tween("x", to: 5, duration: .milliseconds(50)), to: "warm")
      _ = try client.awaitReady("tween")
      try client.awaitIdle(within: .seconds(20))
      let before = try client.status().frame.number
      try client.add(.tween("x", to: 300, duration: .seconds(1)), to: "ball")
      try awaitTruth("the tween moves") {
        try client.state(of: "x", of: "ball").map { $0.state.value[0] > 100 } ?? false
      }
      let spring = try client.add(.springTo("x", -50), to: "ball").sequence
      try client.add(.springTo("y", 1), to: "lamp")
      try client.awaitIdle(within: .seconds(20))
      #expect(try daemon.terminate() == .exited(0))
      try directory.write(
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "z", "destination": 9}, "to": "new"}]}"#,
        to: "with.json")
      let run = try daemon.ctl(
        "fork", directory["show.mcap"], "--frame", "\(before)", "--without", "\(spring)", "--with",
        directory["with.json"], "--svg", directory["fork.svg"], "--json")
      #expect(run.end == .exited(0), "\(run.errors)")
      let report = try run.json()
      #expect(report["frame"].count == before && report["atRest"].flag)
      var ends: [String: (was: Double, wouldBe: Double)] = [:]
      for row in report["properties"].elements {
        func value(_ side: String) -> Double { row[side]["value"].elements.first?.number ?? row[side]["value"].number }
        ends[row["property"].text] = (value("was"), value("wouldBe"))
      }
      #expect(ends["ball/x"]?.was == -50 && ends["ball/x"]?.wouldBe == 300, "\(run.output)")
      #expect(ends["new/z"]?.wouldBe == 9 && ends["lamp/y"] == nil, "\(run.output)")
      #expect(directory.text(of: "fork.svg").hasPrefix("<svg"))

      for (arguments, code, reason) in [
        (["--at", "12:99"], 2, "write a moment"), (["--at", "1s", "--frame", "3"], 2, "name one moment"),
        (["--frame", "\(UInt32.max)"], 1, "does not contain frame"),
        (["--at", "1970-01-02T00:00:00"], 1, "does not contain"),
        (["--at", "-0.1s", "--without", "999"], 1, "contains no transaction 999"),
        (["--at", "-0.1s", "--with", directory["gone.json"]], 1, "gone.json"),
      ] {
        let run = try daemon.ctl.start(["fork", directory["show.mcap"]] + arguments).finish()
        #expect(run.end == .exited(Int32(code)) && run.errors.contains(reason), "\(arguments): \(run.errors)")
      }
    }
  }
}
