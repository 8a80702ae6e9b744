import Faults
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Intentions that crash a worker: these are given up, and not their plugin.
  @Suite struct PoisonTests {
    private static func poison(_ property: PropertyName = "level") -> Intention {
      .unruly(property, to: 666, duration: .seconds(60))
    }

    // Clauses: S15.1
    @Test(
      .fault(
        .processes, "A worker dies or hangs on one certain intention",
        by: "plugins that abort at once, abort later, or hang on it",
        promise: "that intention is given up after two deaths; the rest of the plugin continues"),
      arguments: ["dies-of-poison", "dies-of-slow-poison", "hangs-on-poison"])
    func `an intention that twice crashes or hangs its worker fails, and the others continue`(vice: String) throws {
      let daemon = try Daemon([.tween(), .unruly(vice)])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      let watcher = try Watcher(client, .motion(.target("healthy")), .outcomes("victim"))
      try client.add(.unruly(to: 60, duration: .seconds(60)), to: "healthy")
      _ = try client.awaitReady("unruly")
      try client.add(Self.poison(), named: "bad", to: "victim")
      try bystanders.wait(for: "it is given up", within: .seconds(20)) {
        try client.plans(of: "victim").contains { $0.state == .failed }
      }

      let failed = try #require(try client.plans(of: "victim").first)
      #expect(failed.reason.contains("times on it and lives without it"), "\(failed.reason)")
      #expect(failed.reason.contains("as it was told"), "its last log lines are missing: \(failed.reason)")
      #expect(failed.reason.contains(vice == "hangs-on-poison" ? "no message" : "signal 6"), "\(failed.reason)")
      let listed = try daemon.ctl("list", "intentions")
      #expect(listed.output.contains("failed"), "\(listed.output)")
      try watcher.listen("its end is told") { watcher.ended.map(\.outcome) == [.failed] }
      // The plugin serves, and accepts more intentions of the same type.
      let worker = try client.awaitReady("unruly")
      // The worker died twice; a third time, if its earlier plan had also arrived shortly before.
      #expect((2...3).contains(worker.restarts))
      try client.add(.unruly(to: 5, duration: .milliseconds(100)), to: "other")
      try bystanders.wait(for: "others are served") { try client.state(of: "level", of: "other")?.state.value == 5 }
      let before = try #require(try client.state(of: "level", of: "healthy")).state.value[0]
      try bystanders.wait(for: "what it had goes on") {
        try client.state(of: "level", of: "healthy").map { $0.state.value[0] > before } ?? false
      }
      #expect(try client.plans(of: "healthy").map(\.state) == [.added])
      #expect(try client.worker("unruly")?.incarnation == worker.incarnation)
      try bystanders.expectUntouched()
    }

    // Clauses: S15.1
    @Test(
      .fault(
        .processes, "One of many intentions in a batch kills the worker", by: "a batch with a poisoned one",
        promise: "it is found by bisection; the others are served"))
    func `an intention in a batch that crashes its worker is found, and the others are served`() throws {
      let daemon = try Daemon([.tween(), .unruly("dies-of-poison")])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      var transaction = Transaction()
      for number in 0..<40 {
        let target = try TargetName("t\(number)")
        transaction.add(number == 27 ? Self.poison() : .unruly(to: 60, duration: .seconds(60)), to: target)
      }
      try client.commit(transaction)
      try bystanders.wait(for: "it is given up", within: .seconds(30)) {
        try client.plans(of: "t27").contains { $0.state == .failed }
      }
      try bystanders.wait(for: "all others are served", within: .seconds(30)) {
        try client.intentions().filter { $0.state == .added && $0.executor == "Unruly" }.count == 39
      }
      #expect(try client.intentions().filter { $0.state == .failed }.count == 1)
      #expect(try client.worker("unruly")?.state == .ready)
      try bystanders.expectUntouched()
    }

    // Clauses: S15.2
    @Test(
      .fault(
        .processes, "A worker is killed from outside soon after each start", by: "SIGKILL",
        promise: "no intention is suspected"))
    func `a worker that is killed repeatedly after its start makes no intention suspect`() throws {
      let daemon = try Daemon([.unruly()])
      let client = try daemon.connect()
      try client.add(.unruly(to: 60, duration: .seconds(60)), to: "healthy")
      var last: UInt64 = 0
      for _ in 0..<4 {
        let worker = try client.awaitReady("unruly", after: last)
        kill(worker.processID, SIGKILL)
        last = worker.incarnation
      }
      _ = try client.awaitReady("unruly", after: last)
      #expect(try client.plans(of: "healthy").map(\.state) == [.added])
      #expect(!daemon.log.contains("runs without"))
    }

    // Clauses: S15.2
    @Test(
      .fault(
        .processes, "A worker dies on every intention", by: "a plugin that aborts on every intention",
        promise: "after five intentions the plugin is quarantined"))
    func `a plugin that crashes on every intention is quarantined after five intentions`() throws {
      let daemon = try Daemon([.tween(), .unruly("crashes-on-add")])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      var transaction = Transaction()
      for number in 0..<8 { transaction.add(.unruly(duration: .seconds(60)), to: try TargetName("t\(number)")) }
      try client.commit(transaction)
      try bystanders.wait(for: "it is given up", within: .seconds(30)) {
        try client.worker("unruly")?.state == .quarantined
      }
      let status = try daemon.ctl("status")
      #expect(status.output.contains("5 different intentions"), "\(status.output)")
      #expect(status.output.contains("motionctl plugin restart unruly"), "\(status.output)")
      #expect(try client.intentions().filter { $0.executor == "Unruly" }.allSatisfy { $0.state == .failed })
      try bystanders.expectUntouched()
      #expect(try daemon.terminate() == .exited(0))
    }
  }
}
