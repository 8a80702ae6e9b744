import Foundation
import Glibc
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// Why a property has its value: from a daemon, and from a recording of it.
  @Suite struct WhyTests {
    /// The answers of a daemon, to compare them with those of its recording.
    private struct Answers {
      let daemon: Daemon
      private(set) var kept: [(property: String, answer: JSON)] = []

      init(_ daemon: Daemon) { self.daemon = daemon }

      func ask(_ property: String) throws -> JSON {
        let run = try daemon.ctl("why", property, "--json")
        #expect(run.end == .exited(0), "\(run.errors)")
        return try run.json()
      }

      mutating func keep(_ answer: JSON, of property: String) { kept.append((property, answer)) }

      /// The answer when it first satisfies a predicate.
      mutating func await(_ fact: String, of property: String, _ isTrue: (JSON) -> Bool) throws -> JSON {
        let answer = try awaitFact(fact) {
          let answer = try ask(property)
          return isTrue(answer) ? answer : nil
        }
        keep(answer, of: property)
        return answer
      }

      /// The recording has the same answers, after the same frames.
      func compare(with recording: String) throws {
        for (property, answer) in kept {
          let run = try daemon.ctl(
            "why", property, "--json", "--recording", recording, "--frame", "\(answer["frame"].count)")
          #expect(run.end == .exited(0), "\(run.errors)")
          let then = try run.json()
          // The wall time of the daemon is that of the answer. A worker may have started or ended since the frame: one that
          // began to serve has its plans, which it was owed at the frame.
          let hasBegun = answer["worker"]["serving"].flag && !then["worker"]["serving"].flag
          if hasBegun { #expect(answer["plan"]["state"].text == "added" && then["plan"]["state"].text == "owed") }
          #expect(Self.text(of: answer, withPlanOf: hasBegun ? then : answer) == Self.text(of: then, withPlanOf: then))
        }
      }

      /// What is compared of an answer, with the state of its plan from another one.
      private static func text(of answer: JSON, withPlanOf other: JSON) -> String {
        var members = answer.value as? [String: Any] ?? [:]
        members["wallTime"] = nil
        members["worker"] = nil
        if var plan = members["plan"] as? [String: Any] {
          plan["state"] = other["plan"]["state"].value
          members["plan"] = plan
        }
        let data = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
        return String(decoding: data ?? Data(), as: UTF8.self)
      }
    }

    // Clauses: S8.51, S11.35
    @Test func `a recording explains a property as the daemon did: hand-over, limit, death of a worker`() throws {
      let directory = try TestDirectory()
      let daemon = try Daemon([.tween()], in: directory, arguments: ["--record", directory["show.mcap"]])
      let client = try daemon.connect()
      var answers = Answers(daemon)
      func add(_ arguments: String...) throws {
        let run = try daemon.ctl.start(["add"] + arguments).finish()
        #expect(run.end == .exited(0), "\(run.errors)")
      }
      try add(
        "AnchoredSpring", "--to", "ball", "--named", "home", "property=x", "destination=10", "--comment", "the rest")
      var now = try answers.await("the spring drives", of: "ball.x") { $0["plan"]["type"].text == "AnchoredSpring" }
      #expect(now["plan"]["committed"]["comment"].text == "the rest" && now["former"].value is NSNull)
      #expect(now["plan"]["committed"]["client"]["user"].count == UInt64(geteuid()))

      // A hand-over: a tween in a worker over the spring.
      try add("Tween", "--to", "ball", "property=x", "to=200", "duration=60s", "--comment", "the cue")
      now = try answers.await("the tween moves it", of: "ball/x") {
        $0["worker"]["serving"].flag && $0["state"]["value"].elements.first?.number ?? 0 > 10.05
      }
      #expect(now["plan"]["committed"]["comment"].text == "the cue" && now["since"].number > 0)
      #expect(now["former"]["name"].text == "home" && now["former"]["end"].text == "displaced")
      #expect(now["former"]["committed"]["comment"].text == "the rest")
      #expect(now["waiting"].elements.map { $0["name"].text } == ["home"])
      #expect(now["worker"]["worker"].text == "tween.0")

      // A limit.
      #expect(try daemon.ctl("limit", "arm", "property=y", "velocity=1").end == .exited(0))
      try add("SpringTo", "--to", "arm", "property=y", "destination=30")
      now = try answers.await("the limit holds", of: "arm.y") { !$0["restraints"].elements.isEmpty }
      #expect(now["restraints"].elements.map(\.text) == ["velocity"])
      let text = try daemon.ctl("why", "arm.y").output
      #expect(text.contains("The limit of velocity holds it back (velocity=1): its driver demands"), "\(text)")

      // The worker dies, and the property catches up with the next one.
      let worker = try client.awaitReady("tween")
      kill(worker.processID, SIGKILL)
      now = try answers.await("no values arrive", of: "ball.x") { $0["lateness"]["kind"].text == "silent" }
      #expect(now["lateness"]["since"].number <= now["time"].number && now["state"]["late"].flag)
      now = try answers.await("they arrive again", of: "ball.x") { $0["lateness"]["kind"].text == "catchingUp" }
      #expect(now["fading"].number > 0 && now["worker"]["serving"].flag)
      #expect(now["plan"]["committed"]["comment"].text == "the cue")
      now = try answers.await("the difference has faded", of: "ball.x") { $0["lateness"].value is NSNull }
      #expect(now["fading"].value is NSNull)
      try client.stop(["ball"])
      now = try answers.await("it was stopped", of: "ball.x") { $0["plan"].value is NSNull }
      #expect(now["former"]["end"].text == "stopped" && now["former"]["type"].text == "Tween")
      #expect(now["former"]["stopper"]["process"].count == UInt64(getpid()))
      let stopped = try daemon.ctl("why", "ball.x").output
      for part in ["Nothing drives it. It stands.", "until it was stopped by"] {
        #expect(stopped.contains(part), "\(stopped)")
      }

      #expect(try daemon.terminate() == .exited(0))
      try answers.compare(with: directory["show.mcap"])

      // After a restart it is still known whose plan drives, and since when.
      let second = try Daemon([.tween()], in: directory, arguments: ["--record", directory["second.mcap"]])
      answers = Answers(second)
      now = try answers.await("it goes on", of: "arm.y") { $0["state"]["velocity"].elements.first?.number == 1 }
      #expect(now["plan"]["committed"]["client"]["user"].count == UInt64(geteuid()) && !(now["since"].value is NSNull))
      #expect(now["began"].number > 0 && now["restraints"].elements.map(\.text) == ["velocity"])
      #expect(try second.terminate() == .exited(0))
      try answers.compare(with: directory["second.mcap"])
    }

    // Clauses: S11.35, S11.36, S29.12
    @Test func `lists, graphs and curves are those of a moment, and a part of a recording is played and compared`()
      throws
    {
      let directory = try TestDirectory()
      let daemon = try Daemon(rate: 100, in: directory, arguments: ["--record", directory["show.mcap"]])
      let client = try daemon.connect()
      try client.clock(.pause)
      try client.add(.springTo("x", 100), to: "ball")
      try client.clock(.step(10))
      try awaitTruth("ten frames") { try client.status().frame.number == 10 }
      let origin = try client.status().frame.time - 0.1
      func at(_ time: Double) -> String { "\(origin + time)s" }
      func answers(_ arguments: [String] = []) throws -> [String] {
        try [
          ["list", "properties"], ["list", "intentions"], ["list", "targets"], ["graph", "ball"],
          ["describe", "SpringTo"],
        ]
        .map { command in
          let run = try daemon.ctl.start(
            command + ["--json"] + (command[0] == "describe" ? Array(arguments.prefix(2)) : arguments)
          ).finish()
          #expect(run.end == .exited(0), "\(command): \(run.errors)")
          return run.output
        }
      }
      let then = try answers()
      try client.add(.springTo("x", 0), .springTo("z", 5), to: "ball")
      try client.clock(.step(400))
      try client.awaitIdle()
      #expect(try daemon.terminate() == .exited(0))
      let file = directory["show.mcap"]
      #expect(try answers(["--recording", file, "--frame", "10"]) == then)
      #expect(try answers(["--recording", file]) != then)

      func ctl(_ arguments: String...) throws -> Ctl.Run { try daemon.ctl.start(arguments).finish() }
      let events = try ctl("list", "events", "ball", "--recording", file, "--json").lines
      #expect(events.contains { $0.contains("commit 1: add SpringTo") && $0.contains("by test (user ") }, "\(events)")
      #expect(events.contains { $0.contains("SpringTo 1.0 on ball is displaced") }, "\(events)")
      #expect(events.contains { $0.contains("SpringTo 2.0 drives ball/x, for test (user ") }, "\(events)")
      let later = try ctl("list", "events", "--recording", file, "--from", at(0.105), "--json").lines
      #expect(
        !later.isEmpty && !later.contains { $0.contains("commit 1:") } && later.contains { $0.contains("commit 2:") })

      let drawn = try ctl("draw", "ball/x", "--recording", file, "--from", at(0.045), "--to", at(0.105), "--json")
        .json()
      #expect(abs(drawn["from"].number - origin - 0.04) < 1e-6, "the state before the part")
      let samples = try #require(drawn["tracks"].elements.first)["samples"].elements
      #expect(samples.first?["frame"].count == 4 && samples.last?["frame"].count == 10, "\(samples)")
      #expect(try #require(drawn["tracks"].elements.first)["handOvers"].elements.first?["to"].text == "SpringTo")

      let part = try ctl("replay", file, "--from", at(0.045), "--to", at(0.105), "--json").json()
      #expect(part["frames"].count == 6 && part["identical"].flag)
      let began = ContinuousClock.now
      let played = try ctl(
        "replay", file, "--from", at(0.045), "--to", at(0.305), "--speed", "0.5", "--target", "ball/x", "--compare")
      #expect(played.end == .exited(0) && ContinuousClock.now - began >= .milliseconds(480), "half the speed")
      #expect(played.lines.count == 28 && played.lines.last?.contains("the same bits") == true, "\(played.output)")
      #expect(played.lines.allSatisfy { !$0.contains("\"z\"") })

      for (arguments, code, reason) in [
        (["list", "properties", "--recording", file, "--at", "99s"], 1, "does not contain 99 s"),
        (["list", "properties", "--at", "-1s"], 3, "no motiond"),
        (["list", "clients", "--recording", file], 2, "does not contain that"),
        (["list", "waiting", "--recording", file], 2, "none that waits"),
        (["list", "events"], 2, "such as --last 5min"),
        (["why", "zz.q", "--recording", file], 4, "motionctl list targets --recording"),
        (["list", "properties", "bal", "--recording", file], 4, "Did you mean \"ball\"?"),
        (["why", "ball.nosuch", "--recording", file], 4, "It has x, z."), (["why", "ball"], 2, "has no property"),
        (["replay", file, "--target", "ball"], 2, "give --speed"),
      ] as [([String], Int32, String)] {
        let run = try daemon.ctl.start(arguments).finish()
        #expect(run.end == .exited(code) && run.errors.contains(reason), "\(arguments): \(run.errors)")
      }

      // A shell stands at a moment.
      try directory.write(
        "at \(file) \(at(0.105))\nlist properties --json\nat frame:11\nat\nwhy ball.x\nat now\nat\n",
        to: "script")
      let shell = try ctl("shell", directory["script"])
      #expect(shell.end == .exited(0), "\(shell.errors)")
      #expect(shell.output.contains(then[0]), "\(shell.output)")
      #expect(shell.lines.count { $0.hasPrefix("at ") && $0.contains("frame 11") } == 2, "\(shell.output)")
      #expect(shell.output.contains("frame 11\nvalue") && shell.output.contains("at the present of the daemon"))
      try directory.write("at 0.1s\n", to: "script")
      #expect(try ctl("shell", directory["script"]).end == .exited(3), "without a recording, it is the daemon's past")
    }
  }
}
