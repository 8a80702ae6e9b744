import Foundation
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// The differences between two recordings.
  @Suite struct DiffTests {
    /// Records frames that are stepped while time is paused.
    ///
    /// - Returns: a program that compares recordings in the same directory.
    @discardableResult
    private func record(
      _ name: String, in directory: TestDirectory, rate: Double = 120, arguments: [String] = ["--journal", "none"],
      _ steps: (MotionClient) throws -> Void
    ) throws -> Ctl {
      let daemon = try Daemon(rate: rate, in: directory, arguments: arguments + ["--record", directory[name]])
      let client = try daemon.connect()
      try client.clock(.pause)
      try steps(client)
      #expect(try daemon.terminate() == .exited(0))
      return daemon.ctl
    }

    private static let spring = Intention.springTo("x", 100, .physical(tension: 200, friction: 20))

    // Clauses: S11.32
    @Test func `recordings of the same motion are the same, and a later end counts as standing still`() throws {
      let directory = try TestDirectory()
      for (name, frames) in [("a", 400), ("b", 430)] {
        try record(name, in: directory) { client in
          try client.add(Self.spring, .springTo("position", [3, 4]), to: "ball")
          try client.clock(.step(UInt64(frames)))
        }
      }
      let ctl = try record("c", in: directory) { client in
        try client.add(Self.spring, .springTo("position", [3, 4]), to: "ball")
        try client.clock(.step(20))
      }
      let same = try ctl("diff", directory["a"], directory["b"])
      #expect(same.end == .exited(0) && same.output.contains("the same motion"), "\(same.output)")
      #expect(same.output.contains("30 frames are only in"))
      // The third ends in full motion.
      let shorter = try ctl("diff", directory["a"], directory["c"], "--json").json()
      #expect(!shorter["same"].flag && shorter["firstDifference"].count == 21)
      #expect(shorter["properties"].elements.count == 2 && shorter["onlyInFirst"].elements.isEmpty)
    }

    // Clauses: S11.32
    @Test func `a changed spring is found with its first frame, the largest differences, and its plan`() throws {
      let directory = try TestDirectory()
      try record("a", in: directory) { client in
        try client.add(Self.spring, to: "ball")
        try client.add(.springTo("y", 1), to: "lamp")
        try client.clock(.step(10))
        try client.add(.springTo("x", 50), to: "ball")
        try client.clock(.step(200))
      }
      let ctl = try record("b", in: directory) { client in
        try client.add(Self.spring, to: "ball")
        try client.add(.springTo("y", 1), to: "lamp")
        try client.clock(.step(10))
        try client.add(.springTo("x", Lanes(50 + 1e-6)), named: "other", to: "ball")
        try client.add(.springTo("z", 1), to: "ball")
        try client.clock(.step(200))
      }
      let run = try ctl("diff", directory["a"], directory["b"], "--svg", directory["picture.svg"])
      #expect(run.end == .exited(1) && run.output.contains("frame 11 is the first that differs"), "\(run.output)")
      #expect(run.output.contains("ball: SpringTo --name other property=x destination=50.000001"), "\(run.output)")
      #expect(directory.text(of: "picture.svg").contains("first difference"))
      let report = try ctl("diff", directory["a"], directory["b"], "--json").json()
      let properties = report["properties"].elements
      #expect(properties.map { $0["property"].text } == ["ball/x", "ball/z"])
      #expect(properties[1]["missing"].flag && properties[1]["frame"].count == 11)
      let largest = properties[0]["value"]["difference"].number
      #expect((1e-6...1.5e-6).contains(largest), "\(largest)")
      #expect(report["onlyInFirst"].elements.count == 1 && report["onlyInSecond"].elements.count == 2)
      // A tolerance concerns values and velocities; the plans still differ.
      let tolerant = try ctl("diff", directory["a"], directory["b"], "--tolerance", "1e-5", "--json").json()
      #expect(tolerant["properties"].elements.map { $0["property"].text } == ["ball/z"])
    }

    // Clauses: S11.32
    @Test func `recordings that cannot be compared are refused with the reason`() throws {
      let directory = try TestDirectory()
      func step(_ client: MotionClient) throws {
        try client.add(Self.spring, to: "ball")
        try client.clock(.step(5))
      }
      try record("a", in: directory, step)
      try record("slow", in: directory, rate: 60, step)
      try record("first", in: directory, arguments: [], step)
      let ctl = try record("later", in: directory, arguments: [], step)
      try directory.write("nothing", to: "text")
      for (first, second, reason) in [
        ("a", "slow", "120 frames per second, and"), ("first", "later", "no frame in common"),
        ("a", "text", "not a recording"), ("gone", "a", "No such file"),
      ] {
        let run = try ctl("diff", directory[first], directory[second])
        #expect(run.end == .exited(2) && run.errors.contains(reason), "\(run.errors)")
      }
      #expect(try ctl("diff", directory["a"], directory["a"], "--tolerance", "-1").end == .exited(2))
    }

    // Clauses: S11.32
    @Test func `the example tests a show in CI, and draws what a changed spring does`() throws {
      let directory = try TestDirectory()
      func show(tension: Int) throws {
        try directory.write(
          #"{"transaction": [{"add": {"type": "SpringTo", "property": "x", "destination": 100, "tension": \#(tension)}, "#
            + #""to": "ball"}]}"#, to: "show.json")
      }
      func test() throws -> (end: ChildProcess.End, output: String) {
        let output = directory["output-\(UUID().uuidString)"]
        let test = try ChildProcess(
          "/bin/bash",
          [Programs.source("examples/motion-test.sh"), directory["show.json"], directory["golden.mcap"], "120"],
          environment: ["PATH": "\(Programs.directory):/usr/bin:/bin", "TMPDIR": directory.path], output: output,
          errors: output)
        return (try test.awaitEnd(within: .seconds(30)), try String(contentsOfFile: output, encoding: .utf8))
      }
      try show(tension: 200)
      #expect(try test().end == .exited(0))
      let again = try test()
      #expect(again.end == .exited(0) && again.output.contains("the same motion"), "\(again)")
      try show(tension: 210)
      let changed = try test()
      #expect(changed.end == .exited(1) && changed.output.contains("is the first that differs"), "\(changed)")
      #expect(directory.text(of: "golden.mcap.svg").hasPrefix("<svg"))
      #expect(FileManager.default.fileExists(atPath: directory["golden.mcap.new"]))
    }
  }
}
