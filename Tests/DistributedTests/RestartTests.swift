import Faults
import Foundation
import Glibc
import MotionClient
import MotionFiles
import MotionModel
import MotionWire
import Testing
import Trajectories
import ZeroMQ

extension DistributedTests {
  /// Plugins that are replaced while they run.
  @Suite struct RestartTests {
    // Clauses: S15.9
    @Test func `a worker is replaced in mid-tween without a jump, also by another program file`() throws {
      let daemon = try Daemon([.tween(), .unruly()])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      let watcher = try Watcher(client, .motion(.target("moved")), .outcomes("moved"))
      try client.add(.unruly(to: 60, duration: .seconds(6)), to: "moved")
      var worker = try client.awaitReady("unruly")
      var handovers: [ClosedRange<UInt64>] = []
      for round in 1...3 {
        let place = Double(round) * 12
        try watcher.listen("it is at \(place)") { (watcher.track("level", of: "moved").last?.value[0] ?? 0) > place }
        if round == 2 {
          // Another file of the same name, as an installation puts it there.
          let program = daemon.directory["plugins/unruly/unruly"]
          try FileManager.default.copyItem(atPath: program, toPath: program + ".new")
          #expect(rename(program + ".new", program) == 0)
        }
        let begun = try client.status().frame.number
        let run = try daemon.ctl("plugin", "restart", "unruly")
        #expect(run.end == .exited(0), "\(run.errors)")
        let next = try client.awaitReady("unruly", after: worker.incarnation)
        #expect(next.processID != worker.processID)
        let old = worker.processID
        try awaitTruth("the one before has ended") { !ProcessFacts(old).isAlive }
        handovers.append(begun...(try client.status().frame.number))
        worker = next
      }
      try watcher.listen("its end") { !watcher.ended.isEmpty }
      #expect(watcher.ended.map(\.outcome) == [.completed])
      // From the start of its motion: at first the plan waits for its worker.
      let track = Array(watcher.track("level", of: "moved").drop { $0.value[0] < 1 })
      #expect(track.last?.value == 60)
      #expect(Watcher.isGaplessUnlessLate(track))
      // A hand-over that made it late would do so each time.
      #expect(
        handovers.contains { frames in Watcher.isGapless(track.filter { frames.contains($0.frame) }) },
        "it moved in every frame while it was handed over")
      // An even frame moves 0.083. A worker that is late for a frame or two catches up.
      #expect(WorkerTests.largestStep(of: track) < 0.6, "\(WorkerTests.aroundLargestStep(of: track))")
      let jump = Watcher.jump(of: track)
      #expect(jump.value < Injection.step / 4, "\(jump.place)")
      try bystanders.expectUntouched()
    }

    // Clauses: S15.9
    @Test(
      .fault(
        .processes, "The successor of a worker does not start",
        by: "a program that cannot start in the plugin's folder, and motionctl plugin restart",
        promise: "the old worker continues"))
    func `a successor that cannot start leaves the old worker serving`() throws {
      let daemon = try Daemon([.tween(), .unruly()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("moved")))
      try client.add(.unruly(to: 60, duration: .seconds(60)), to: "moved")
      let worker = try client.awaitReady("unruly")
      try watcher.listen("it moves") { (watcher.track("level", of: "moved").last?.value[0] ?? 0) > 1.5 }
      var plugin = try PluginFolder.unruly("exits-zero")
      plugin.manifest.documentation = "Another."
      try daemon.directory.write(PluginManifestFile.text(of: plugin.manifest), to: "plugins/unruly/plugin.json")
      #expect(try daemon.ctl("plugin", "restart", "unruly").end == .exited(0))
      try watcher.listen("it is told") { try client.worker("unruly")?.reason.contains("its successor died") == true }
      let now = try #require(try client.worker("unruly"))
      #expect(now.state == .ready)
      #expect(now.processID == worker.processID)
      let track = Array(watcher.track("level", of: "moved").drop { $0.value[0] < 1 })
      #expect(Watcher.isGaplessUnlessLate(track))
      #expect(try client.plans(of: "moved").map(\.state) == [.added])
    }

    // Clauses: S15.10
    @Test(
      .fault(
        .operators, "A new manifest does not match the live plans",
        by: "a manifest without a type that is in use, and motionctl plugin restart",
        promise: "refused with the remedy; accepted when those plans are gone"))
    func `a manifest without a type in use is refused, and accepted when the plan is gone`()
      throws
    {
      let daemon = try Daemon([.unruly()])
      let client = try daemon.connect()
      try client.add(.unruly(to: 60, duration: .seconds(60)), to: "moved")
      let worker = try client.awaitReady("unruly")
      var plugin = try PluginFolder.unruly()
      plugin.manifest.intentions[0].type = "Tame"
      try daemon.directory.write(PluginManifestFile.text(of: plugin.manifest), to: "plugins/unruly/plugin.json")
      let refused = try daemon.ctl("plugin", "restart", "unruly")
      #expect(refused.end == .exited(4), "\(refused)")
      for word in ["on moved", "Unruly is no longer declared", "motionctl stop"] {
        #expect(refused.errors.contains(word), "\(refused.errors)")
      }
      try daemon.directory.write("{\"name\": \"unruly\"", to: "plugins/unruly/plugin.json")
      let broken = try daemon.ctl("plugin", "restart", "unruly")
      #expect(broken.end == .exited(4) && broken.errors.contains("plugin.json:1:"), "\(broken.errors)")
      #expect(try client.worker("unruly")?.incarnation == worker.incarnation)
      try client.add(.unruly(to: 1), to: "other")

      try daemon.directory.write(PluginManifestFile.text(of: plugin.manifest), to: "plugins/unruly/plugin.json")
      try client.stop()
      #expect(try daemon.ctl("plugin", "restart", "unruly").end == .exited(0))
      #expect(try daemon.ctl("list", "types").output.contains("Tame"))
      let gone = try #require(throws: MotionClientError.self) { try client.add(.unruly(), to: "moved") }
      #expect(gone.refusal?.code == .unknownType)
    }

    // Clauses: S15.4
    @Test(
      .fault(
        .operators, "A plugin may be written by others", by: "chmod go+w, and motionctl plugin restart",
        promise: "not restarted; its workers stay"))
    func `a plugin that others may write is not restarted, and its workers stay`() throws {
      let daemon = try Daemon([.unruly()])
      let client = try daemon.connect()
      try client.add(.unruly(to: 60, duration: .seconds(60)), to: "moved")
      let worker = try client.awaitReady("unruly")
      chmod(daemon.directory["plugins/unruly"], 0o777)
      let refused = try daemon.ctl("plugin", "restart", "unruly")
      #expect(refused.end == .exited(4) && refused.errors.contains("chmod go-w"), "\(refused.errors)")
      #expect(try client.worker("unruly")?.processID == worker.processID)
      // Nor is it restarted when it is needed again.
      kill(worker.processID, SIGKILL)
      try awaitTruth("the reason is told") { try daemon.ctl("status").output.contains("chmod go-w") }
      chmod(daemon.directory["plugins/unruly"], 0o755)
      _ = try client.awaitReady("unruly", after: worker.incarnation)
    }

    // Clauses: S11.4, S11.26, S17.2
    @Test(arguments: [SIGKILL, SIGTERM])
    func `what was committed while time is paused still waits after a restart`(signal: Int32) throws {
      var daemon = try Daemon()
      var client = try daemon.connect()
      try client.add(.anchoredSpring("x", 5), to: "ball")
      try client.awaitIdle()
      let paused = try client.clock(.pause)
      #expect(try daemon.ctl("forget", "ball").end == .exited(0))
      try client.add(.anchoredSpring("x", 1), to: "lamp")
      let before = try client.waiting()
      #expect(before.count == 2 && before.allSatisfy { $0.at == paused.time }, "\(before)")
      #expect(try daemon.ctl("list", "waiting").output.contains("next frame"))
      daemon.process.send(signal)
      try daemon.process.awaitEnd()

      daemon = try Daemon(in: daemon.directory)
      client = try daemon.connect()
      let after = try client.waiting()
      #expect(after.map(\.sequence) == before.map(\.sequence) && after.map(\.summary) == before.map(\.summary))
      #expect(try client.targets().map(\.target) == ["ball"])
      #expect(try client.status().clock.isPaused)
      try client.clock(.step(1))
      #expect(try client.waiting().isEmpty)
      #expect(try client.targets().map(\.target) == ["lamp"])
    }

    // Clauses: S11.23, S11.26, S17.3
    @Test func `what was stepped is not repeated while a transaction waits for the next frame, which can be removed`()
      throws
    {
      var daemon = try Daemon()
      var client = try daemon.connect()
      try client.clock(.pause)
      try client.add(.constantForce("x", acceleration: 1), to: "ball")
      try client.clock(.step(1200))
      try client.add(.anchoredSpring("x", 1), to: "lamp")
      try client.add(.anchoredSpring("x", 1), to: "stays")
      var held = Transaction()
      held.add(.anchoredSpring("x", 1), to: "held")
      try client.commit(held, whileConnected: true)
      let before = try client.state(of: "x", of: "ball")
      let time = try client.status().clock.time
      daemon.process.send(SIGTERM)
      try daemon.process.awaitEnd()

      daemon = try Daemon(in: daemon.directory)
      client = try daemon.connect()
      #expect(try client.state(of: "x", of: "ball")?.state == before?.state)
      #expect(try client.status().clock.time == time)
      try awaitTruth("what its client held is withdrawn") { try client.waiting().count == 2 }
      let lamp = try #require(try client.waiting().first)
      #expect(try daemon.ctl("remove", "--waiting", "\(lamp.sequence)").end == .exited(0))
      #expect(try client.waiting().count == 1)
      daemon.process.kill()
      daemon = try Daemon(in: daemon.directory)
      client = try daemon.connect()
      try client.clock(.step(1))
      #expect(try client.targets().map(\.target) == ["ball", "stays"])
    }
  }
}

private typealias WorkerTests = DistributedTests.WorkerTests
