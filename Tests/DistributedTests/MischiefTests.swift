import Faults
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Workers that take more than their share, or leave processes or files behind.
  @Suite struct MischiefTests {
    // Clauses: S15.5
    @Test(
      .fault(
        .limits, "A worker leaks memory", by: "a plugin that allocates up to its limit (memoryMiB)",
        promise: "it dies alone, and the status states the cause"))
    func `a worker that leaks memory is ended alone, and the status names its limit`() throws {
      var plugin = try PluginFolder.unruly("leaks-memory", tick: 150)
      plugin.manifest.limits.memoryMiB = 2048
      let daemon = try Daemon([.tween(), plugin])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      try client.add(.unruly(to: 10, duration: .seconds(60)), to: "victim")
      let worker = try client.awaitReady("unruly")
      try bystanders.wait(for: "it dies, and is said why", within: .seconds(30)) {
        try client.worker("unruly")?.reason.contains("(its limits: memoryMiB 2048)") == true
      }
      #expect(try client.worker("unruly")?.processID != worker.processID)
      try awaitLog(of: daemon, "there is no more memory")
      let status = try daemon.ctl("status")
      #expect(status.output.contains("memoryMiB 2048"), "\(status.output)")
      try bystanders.expectUntouched()
    }

    // Clauses: S15.5
    @Test func `worker limits of the configuration apply to every plugin`() throws {
      let directory = try TestDirectory()
      try directory.write("workerLimits: [\"descriptors=200\", \"unruly: coreMiB=0\"]\n", to: "motiond.yaml")
      let daemon = try Daemon(
        [.tween(), .unruly()], in: directory, arguments: ["--config", directory["motiond.yaml"]])
      let client = try daemon.connect()
      try client.add(.unruly(to: 10, duration: .seconds(60)), to: "victim")
      try client.add(.tween("opacity", to: 1, duration: .seconds(60)), to: "victim")
      for (plugin, core) in [(PluginName("unruly"), true), ("tween", false)] {
        let worker = try client.awaitReady(plugin)
        let limits = try String(contentsOfFile: "/proc/\(worker.processID)/limits", encoding: .utf8)
        let lines = limits.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        #expect(lines.contains { $0.starts(with: ["Max", "open", "files", "200", "200"]) }, "\(limits)")
        if core { #expect(lines.contains { $0.starts(with: ["Max", "core", "file", "size", "0"]) }, "\(limits)") }
      }
    }

    // Clauses: S15.5
    @Test(
      .fault(
        .limits, "The share of processors of a plugin cannot be set",
        by: "cpuWeight without a cgroup of one's own", promise: "it becomes a niceness, which is reported"))
    func `a cpuWeight without a control group becomes a niceness, and is reported`() throws {
      var plugin = try PluginFolder.unruly()
      plugin.manifest.limits.cpuWeight = 50
      let directory = try TestDirectory()
      try directory.write("workerLimits: [\"unruly: cpuWeight=20\"]\n", to: "motiond.yaml")
      let daemon = try Daemon([plugin], in: directory, arguments: ["--config", directory["motiond.yaml"]])
      let client = try daemon.connect()
      try client.add(.unruly(to: 10, duration: .seconds(60)), to: "victim")
      let worker = try client.awaitReady("unruly")
      // The tests are in the same control group, so that it is not motiond's own.
      #expect(ProcessFacts(worker.processID).niceness == 7)
      let said = "cpuWeight becomes niceness 7, because motiond has no control group of its own"
      try awaitLog(of: daemon, said)
      #expect(try daemon.ctl("status").output.contains("limits: cpuWeight 20 (\(said)"))
    }

    // Clauses: S15.7
    @Test(
      .fault(
        .processes, "A worker leaves processes behind",
        by: "children in a session of their own, with the worker's sockets open", promise: "they are killed with it"))
    func `processes that a worker has started are killed with it, also in their own session`() throws {
      let daemon = try Daemon([.tween(), .unruly("forks")])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      try client.add(.unruly(to: 60, duration: .seconds(60)), to: "victim")
      let worker = try client.awaitReady("unruly")
      let children = try awaitFact("its children") {
        let lines = try client.worker("unruly")?.log.filter { $0.contains("has a child") } ?? []
        return lines.count == 2 ? lines.compactMap { $0.split(separator: " ").last.flatMap { Int32($0) } } : nil
      }
      #expect(children.count == 2)
      defer { for child in children where ProcessFacts(child).isAlive { kill(child, SIGKILL) } }
      try awaitTruth("they sleep") { children.allSatisfy { ProcessFacts($0).isAlive } }
      // One to each of motiond's sockets for workers.
      for child in children { #expect(ProcessFacts(child).openSockets >= 4) }
      kill(worker.processID, SIGKILL)
      try bystanders.wait(for: "they are gone") { children.allSatisfy { !ProcessFacts($0).isAlive } }
      // The worker's resources that they still held do not prevent its successor.
      _ = try client.awaitReady("unruly", after: worker.incarnation)
      try bystanders.expectUntouched()
      #expect(try daemon.terminate() == .exited(0))
    }

    // Clauses: S15.7, S16.2
    @Test(
      .fault(
        .processes, "A worker outlives motiond", by: "a plugin without lifeline and parent-death signal",
        promise: "the next start ends it; its messages are dropped"))
    func `a worker that outlives motiond is ended by the next start`() throws {
      let daemon = try Daemon([.tween(), .unruly("outlives-motiond")])
      let client = try daemon.connect()
      try client.add(.unruly(to: 60, duration: .seconds(600)), to: "victim")
      let worker = try client.awaitReady("unruly")
      try awaitTruth("it moves") { try client.state(of: "level", of: "victim").map { $0.state.value[0] > 0 } ?? false }
      daemon.process.kill()
      // Any other worker has exited within two seconds (`DeathTests`).
      letPass(.seconds(2))
      let orphan = ProcessFacts(worker.processID)
      defer { if orphan.isAlive { kill(worker.processID, SIGKILL) } }
      #expect(orphan.isAlive)
      if geteuid() == 0 {
        // Another motiond, as in a container, has another directory at the same path, and has other workers.
        let script = "mount -t tmpfs -o mode=700 tmpfs \"$0\" && exec \"$@\""
        let stranger = try Daemon(
          in: daemon.directory, arguments: ["--journal", "none"],
          behind: ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, daemon.directory["run"]])
        stranger.process.kill()
        #expect(orphan.isAlive && !stranger.log.contains("left behind"))
      }

      let next = try Daemon([.tween(), .unruly()], in: daemon.directory)
      try awaitTruth("it is gone") { !orphan.isAlive }
      try awaitLog(of: next, "processes of an earlier start that were left behind, and are ended: 1")
      let bystanders = try Bystanders(next)
      let again = try next.connect()
      try again.add(.unruly(to: 1), to: "victim")
      try bystanders.wait(for: "its successor serves") { try again.state(of: "level", of: "victim")?.state.value == 1 }
      #expect(try again.status()["forged-messages"] == 0)
      try bystanders.expectUntouched()
    }

    // Clauses: S15.7
    @Test(
      .fault(
        .processes, "motiond is killed while a worker puts its outputs to rest",
        by: "SIGKILL; a plugin that rests slowly", promise: "the next start waits for it"))
    func `the next motiond waits for a worker that still puts its outputs to rest`() throws {
      var plugin = try PluginFolder.unruly("rests-slowly")
      plugin.manifest.onLost = .rest
      let daemon = try Daemon([plugin])
      let client = try daemon.connect()
      try client.add(.unruly(to: 60, duration: .seconds(600)), to: "victim")
      let worker = try client.awaitReady("unruly")
      daemon.process.kill()
      let next = try Daemon(in: daemon.directory)
      #expect(access(daemon.directory["plugins/unruly/rested"], F_OK) == 0)
      #expect(!ProcessFacts(worker.processID).isAlive)
      #expect(!next.log.contains("left behind"), "it has ended by itself")
    }

    // Clauses: S15.6
    @Test(
      .fault(
        .peers, "A worker claims to be another one", by: "a plugin that signs its messages with another name",
        promise: "dropped and counted"))
    func `a worker's messages under another name are dropped and counted`() throws {
      let daemon = try Daemon([.tween(), .unruly("lies")])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      let watcher = try Watcher(client, .outcomes("victim"))
      try client.add(.unruly(to: 10, duration: .seconds(2)), to: "victim")
      try watcher.listen("its end", within: .seconds(20)) { !watcher.ended.isEmpty }
      #expect(watcher.ended.map(\.outcome) == [.completed])
      #expect(try client.status()["foreign-messages"] ?? 0 > 100)
      #expect(try client.worker("unruly")?.restarts == 0)
      try bystanders.expectUntouched()
    }

    // Clauses: S15.8
    @Test(
      .fault(
        .processes, "Fifty workers die at once", by: "SIGKILL", promise: "all are restarted; others miss no frame"),
      .timeLimit(.minutes(2)))
    func `fifty workers that are killed at once all return, and others miss no frame`() throws {
      let names: [PluginName] = ["u1", "u2", "u3", "u4"]
      let plugins = try names.map { name in
        var plugin = try PluginFolder.unruly(named: name)
        plugin.manifest.instances = 13
        return plugin
      }
      // At 60 Hz, so that fifty workers built for debugging leave the processors some time.
      let daemon = try Daemon([.tween()] + plugins, rate: 60)
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      var transaction = Transaction()
      for name in names {
        for number in 0..<120 {
          transaction.add(
            .unruly(to: 60, duration: .seconds(600), of: name), to: try TargetName("\(name)-\(number)"))
        }
      }
      try client.commit(transaction)
      func workers() throws -> [WorkerRow] {
        try client.plugins().filter { names.contains($0.name) }.flatMap(\.workers)
      }
      try bystanders.wait(for: "all serve", within: .seconds(60)) {
        let rows = try workers()
        return rows.count == 52 && rows.allSatisfy { $0.state == .ready }
      }
      let before = try workers()
      let death = BootClock.now
      for worker in before { kill(worker.processID, SIGKILL) }
      try bystanders.wait(for: "all are back", within: .seconds(60)) {
        let rows = try workers()
        return rows.allSatisfy { row in
          row.state == .ready && row.restarts == 1
            && before.contains { $0.address == row.address && $0.incarnation < row.incarnation }
        }
      }
      FaultMeasures.measured(BootClock.now - death, "death of all to all serving again")
      #expect(try client.intentions().filter { $0.state == .added }.count >= 480)
      try bystanders.expectUntouched()
    }
  }
}

extension TimedTests {
  /// Workers that send more in a second than motiond allows. They need the processors to do so.
  @Suite struct FloodTimes {
    // Clauses: S15.6
    @Test(
      .fault(
        .limits, "A worker floods motiond", by: "events, log lines or raw bytes without end",
        promise: "it is ended with the reason; others miss no frame"),
      arguments: ["floods-events", "floods-logs", "floods-bytes"])
    func `a worker that floods motiond is ended, with the reason, and others miss no frame`(vice: String) throws {
      let daemon = try Daemon([.tween(), .unruly(vice)])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      try client.add(.unruly(to: 10, duration: .seconds(60)), to: "victim")
      try bystanders.wait(for: "it is ended", within: factTimeout) {
        try client.worker("unruly")?.reason.contains("it flooded motiond") == true
      }
      #expect(daemon.log.count(of: "says a line") < 2000)
      #expect(!daemon.log.contains("\u{1B}"))
      // The worker floods again after each restart, until its plugin is quarantined or its plan has failed.
      try bystanders.wait(for: "it is given up", within: .seconds(60)) {
        let worker = try client.worker("unruly")
        return try worker?.state == .quarantined || client.plans(of: "victim").contains { $0.state == .failed }
      }
      try bystanders.expectUntouched()
      #expect(try daemon.terminate() == .exited(0))
    }
  }
}
