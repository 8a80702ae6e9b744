import Faults
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

extension TimedTests {
  /// Workers and coordinators that exit or are suspended.
  @Suite struct DeathTests {
    // Clauses: S10.14
    @Test(
      .fault(
        .processes, "A worker is killed in the middle of a tween", by: "SIGKILL",
        promise: "the tween ends where and when it should have; others miss no frame"))
    func `after its worker is killed, a tween ends in place and in time, and others miss no frame`()
      throws
    {
      let daemon = try Daemon([.tween(), .unruly()])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      let watcher = try Watcher(client, .motion(.target("moved")), .outcomes("moved"))
      try client.add(.unruly(to: 30, duration: .seconds(3)), to: "moved")
      let worker = try client.awaitReady("unruly")
      try watcher.listen("its middle") { (watcher.track("level", of: "moved").last?.value[0] ?? 0) > 9 }

      let death = BootClock.now
      kill(worker.processID, SIGKILL)
      let again = try client.awaitReady("unruly", after: worker.incarnation)
      FaultMeasures.measured(BootClock.now - death, "death to serving again")
      #expect(again.restarts == 1)
      #expect(again.reason.contains("signal 9"), "\(again.reason)")
      #expect(again.processID != worker.processID)
      try watcher.listen("its end") { !watcher.ended.isEmpty }

      let track = watcher.track("level", of: "moved")
      #expect(watcher.ended.map(\.outcome) == [.completed])
      #expect(track.last?.value == 30)
      // The plan's time continued while its worker was absent.
      let duration = try #require(track.last).time - (try #require(track.first)).time
      #expect(abs(duration - 3) < 0.3, "it took \(duration) s")
      #expect(track.contains { $0.isLate }, "those who watch are told that the driver is late")
      // The missed motion, at least a tenth of a second at 10 a second, is caught up within 150 ms and not in one step:
      // an even frame moves 0.083. A worker that is late again at the end has no time left to catch up: an end is
      // exact.
      let course = track.filter { $0.value[0] < 28 }
      #expect(
        DistributedTests.WorkerTests.largestStep(of: course) < 0.6,
        "\(DistributedTests.WorkerTests.aroundLargestStep(of: course))")
      try bystanders.expectUntouched()
    }

    // Clauses: S19.16
    @Test(
      .fault(
        .processes, "A worker is killed that moves a property with onLost", by: "SIGKILL",
        promise: "motiond moves the property to rest, and the next worker continues from there without a jump"))
    func `a property goes where its limits say while its worker is lost`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("lamp")), .outcomes("lamp"))
      let limited = try daemon.ctl("limit", "lamp", "property=level", "range=-1..2", "onLost=rest -1")
      #expect(limited.end == .exited(0), "\(limited.errors)")
      try client.add(.tween("level", to: 1, duration: .seconds(3)), to: "lamp")
      let worker = try client.awaitReady("tween")
      try watcher.listen("its middle") { (watcher.track("level", of: "lamp").last?.value[0] ?? 0) > 0.4 }
      let death = BootClock.now
      kill(worker.processID, SIGKILL)
      try watcher.listen("its way to rest") { (watcher.track("level", of: "lamp").last?.value[0] ?? 1) < 0.2 }
      FaultMeasures.measured(BootClock.now - death, "death to half of the way to rest")
      try watcher.listen("its end") { !watcher.ended.isEmpty }
      #expect(watcher.ended.map(\.outcome) == [.completed])
      let track = watcher.track("level", of: "lamp")
      #expect(track.last?.value == 1)
      let middle = try #require(track.firstIndex { $0.value[0] > 0.4 })
      #expect(track[middle...].contains { $0.isLate && $0.value[0] < 0.2 }, "it goes towards -1 while it is lost")
      // On its way down it moves at most 1.5 units in 1.5 times 150 ms, and on its way back no faster.
      #expect(
        DistributedTests.WorkerTests.largestStep(of: track) < 0.25,
        "\(DistributedTests.WorkerTests.aroundLargestStep(of: track))")
      #expect(try daemon.ctl("list", "properties", "lamp").output.contains("onLost=\"rest -1\""))
    }

    @Test(
      .fault(
        .processes, "A worker is killed while it has nothing to do", by: "SIGKILL",
        promise: "it is started again when it is needed"))
    func `a worker that is killed while idle is restarted for the next plan`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.tween("opacity", to: 0.5, duration: .milliseconds(100)), to: "lamp")
      let first = try client.awaitReady("tween")
      try client.awaitIdle()

      kill(first.processID, SIGKILL)
      try awaitTruth("its death is known") { try client.worker("tween")?.processID == 0 }
      #expect(try !client.status().isActive)
      #expect(try client.state(of: "opacity", of: "lamp")?.state.value == 0.5)
      try client.add(.tween("opacity", to: 1, duration: .milliseconds(100)), to: "lamp")
      _ = try client.awaitReady("tween", after: first.incarnation)
      try client.awaitIdle()
      #expect(try client.state(of: "opacity", of: "lamp")?.state.value == 1)
    }

    @Test(
      .fault(
        .processes, "A worker is killed while it receives its plans",
        by: "SIGKILL between the request for its snapshot and the answer", promise: "its successor receives all of them"
      ))
    func `a worker that is killed during provisioning is replaced by one with all its plans`() throws {
      let stage = try PuppetStage(named: "pull")
      let client = stage.client
      let first = try stage.puppet()
      try first.greet()
      // The worker has its snapshot, and exits before it acknowledges it.
      _ = try first.askForSnapshot()
      let row = try #require(try client.worker("puppet"))
      #expect(row.state == .provisioning)
      kill(row.processID, SIGKILL)
      // Committed while no worker exists: the plan is pending, and part of the next snapshot.
      try client.add(Intention("Marionette"), named: "push", to: "stage")

      let second = try stage.puppet(incarnation: 2)
      let snapshot = try second.serve()
      #expect(snapshot.executors.map(\.key.type).sorted() == ["Marionette", "Puppet"])
      #expect(snapshot.executors.flatMap(\.intentions).map(\.name).count == 2)
      let again = try client.awaitReady("puppet", after: 1)
      #expect(again.incarnation == 2)
      #expect(again.restarts == 1)
    }

    @Test(
      .fault(
        .processes, "A worker is killed again and again while a client commits",
        by: "SIGKILL at random moments, from a seed", promise: "every plan that was committed ends"))
    func `workers that are killed repeatedly during commits lose no plan`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .outcomes(nil))
      let count = 60
      var random = SeededRandom(seed: SeededRandom.seed(of: "workers that are killed again and again"))
      // Three deaths, below the five after which the plugin is given up. Each worker has just received the previous
      // plans, with one more plan on its way, which it may or may not have received by then.
      let moments = [1..<20, 20..<40, 40..<count].map { Int.random(in: $0, using: &random) }
      var kills = 0
      var killed: UInt64 = 0
      for number in 0..<count {
        let victim = moments.contains(number) ? try client.awaitReady("tween", after: killed) : nil
        try client.add(
          .tween("opacity", from: 0, to: 0.25, duration: .milliseconds(200)), to: try TargetName("lamp\(number)"))
        if let victim {
          usleep(.random(in: 0..<20_000, using: &random))
          kill(victim.processID, SIGKILL)
          killed = victim.incarnation
          kills += 1
        }
      }
      try watcher.listen("all ends", within: .seconds(20)) { watcher.ended.count >= count }
      #expect(kills == 3)
      #expect(watcher.ended.count == count)
      #expect(watcher.ended.allSatisfy { $0.outcome == .completed })
      #expect(try client.properties().allSatisfy { $0.state == PropertyState(0.25) })
      let worker = try #require(try client.worker("tween"))
      #expect(worker.restarts == 3)
      #expect(worker.state == .ready)
    }

    @Test(
      .fault(
        .processes, "A worker is suspended for longer than its timeout", by: "SIGSTOP for 5 s",
        promise: "it is fenced, killed and replaced; others are not affected"))
    func `a worker that is suspended for 5 s is fenced and replaced, and others miss no frame`() throws {
      let daemon = try Daemon([.tween(), .unruly()])
      let client = try daemon.connect()
      let bystanders = try Bystanders(daemon)
      let watcher = try Watcher(client, .motion(.target("moved")), .outcomes("moved"))
      try client.add(.unruly(to: 10, duration: .seconds(4)), to: "moved")
      let worker = try client.awaitReady("unruly")
      try watcher.listen("its beginning") { (watcher.track("level", of: "moved").last?.value[0] ?? 0) > 1 }

      kill(worker.processID, SIGSTOP)
      let stopped = BootClock.now
      var replaced: WorkerRow?
      try bystanders.wait(for: "it is replaced", within: .seconds(5)) {
        let row = try client.worker("unruly")
        if let row, row.state == .ready, row.incarnation > worker.incarnation { replaced = row }
        return replaced != nil
      }
      // Five intervals of 200 ms of silence, then a start.
      #expect(BootClock.now - stopped > .milliseconds(700))
      #expect(try #require(replaced).reason.contains("no message was received"), "\(replaced?.reason ?? "")")
      #expect(try daemon.ctl("status").output.contains("no message was received"))
      #expect(!ProcessFacts(worker.processID).isAlive)
      // The process that this would resume no longer exists; the five seconds pass all the same.
      kill(worker.processID, SIGCONT)
      try watcher.listen("its end") { !watcher.ended.isEmpty }
      #expect(watcher.ended.map(\.outcome) == [.completed])
      #expect(watcher.track("level", of: "moved").last?.value == 10)
      try bystanders.expectUntouched()
    }

    @Test(
      .fault(
        .processes, "A worker is suspended for a moment", by: "SIGSTOP for less than its timeout",
        promise: "it is late, not replaced, and continues without a jump"))
    func `a worker that is suspended briefly is late, is not replaced, and causes no jump`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.tween("level", to: 1, duration: .milliseconds(10)), to: "warm-up")
      let worker = try client.awaitReady("tween")
      try client.awaitIdle()
      let watcher = try Watcher(client, .motion(.target("moved")), .outcomes("moved"))
      // The worker is suspended while the tween is still in its delay, and the tween begins to move meanwhile.
      let began = try client.status().clock.time
      func awaitTime(_ time: Double) throws {
        try watcher.listen("\(time) s") { try client.status().clock.time >= began + time }
      }
      try client.add(
        .tween("level", to: 60, duration: .milliseconds(1500), delay: .milliseconds(500)), to: "moved")
      try awaitTime(0.35)
      kill(worker.processID, SIGSTOP)
      try awaitTime(0.75)
      kill(worker.processID, SIGCONT)
      try watcher.listen("its end") { !watcher.ended.isEmpty }

      let track = watcher.track("level", of: "moved")
      #expect(watcher.ended.map(\.outcome) == [.completed])
      #expect(track.last?.value == 60)
      #expect(track.contains { $0.isLate })
      // A quarter of a second was missed, of 40 or more a second: a step of ten if nothing caught it up smoothly.
      #expect(
        DistributedTests.WorkerTests.largestStep(of: track) < 4,
        "\(DistributedTests.WorkerTests.aroundLargestStep(of: track))")
      let now = try #require(try client.worker("tween"))
      #expect(now.incarnation == worker.incarnation)
      #expect(now.restarts == 0)
    }

    @Test(
      .fault(
        .peers, "A worker that was replaced still sends messages",
        by: "a worker simulated by the test sends updates of its old incarnation",
        promise: "they are dropped and counted, and move nothing"))
    func `late messages of a replaced worker are dropped and counted`() throws {
      let stage = try PuppetStage()
      let client = stage.client
      let old = try stage.puppet()
      let executor = try #require(try old.serve().executors.first)
      let property = try #require(executor.intentions.first?.starts.first?.handle)
      try old.tell(.activity(executor.handle, true))
      try old.goOn(until: "its words count") {
        try old.write(property, 1, by: executor.handle)
        return try client.state(of: "level", of: "stage")?.state.value == 1
      }

      // The puppet sends nothing for longer than five intervals; the test plays its successor too.
      let new = try stage.puppet(incarnation: 2)
      let successor = try #require(try new.serve().executors.first)
      try new.tell(.activity(successor.handle, true))
      try new.goOn(until: "the successor's words count") {
        try new.write(property, 2, by: successor.handle)
        return try client.state(of: "level", of: "stage")?.state.value == 2
      }
      let counted = try #require(try client.status()["foreign-messages"])
      let watcher = try Watcher(client, .motion(.target("stage")))

      // The process of the first worker has exited, and its connections are closed. So its messages are sent over its
      // successor's connections: on a subscribed topic, and on the link.
      new.forgetAnswers()
      for _ in 0..<10 {
        try new.write(property, 99, by: successor.handle, as: 1)
        try new.say(
          .update(
            WorkerUpdate(
              frame: new.lastFrame, events: [.init(99, .started(successor.handle, "late", moving: []))],
              commandsApplied: 1)), as: 1)
        try new.sayOnLink(.resync(commandsApplied: 0), as: 1)
        try new.sayOnLink(
          .hello(Hello(address: old.address, processID: getpid(), executors: ScriptedPlugin.types)), as: 1)
      }
      try new.goOn(until: "all of it is counted") {
        try client.status()["foreign-messages"] ?? 0 >= counted + 40
      }
      try new.goOn(until: "the successor is heard still") {
        try new.write(property, 3, by: successor.handle)
        return try client.state(of: "level", of: "stage")?.state.value == 3
      }
      #expect(new.answers.isEmpty)
      try watcher.take(upTo: .milliseconds(100))
      // From 2 to 3, slightly beyond 3 if the successor was late; but far from 99.
      let track = watcher.track("level", of: "stage")
      #expect(track.allSatisfy { $0.value[0] < 4 }, "\(track)")
      #expect(try client.tokens().isEmpty)
      #expect(try client.worker("puppet")?.incarnation == 2)
    }

    @Test(
      .fault(
        .processes, "motiond itself is suspended", by: "SIGSTOP of motiond for 5 s",
        promise: "no worker is fenced; no property jumps; frames are skipped, which is logged"))
    func `a coordinator that is suspended for 5 s fences no worker`() throws {
      let daemon = try Daemon([.tween(), .unruly()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("moved")), .outcomes("moved"))
      try client.add(
        .tween("glow", from: 0, to: 1, duration: .seconds(1), repetition: .forever, autoreverses: true), to: "moved")
      try client.add(.unruly(to: 10, duration: .seconds(2)), to: "moved")
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "moved")
      let workers = [try client.awaitReady("tween"), try client.awaitReady("unruly")]
      try watcher.listen("they move") { (watcher.track("level", of: "moved").last?.value[0] ?? 0) > 2 }

      daemon.process.send(SIGSTOP)
      try awaitTruth("it stands") { ProcessFacts(daemon.process.processID).isStopped }
      letPass(.seconds(5))
      daemon.process.send(SIGCONT)
      try watcher.listen("its plans end") { !watcher.ended.isEmpty }

      #expect(watcher.ended.map(\.outcome) == [.completed])
      #expect(watcher.track("level", of: "moved").last?.value == 10)
      for worker in workers {
        let now = try #require(try client.worker(worker.address.plugin))
        #expect(now.incarnation == worker.incarnation)
        #expect(now.processID == worker.processID)
        #expect(now.restarts == 0)
        #expect(now.state == .ready)
      }
      let status = try client.status()
      #expect(status["stalls"] ?? 0 >= 1)
      #expect(status["link-stalls"] ?? 0 >= 1)
      for name in ["link-fenced", "link-gaps", "link-old", "link-unexpected", "refused-tokens"] {
        #expect(status[name] != nil, "\(name) is not in the status")
      }
      #expect(status["skipped-frames"] ?? 0 > 300, "time stood for the frames that were missed")
      // Simulated time stopped together with the daemon, so nothing jumped.
      #expect(DistributedTests.WorkerTests.largestStep(of: watcher.track("level", of: "moved")) < 1)
      let spring = watcher.track("position", of: "moved")
      #expect(Watcher.isGapless(spring))
      #expect(DistributedTests.WorkerTests.largestStep(of: spring) < 30)
    }

    @Test func `workers exit by themselves on SIGTERM, and the daemon after them`() throws {
      let daemon = try Daemon([.tween(), .unruly()])
      let client = try daemon.connect()
      try client.add(.tween("opacity", from: 0, to: 1, duration: .seconds(60)), to: "a")
      try client.add(.unruly(duration: .seconds(60)), to: "a")
      let workers = [try client.awaitReady("tween"), try client.awaitReady("unruly")]
      #expect(workers.allSatisfy { ProcessFacts($0.processID).isAlive })

      let asked = BootClock.now
      #expect(try daemon.terminate() == .exited(0))
      // Each worker was notified and exited within the first step of the stop ladder.
      #expect(BootClock.now - asked < .seconds(2))
      #expect(workers.allSatisfy { !ProcessFacts($0.processID).isAlive })
      #expect(daemon.log.count(of: "has stopped: it exited as requested (code 0)") == 2, "\(daemon.log)")
    }

    @Test(
      .fault(
        .processes, "motiond is killed", by: "SIGKILL; also with workers that ignore their lifeline",
        promise: "after 2 s no worker is left"), arguments: ["none", "ignores-lifeline"])
    func `two seconds after motiond was killed no worker is left`(vice: String) throws {
      let daemon = try Daemon([.tween(), .unruly(vice)])
      let client = try daemon.connect()
      try client.add(.tween("opacity", from: 0, to: 1, duration: .seconds(60)), to: "a")
      try client.add(.unruly(duration: .seconds(60)), to: "a")
      let workers = [try client.awaitReady("tween"), try client.awaitReady("unruly")]
      #expect(workers.allSatisfy { ProcessFacts($0.processID).isAlive })

      daemon.process.kill()
      try awaitTruth("no worker is left", within: .seconds(2)) {
        workers.allSatisfy { !ProcessFacts($0.processID).isAlive }
      }
    }

    @Test(
      .fault(
        .processes, "A worker ignores the request to end", by: "a plugin that ignores SIGTERM",
        promise: "it is killed, and motiond ends in time"))
    func `a worker that ignores TERM is killed, and the daemon ends in time`() throws {
      let daemon = try Daemon([.unruly("ignores-term")])
      let client = try daemon.connect()
      try client.add(.unruly(duration: .seconds(60)), to: "a")
      let worker = try client.awaitReady("unruly")
      let asked = BootClock.now
      #expect(try daemon.terminate() == .exited(0))
      let time = BootClock.now - asked
      // Two steps of a second each request the end; the third cannot be ignored.
      #expect(time > .seconds(1.8) && time < .seconds(3.7), "\(time)")
      #expect(!ProcessFacts(worker.processID).isAlive)
    }
  }
}

extension String {
  /// The number of occurrences of a text in this string.
  func count(of text: String) -> Int { ranges(of: text).count }
}
