import Faults
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Every vice of the unruly plugin: contained, explained, and without effect on others.
  @Suite struct ViceTests {
    /// Vices after which the plugin is given up: the text that `motionctl status` has to show for each, and how long
    /// that takes.
    struct Fatal: CustomTestStringConvertible, Sendable {
      let vice: String
      let reason: String
      var tick = 3
      var limit = Duration.seconds(15)
      var testDescription: String { vice }
    }

    @Test(
      .fault(
        .processes, "A plugin dies after each start, or uses another protocol version",
        by: "exit 0, abort after 2 s, messages of version 999",
        promise: "quarantined with the reason and the remedy; nothing stays active for it; others are not affected"),
      arguments: [
        Fatal(vice: "exits-zero", reason: "it exited by itself (code 0)"),
        // Two seconds after the plan has begun: no intention is suspected as the cause.
        Fatal(vice: "crashes-at-tick", reason: "it was ended by signal 6", tick: 240, limit: .seconds(30)),
        Fatal(vice: "wrong-version", reason: "uses handshake 1 and messages 999"),
      ])
    func `a plugin that cannot serve is quarantined with the reason`(fatal: Fatal) throws {
      let daemon = try Daemon([.tween(), .unruly(fatal.vice, tick: fatal.tick)])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      try client.add(.unruly(to: 10, duration: .seconds(60)), named: "bad", to: "victim")
      try bystanders.wait(for: "it is given up", within: fatal.limit) {
        try client.worker("unruly")?.state == .quarantined
      }

      let status = try daemon.ctl("status")
      #expect(status.output.contains("unruly"), "\(status.output)")
      #expect(status.output.contains(fatal.reason), "\(status.output)")
      #expect(!daemon.log.contains("runs without"), "no intention is suspected")
      #expect(status.output.contains("motionctl plugin restart unruly"), "\(status.output)")
      let worker = try #require(try client.worker("unruly"))
      if fatal.vice == "wrong-version" {
        #expect(worker.restarts == 0, "what can never work is not tried again")
      } else {
        #expect(worker.restarts == 4)
      }
      // No token stays active for it, and no process of it stays.
      #expect(try client.tokens().isEmpty)
      #expect(worker.processID == 0 || !ProcessFacts(worker.processID).isAlive)
      // Further plans of its types are refused with the remedy; those of other plugins are not.
      let error = try #require(throws: MotionClientError.self) { try client.add(.unruly(), to: "victim") }
      #expect(error.refusal?.code == .quarantined)
      #expect(error.refusal?.remedy.contains("motionctl plugin restart unruly") == true, "\(error)")
      try client.add(.springTo("position", [1, 1]), to: "victim")
      try bystanders.expectUntouched()
      #expect(try daemon.terminate() == .exited(0))
    }

    @Test(
      .fault(
        .operators, "A quarantined plugin is fixed", by: "motionctl plugin restart",
        promise: "it is started again at once"))
    func `a quarantined plugin is started again by a restart`() throws {
      let daemon = try Daemon([.tween(), .unruly("exits-zero")])
      let client = try daemon.connect()
      try client.add(.unruly(), to: "victim")
      try awaitTruth("it is given up", within: .seconds(15)) { try client.worker("unruly")?.state == .quarantined }
      let given = try #require(try client.worker("unruly")).incarnation
      let run = try daemon.ctl("plugin", "restart", "unruly")
      #expect(run.end == .exited(0), "\(run.errors)")
      try client.add(.unruly(), to: "victim")
      try awaitTruth("it is tried again") { try client.worker("unruly")?.incarnation ?? 0 > given }
    }

    @Test(
      .fault(
        .processes, "A plugin ignores the requests to end",
        by: "plugins that ignore SIGTERM, or the end of their lifeline",
        promise: "it is ended nevertheless, and the status states how"),
      arguments: [("ignores-term", "signal 9"), ("ignores-lifeline", "exited as requested (code 0)")])
    func `a worker that ignores TERM or its lifeline is ended and replaced`(vice: String, reason: String) throws {
      let daemon = try Daemon([.tween(), .unruly(vice)])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      try client.add(.unruly(to: 60, duration: .seconds(60)), to: "victim")
      let worker = try client.awaitReady("unruly")
      // It ignores the request to exit only once it has its plan.
      try bystanders.wait(for: "it moves") {
        try client.state(of: "level", of: "victim").map { $0.state.value[0] > 0 } ?? false
      }
      let run = try daemon.ctl("plugin", "restart", "unruly")
      #expect(run.end == .exited(0), "\(run.errors)")
      var successor: WorkerRow?
      try bystanders.wait(for: "its successor serves") {
        let row = try client.worker("unruly")
        if let row, row.state == .ready, row.incarnation > worker.incarnation { successor = row }
        return successor != nil
      }
      #expect(try #require(successor).processID != worker.processID)
      // The successor serves before its predecessor has exited.
      try bystanders.wait(for: "the one before is gone") { !ProcessFacts(worker.processID).isAlive }
      try bystanders.wait(for: "its end is told") { try client.worker("unruly")?.reason.contains(reason) == true }
      #expect(try daemon.ctl("status").output.contains(reason))
      // The plan continues where it should be by now, as if nothing had happened.
      let before = try #require(try client.state(of: "level", of: "victim")).state.value[0]
      try bystanders.wait(for: "it moves again") {
        try client.state(of: "level", of: "victim").map { $0.state.value[0] > before + 0.5 } ?? false
      }
      try bystanders.expectUntouched()
    }

    @Test(
      .fault(
        .processes, "A worker starts and never sends a hello", by: "a plugin that sleeps instead",
        promise: "it is replaced after the timeout, with the reason"))
    func `a worker that sends no hello is replaced after a timeout`() throws {
      let daemon = try Daemon([.tween(), .unruly("never-says-hello")])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      try client.add(.unruly(), to: "victim")
      try bystanders.wait(for: "its second start", within: .seconds(20)) {
        try client.worker("unruly")?.incarnation ?? 0 >= 3
      }
      let status = try daemon.ctl("status")
      #expect(status.output.contains("it sent no hello within"), "\(status.output)")
      try bystanders.expectUntouched()
      #expect(try daemon.terminate() == .exited(0))
    }

    @Test(
      .fault(
        .peers, "A worker sends values that are not numbers", by: "a plugin that writes NaN",
        promise: "refused and counted; the plan continues from its next values"))
    func `values that are not finite are refused, and the plan continues`() throws {
      let daemon = try Daemon([.tween(), .unruly("writes-nan")])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      let watcher = try Watcher(client, .motion(.target("victim")), .outcomes("victim"))
      try client.add(.unruly(to: 10, duration: .seconds(1)), to: "victim")
      try watcher.listen("its end") { !watcher.ended.isEmpty }

      let track = watcher.track("level", of: "victim")
      #expect(track.allSatisfy { $0.value.isFinite && $0.velocity?.isFinite == true })
      #expect(track.last?.value == 10)
      #expect(watcher.ended.map(\.outcome) == [.completed])
      let status = try daemon.ctl("status").output
      #expect(status.contains("messages that could not be decoded"), "\(status)")
      #expect(status.contains("finite"), "\(status)")
      #expect(try client.worker("unruly")?.restarts == 0)
      try bystanders.expectUntouched()
    }

    @Test(
      .fault(
        .peers, "A worker writes properties that are not its own", by: "a plugin that writes to targets of others",
        promise: "refused and counted; nothing changes there"))
    func `writes to properties of other plans are refused and change nothing`() throws {
      let daemon = try Daemon([.tween(), .unruly("writes-foreign")])
      let client = try daemon.connect()
      try client.add(.springTo("position", [3, 4]), to: "rest")
      try client.awaitIdle()
      let bystanders = try Bystanders(daemon)
      let watcher = try Watcher(client, .motion(.target("rest")), .outcomes("victim"))
      try client.add(.unruly(to: 10, duration: .seconds(1)), to: "victim")
      try watcher.listen("its end") { !watcher.ended.isEmpty }

      #expect(watcher.frames.isEmpty, "what rests, rests: \(watcher.frames)")
      #expect(try client.state(of: "position", of: "rest")?.state.value == [3, 4])
      #expect(try client.state(of: "level", of: "victim")?.state.value == 10)
      let status = try daemon.ctl("status").output
      #expect(status.contains("refused writes"), "\(status)")
      try bystanders.expectUntouched()
    }

    @Test(
      .fault(
        .limits, "A worker floods its standard output", by: "a plugin that prints without end",
        promise: "its lines are cut; it continues to serve; others are not affected"))
    func `a plugin that floods its standard output has lines left out, and serves`() throws {
      let daemon = try Daemon([.tween(), .unruly("prints-to-stdout")])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      let watcher = try Watcher(client, .motion(.target("victim")), .outcomes("victim"))
      try client.add(.unruly(to: 10, duration: .seconds(1)), to: "victim")
      try watcher.listen("its end", within: .seconds(20)) { !watcher.ended.isEmpty }
      #expect(watcher.ended.map(\.outcome) == [.completed])

      let worker = try #require(try client.worker("unruly"))
      #expect(worker.restarts == 0)
      #expect(worker.log.contains { $0.contains("unruly says line") })
      #expect(worker.log.allSatisfy { $0.utf8.count <= 4 * Limits.logLineBytes })
      // A hundred thousand lines and more were printed; at most a hundred a second are passed on.
      #expect(daemon.log.count(of: "unruly says line") < 3000)
      try awaitTruth("it says how many were not") { daemon.log.contains("lines left out") }
      // Characters that could control a terminal are made visible.
      try awaitLog(of: daemon, "unruly steers a \\u{1b}[31mterminal")
      #expect(!daemon.log.contains("\u{1B}"))
      try bystanders.expectUntouched()
      #expect(try daemon.terminate() == .exited(0))
    }
  }
}
