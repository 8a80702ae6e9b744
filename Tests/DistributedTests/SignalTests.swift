import Faults
import Foundation
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension TimedTests {
  /// The signals that motiond handles, also while it is busy.
  @Suite struct SignalTests {
    @Test func `HUP loads new plugins without a gap in motion`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      let watcher = try Watcher(client, .motion(.target("ball")))
      let unknown = try #require(throws: MotionClientError.self) { try client.add(.unruly(), to: "lamp") }
      #expect(unknown.refusal?.code == .unknownType)

      try PluginFolder.unruly().write(to: daemon.directory)
      daemon.process.send(SIGHUP)
      try awaitTruth("the new plugin is known") { try client.plugins().contains { $0.name == "unruly" } }
      try client.add(.unruly(to: 7), to: "lamp")
      try awaitTruth("it serves") { try client.state(of: "level", of: "lamp")?.state.value == 7 }
      #expect(try client.plugins().map(\.name).sorted() == ["tween", "unruly"])

      let seen = watcher.frames.count
      try watcher.listen("the ball still moves") { watcher.frames.count > seen + 20 }
      #expect(watcher.missed == 0)
      #expect(Watcher.isGapless(watcher.track("position", of: "ball")))
      #expect(try daemon.terminate() == .exited(0))
    }

    @Test(
      .fault(
        .operators, "The folder of a plugin in use is removed", by: "it is removed, SIGHUP",
        promise: "the plugin stays as long as it is in use"))
    func `HUP drops a plugin whose folder is removed, unless it is in use`() throws {
      let daemon = try Daemon([.tween(), .unruly()])
      let client = try daemon.connect()
      try client.add(.unruly(duration: .seconds(60)), to: "lamp")
      _ = try client.awaitReady("unruly")
      for name in ["tween", "unruly"] {
        try FileManager.default.removeItem(atPath: daemon.directory["plugins/\(name)"])
      }
      daemon.process.send(SIGHUP)
      try awaitTruth("the one that is needed by nobody is gone") { try client.plugins().map(\.name) == ["unruly"] }
      #expect(try client.plugins().first?.problem.hasPrefix("removed: ") == true)
      try awaitLog(of: daemon, "plugin tween was dropped")
      try awaitLog(of: daemon, "plugin unruly was removed from disk")
      let unknown = try #require(throws: MotionClientError.self) {
        try client.add(.tween("level", to: 1, duration: .seconds(1)), to: "lamp")
      }
      #expect(unknown.refusal?.code == .unknownType)
      let level = try client.state(of: "level", of: "lamp")?.state.value[0] ?? 0
      try awaitTruth("the other goes on") { try client.state(of: "level", of: "lamp")?.state.value[0] ?? 0 > level }

      try PluginFolder.tween().write(to: daemon.directory)
      daemon.process.send(SIGHUP)
      try awaitTruth("it is back") { try client.plugins().contains { $0.name == "tween" } }
      try client.add(.tween("opacity", to: 1, duration: .seconds(1)), to: "lamp")
      _ = try client.awaitReady("tween")
      #expect(!daemon.log.contains("problem="))
    }

    @Test func `HUP before motiond serves has no effect`() throws {
      let directory = try TestDirectory()
      let notifications = try NotifySocket(directory["notify"])
      let process = try Daemon.start(directory, notifying: notifications.path)
      // From the moment that it has its directory; before, the process is not motiond yet.
      try awaitTruth("its lock") { FileManager.default.fileExists(atPath: directory["run/lock"]) }
      for _ in 0..<20 { process.send(SIGHUP) }
      try notifications.hear("READY=1", from: process)
      process.send(SIGHUP)
      let client = try MotionClient(connectingTo: [RuntimePaths(directory: directory["run"])], name: "test")
      #expect(try client.status().processID == process.processID)
      process.send(SIGTERM)
      #expect(try process.awaitEnd() == .exited(0))
    }

    @Test func `INT drains, and a second one ends the draining at once`() throws {
      let daemon = try Daemon([.unruly("ignores-term")])
      let client = try daemon.connect()
      try client.add(.unruly(duration: .seconds(60)), to: "a")
      let worker = try client.awaitReady("unruly")
      // It ignores the request to exit only once it has its plan.
      try awaitTruth("it moves") { try client.state(of: "level", of: "a").map { $0.state.value[0] > 0 } ?? false }

      daemon.process.send(SIGINT)
      try daemon.notifications.hear("STOPPING=1", from: daemon.process)
      let draining = BootClock.now
      #expect(daemon.process.isRunning)
      daemon.process.send(SIGINT)
      #expect(try daemon.process.awaitEnd() == .exited(0))
      // Draining takes two seconds with this worker; see the test of a worker that ignores TERM.
      #expect(BootClock.now - draining < .seconds(1))
      #expect(!ProcessFacts(worker.processID).isAlive)
      try awaitLog(of: daemon, "interrupted again: stopping now")
    }

    @Test(
      .fault(
        .limits, "There is more work than time",
        by: "springs, watched one by one, until each frame takes longer than it may",
        promise: "frames are skipped, and commands take effect at once"))
    func `an overloaded daemon executes stop and TERM within two seconds`() throws {
      let daemon = try Daemon(rate: 1000)
      let client = try daemon.connect()
      let subscriptions = try overload(client)
      let stopped = BootClock.now
      let run = try daemon.ctl("stop")
      #expect(run.end == .exited(0), "\(run.errors)")
      try client.awaitIdle(within: .seconds(2))
      #expect(BootClock.now - stopped < .seconds(2))
      #expect(try client.intentions().isEmpty)

      let others = try overload(client)
      let asked = BootClock.now
      #expect(try daemon.terminate() == .exited(0))
      #expect(BootClock.now - asked < .seconds(2))
      withExtendedLifetime((subscriptions, others)) {}
    }

    /// Adds springs until a frame of them costs more than its time, which shows in skipped frames. Each is published by
    /// itself, which costs far more than its step: so a checkpoint of them all is small.
    ///
    /// - Returns: the subscriptions, which are to be kept so long.
    private func overload(_ client: MotionClient) throws -> [ValueSubscription] {
      var number = 0
      var subscriptions: [ValueSubscription] = []
      while number < 50_000 {
        var transaction = Transaction()
        var interests: [Interest] = []
        for _ in 0..<500 {
          number += 1
          let target = try TargetName("seed\(number)")
          transaction.add(
            .springTo("corner", [100, 100, 100, 100], .physical(tension: 100, friction: 0)), to: target)
          interests.append(.motion(.target(target)))
        }
        try client.commit(transaction)
        subscriptions.append(try client.subscribe(to: interests))
        try awaitTruth("they move") { try client.status().counts.targets >= number }
        let before = try client.status()
        letPass(.milliseconds(300))
        let after = try client.status()
        let skipped = try #require(after["skipped-frames"]) - #require(before["skipped-frames"])
        if skipped > after.frame.number - before.frame.number { return subscriptions }
      }
      throw Problem("\(number) springs at 1000 Hz are not too many")
    }
  }
}
