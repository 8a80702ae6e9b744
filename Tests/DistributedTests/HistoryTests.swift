import Faults
import Foundation
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// Looking back into the last minutes of a daemon, over its kill and with clients that commit meanwhile.
  @Suite struct HistoryTests {
    private struct Answers {
      let daemon: Daemon
      private(set) var kept: [(frame: UInt64, text: String)] = []

      init(_ daemon: Daemon) { self.daemon = daemon }

      /// The present of a property, with its frame.
      mutating func keep() throws {
        let run = try daemon.ctl("why", "ball.x", "--json")
        #expect(run.end == .exited(0), "\(run.errors)")
        kept.append((try run.json()["frame"].count, try Self.text(of: run.json())))
      }

      /// The history has the same answers, after the same frames.
      func compare(_ arguments: String..., by daemon: Daemon) throws {
        for (frame, text) in kept {
          let run = try daemon.ctl.start(
            ["why", "ball.x", "--json", "--frame", "\(frame)"] + arguments
          ).finish()
          #expect(run.end == .exited(0), "\(run.errors)")
          try #expect(Self.text(of: run.json()) == text, "frame \(frame)")
        }
      }

      private static func text(of answer: JSON) throws -> String {
        var members = answer.value as? [String: Any] ?? [:]
        // The wall time of the daemon is that of the answer.
        members["wallTime"] = nil
        return String(
          decoding: try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys]),
          as: UTF8.self)
      }
    }

    // Clauses: S11.40, S11.43, S11.44
    @Test
    func `the last minutes have the answers that the daemon gave, and are written as a recording`()
      throws
    {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--history", "10min"])
      let client = try daemon.connect()
      try client.add(.anchoredSpring("x", 2, .physical(tension: 100, friction: 0)), to: "ball")
      var answers = Answers(daemon)
      for count in 1...5 {
        let frame = try client.status().frame.number
        try awaitTruth("it moves on") { try client.status().frame.number > frame + 30 }
        try answers.keep()
        if count == 3 { try client.add(.springTo("y", 100), to: "ball") }
      }
      try answers.compare(by: daemon)
      let events = try daemon.ctl("list", "events", "--last", "5min")
      #expect(
        events.end == .exited(0) && events.output.contains("add SpringTo"),
        "\(events.output) \(events.errors)")
      #expect(events.output.contains("by test (user "), "\(events.output)")
      let last = try #require(answers.kept.last)
      let list = try daemon.ctl("list", "properties", "--frame", "\(last.frame)", "--json")
      #expect(list.end == .exited(0) && list.output.contains("\"ball\""), "\(list.errors)")
      for command in [
        ["draw", "ball", "--last", "1s"], ["replay", "--last", "1s"],
        ["fork", "--at", "-0.5s", "--until", "1"],
      ] {
        let run = try daemon.ctl.start(command).finish()
        #expect(run.end == .exited(0), "\(command): \(run.errors)")
      }

      let file = directory["saved.mcap"]
      let saved = try daemon.ctl("record", "--last", "5min", file)
      #expect(saved.end == .exited(0) && saved.output.contains("Recorded"), "\(saved.errors)")
      var status = stat()
      #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
      #expect(try daemon.ctl("replay", file, "--json").json()["complete"].flag)
      try answers.compare("--recording", file, by: daemon)
      #expect(try daemon.terminate() == .exited(0))
      try answers.compare("--recording", file, by: daemon)
    }

    // Clauses: S11.40, S11.43
    @Test(arguments: [1, 3]) func `the last minutes reach over kills in quick succession`(kills: Int) throws {
      let directory = try TestDirectory()
      let daemon = try Daemon(in: directory, arguments: ["--history", "10min"])
      let client = try daemon.connect()
      try client.add(.anchoredSpring("x", 2, .physical(tension: 100, friction: 0)), to: "ball")
      var answers = Answers(daemon)
      for _ in 1...3 {
        let frame = try client.status().frame.number
        try awaitTruth("it moves on") { try client.status().frame.number > frame + 60 }
        try answers.keep()
      }
      daemon.process.kill()
      _ = try daemon.process.awaitEnd()
      for _ in 1..<kills {
        let short = try Daemon(in: directory, arguments: ["--history", "10min"])
        let frame = try short.connect().status().frame.number
        try awaitTruth("it moves on") { try short.connect().status().frame.number > frame + 12 }
        short.process.kill()
        _ = try short.process.awaitEnd()
      }
      let second = try Daemon(in: directory, arguments: ["--history", "10min"])
      let frame = try second.connect().status().frame.number
      try awaitTruth("it moves on") { try second.connect().status().frame.number > frame + 60 }
      try answers.compare(by: second)
      let file = directory["saved.mcap"]
      #expect(try second.ctl("record", "--last", "5min", file).end == .exited(0))
      try answers.compare("--recording", file, by: second)
    }

    // Clauses: S11.42, S11.45
    @Test func `at rest the state holds until now, and what was erased is gone`() throws {
      let daemon = try Daemon(arguments: ["--history", "10min"])
      let client = try daemon.connect()
      try client.add(.springTo("x", 100), to: "ball")
      try client.awaitIdle()
      let frame = try client.status().frame.number
      let rest = try daemon.ctl(
        "list", "properties", "--at", "\(try client.status().clock.time)s", "--json")
      #expect(rest.end == .exited(0) && rest.output.contains("100"), "\(rest.errors)")
      let erased = try daemon.ctl("forget", "--history")
      #expect(
        erased.end == .exited(0) && erased.output.contains("Erased the history"), "\(erased.errors)"
      )
      #expect(try daemon.ctl("list", "properties", "--frame", "\(frame / 2)").end == .exited(1))
      try client.add(.springTo("x", 0), to: "ball")
      try client.awaitIdle()
      #expect(try daemon.ctl("list", "properties", "--at", "-0s").end == .exited(0))
      try daemon.directory.write("at -0s\nforget --history\nat\nhelp at\n", to: "script")
      let shell = try daemon.ctl("shell", daemon.directory["script"])
      #expect(shell.output.contains("at the present of the daemon") && shell.output.contains("help COMMAND"))
    }

    // Clauses: S11.42, S11.50
    @Test func `what a stop has left at rest is in the history and in recordings at once`() throws {
      let daemon = try Daemon(arguments: ["--history", "10min"])
      let client = try daemon.connect()
      try client.add(.anchoredSpring("x", 2, .physical(tension: 100, friction: 0)), to: "ball")
      try awaitTruth("it moves") { try client.status().frame.number > 30 }
      let file = daemon.directory["file.mcap"]
      #expect(try daemon.ctl("record", "start", file).end == .exited(0))
      try client.stop()
      try awaitTruth("the past is that of the stop") {
        let past = try daemon.ctl("why", "ball.x", "--at", "\(try client.status().clock.time)s")
        return past.output.contains("Nothing drives it. It stands.")
      }
      #expect(try daemon.ctl("record", "stop").end == .exited(0))
      let saved = daemon.directory["saved.mcap"]
      #expect(try daemon.ctl("record", "--last", "5min", saved).end == .exited(0))
      for source in [["--last", "5min"], ["--recording", file], ["--recording", saved]] {
        let events = try daemon.ctl.start(["list", "events"] + source).finish()
        #expect(events.output.contains("stop"), "\(source): \(events.output) \(events.errors)")
      }
    }

    // Clauses: S11.41
    @Test func `a fork in the midst of motion differs only in what was changed`() throws {
      let daemon = try Daemon(arguments: ["--history", "10min"])
      let client = try daemon.connect()
      try client.add(.springTo("x", 50, .physical(tension: 4, friction: 1)), to: "mover")
      try client.add(.springTo("z", 5), to: "lonely")
      try awaitTruth("they move") { try client.status().frame.number > 60 }
      try daemon.directory.write(
        #"{"transaction": [{"add": {"type": "SpringTo", "property": "z", "destination": 9}, "to": "lonely"}]}"#,
        to: "other.json")
      let fork = try daemon.ctl("fork", "--at", "-0.2s", "--with", daemon.directory["other.json"], "--json")
      #expect(fork.end == .exited(0), "\(fork.errors)")
      #expect(try fork.json()["properties"].elements.map(\.["property"].text) == ["lonely/z"], "\(fork.output)")
      #expect(
        try daemon.ctl("fork", "--at", "-0.2s", "--until", "rest").output.contains("nothing would have moved otherwise")
      )
    }

    // Clauses: S11.42, S11.51
    @Test func `a full disk costs history, answers state it, and it is kept again`() throws {
      let daemon = try Daemon(arguments: ["--history", "10min", "--journal", "none"])
      let client = try daemon.connect()
      try client.add(.anchoredSpring("x", 2, .physical(tension: 100, friction: 0)), to: "ball")
      try awaitTruth("it moves") { try client.status().frame.number > 60 }
      try daemon.process.limit("fsize=100:unlimited")
      try awaitTruth("it is noticed") { try client.status().history?.problem.isEmpty == false }
      let frame = try client.status().frame.number
      try awaitTruth("it moves on") { try client.status().frame.number > frame + 60 }
      let late = try daemon.ctl("why", "ball.x", "--at", "\(try client.status().clock.time)s")
      #expect(late.end == .exited(1) && late.errors.contains("is not kept"), "\(late.output) \(late.errors)")
      try daemon.process.limit("fsize=unlimited:unlimited")
      try awaitTruth("it is kept again") { try client.status().history?.problem.isEmpty == true }
      for wait in ["0.05", "0.2"] {
        let before = try client.status().frame.number
        try awaitTruth("it moves on") { try client.status().frame.number > before + 60 }
        let run = try daemon.ctl("why", "ball.x", "--at", "-\(wait)s")
        #expect(run.end == .exited(0) && !run.errors.contains("is not kept"), "\(run.errors)")
      }
    }

    // Clauses: S11.52
    @Test(
      .enabled(if: geteuid() == 0, "mounts are for root"),
      .fault(
        .storage, "The runtime directory has no room",
        by: "a tmpfs of 8 MiB, without room at the start, and full to the last byte in motion",
        promise: "motion continues; a log line names the state to which a kill goes back, until there is room and rest"
      ))
    func `a full runtime directory costs no frame, and the last frame is kept once there is room`() throws {
      let directory = try TestDirectory()
      try #require(mkdir(directory["run"], 0o700) == 0)
      let script = #"mount -t tmpfs -o size=8m,mode=0700 tmpfs "$0" && head -c 5m /dev/zero > "$0/filler" && exec "$@""#
      let daemon = try Daemon(
        in: directory, arguments: ["--history", "10min"],
        behind: ["/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-c", script, directory["run"]])
      try awaitLog(of: daemon, "would go back to the last checkpoint until nothing moves")
      let run = "/proc/\(daemon.process.processID)/root\(directory["run"])"
      let client = try MotionClient(connectingTo: [RuntimePaths(directory: run)], name: "test")
      try client.add(.anchoredSpring("x", 2, .physical(tension: 100, friction: 0)), named: "swing", to: "ball")
      try awaitTruth("it moves") { try client.status().frame.number > 60 }
      let rest = try #require(fopen("\(run)/rest", "w"))
      while fputs(String(repeating: "x", count: 1024), rest) >= 0, fflush(rest) == 0 {}
      fclose(rest)
      let full = try client.status().frame.number
      try awaitTruth("it moves on") { try client.status().frame.number > full + 60 }
      let status = try client.status()
      #expect(status.history?.continues == false && status.history?.problem == "", "\(status)")
      // A client that is new connects, and commits.
      try MotionClient(connectingTo: [RuntimePaths(directory: run)], name: "new").add(.springTo("y", 1), to: "ball")

      for filler in ["filler", "rest"] { #expect(unlink("\(run)/\(filler)") == 0) }
      // It is tried again every ten seconds, when nothing moves.
      try client.add(.anchoredSpring("x", 2), named: "swing", to: "ball")
      try awaitTruth("the last frame is kept") {
        try client.add(.springTo("y", Lanes(.random(in: 0...1))), to: "ball")
        try client.awaitIdle()
        return try client.status().history?.continues == true
      }
    }

    // Clauses: S11.43
    @Test func `a daemon that keeps no history is told how to keep one`() throws {
      let daemon = try Daemon(arguments: ["--history", "none"])
      let run = try daemon.ctl("why", "ball.x", "--at", "-1s")
      #expect(run.end == .exited(4) && run.errors.contains("--history 10min"), "\(run.errors)")
    }
  }
}
