import Faults
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import Trajectories
import ZeroMQ

extension DistributedTests {
  /// Workers that motiond did not start, over tcp with CURVE: assignments, leases, and the effects of network faults.
  @Suite struct RemoteWorkerTests {
    /// Longer than any lease, with its margin.
    static let leaseTimeout = Duration.seconds(25)

    /// Fades a target, which begins at 1, to 0.
    private func move(_ client: MotionClient, _ target: TargetName, for time: Duration = .milliseconds(400)) throws {
      try client.add(.tween("opacity", to: 0, duration: time), to: target)
    }

    /// Whether no worker has the assignment, and motiond waits for one.
    private func isVacant(_ client: MotionClient) throws -> Bool {
      guard let row = try client.worker("tween") else { return false }
      return row.state == .starting && row.reason.hasPrefix("waits for a worker")
    }

    // Clauses: S14.10
    @Test func `a worker started by hand serves over the network, and waits for the next daemon`() throws {
      let stage = try RemoteWorkerStage()
      let client = try stage.daemon.connect()
      try move(client, "lamp")
      try awaitTruth("it is waited for") { try isVacant(client) }
      let watcher = try Watcher(client, .motion(.target("lamp")), .outcomes("lamp"))
      let program = try stage.start()
      let row = try client.awaitReady("tween")
      #expect(row.processID == 0, "it is not ours to signal")
      try watcher.listen("its end") { !watcher.ended.isEmpty }
      #expect(watcher.ended.map(\.outcome) == [.completed])
      let track = watcher.track("opacity", of: "lamp")
      #expect(track.last?.value == 0)
      #expect(track.count > 20)
      #expect(Watcher.jump(of: track).value < 0.05, "\(track)")

      // The worker is told to shut down, and waits for the next start of the daemon.
      try stage.daemon.terminate()
      try awaitTruth("it was told") { program.text.contains("motiond shut it down") }
      #expect(program.process.isRunning)
      program.process.send(SIGTERM)
      #expect(try program.process.awaitEnd() == .exited(0))
    }

    // Clauses: S14.9
    @Test(
      .fault(
        .processes, "motiond is killed while a worker on another machine serves",
        by: "SIGKILL, and a start at the same ports", promise: "the same process reconnects at once"))
    func `a remote worker returns to a restarted daemon before the end of its lease`() throws {
      let stage = try RemoteWorkerStage()
      let program = try stage.start()
      var client = try stage.daemon.connect()
      try move(client, "lamp", for: .seconds(5))
      _ = try client.awaitReady("tween")

      let killed = BootClock.now
      try stage.restartDaemon()
      client = try stage.daemon.connect()
      let again = try client.awaitReady("tween")
      let time = BootClock.now - killed
      #expect(time < .seconds(5), "it took \(time), and a lease lasts 15 s")
      #expect(again.incarnation == 1)
      #expect(program.process.isRunning)
      let watcher = try Watcher(client, .motion(.target("again")), .outcomes("again"))
      try move(client, "again")
      try watcher.listen("its end") { !watcher.ended.isEmpty }
      #expect(watcher.track("opacity", of: "again").last?.value == 0)
      // The restart was detected by the quick way of the two: no lease had to end.
      #expect(
        program.text.contains("claims its assignment again: the connection to motiond is broken"), "\(program.text)")
      for words in ["lost its lease", "its lease has expired", "no messages from motiond"] {
        #expect(!program.text.contains(words), "\(program.text)")
      }
    }

    // Clauses: S14.7
    @Test(
      .fault(
        .processes, "A worker on another machine is suspended past its lease", by: "SIGSTOP for longer than the lease",
        promise: "it sends no old messages, and claims its assignment again"))
    func `a worker suspended past its lease sends no old messages, and claims its assignment again`() throws {
      let stage = try RemoteWorkerStage()
      let program = try stage.start()
      let client = try stage.daemon.connect()
      try move(client, "lamp", for: .seconds(40))
      let first = try client.awaitReady("tween")
      let watcher = try Watcher(client, .motion(.target("lamp")))
      try watcher.listen("it moves") { watcher.track("opacity", of: "lamp").count > 5 }
      program.process.send(SIGSTOP)
      defer { program.process.send(SIGCONT) }
      try awaitTruth("it is fenced", within: Self.leaseTimeout) { try isVacant(client) }
      // Also beyond the first lease, which it may have had when it was suspended.
      letPass(.seconds(16))
      let before = try client.status()
      program.process.send(SIGCONT)
      let second = try client.awaitReady("tween", after: first.incarnation)
      #expect(second.incarnation == first.incarnation + 1)
      let after = try client.status()
      for name in ["foreign-messages", "forged-messages", "link-fenced"] {
        #expect(after[name] == before[name], "\(name): of its old life it has nothing to say")
      }
      try awaitTruth("it has said so") { program.text.contains("its lease has expired") }
      let count = watcher.track("opacity", of: "lamp").count
      try watcher.listen("it moves on") { watcher.track("opacity", of: "lamp").count > count + 5 }
    }

    // Clauses: S14.9
    @Test(
      .fault(
        .network, "A worker on another machine loses motiond for longer than its lease",
        by: "motiond is killed and stays away", promise: "it holds or rests, as its manifest states, once"),
      arguments: [PluginManifest.OnLost.rest, .hold])
    func `a remote worker that loses its lease holds or rests as its manifest states, once`(
      onLost: PluginManifest.OnLost
    ) throws {
      var plugin = try PluginFolder.unruly()
      plugin.manifest.onLost = onLost
      let stage = try RemoteWorkerStage(of: plugin)
      let program = try stage.start()
      func rests() -> Int { program.text.count(of: "puts its outputs to rest") }
      var client = try stage.daemon.connect()
      try client.add(.unruly(to: 60, duration: .seconds(600)), to: "lamp")
      _ = try client.awaitReady("unruly")
      try awaitTruth("it moves") { try client.state(of: "level", of: "lamp").map { $0.state.value[0] > 0 } ?? false }

      stage.daemon.process.kill()
      let killed = BootClock.now
      try awaitTruth("it sees it") { program.text.contains("claims its assignment again") }
      #expect(rests() == 0, "its lease lasts")
      try awaitTruth("it lets go", within: Self.leaseTimeout) { program.text.contains("has lost its lease") }
      // 3 s from its last message; it sends five a second.
      #expect(BootClock.now - killed > .seconds(2))
      if onLost == .rest { try awaitTruth("it is at rest") { rests() == 1 } }
      try stage.restartDaemon()
      client = try stage.daemon.connect()
      try client.add(.unruly(to: 60, duration: .seconds(600)), to: "lamp")
      _ = try client.awaitReady("unruly")
      #expect(rests() == (onLost == .rest ? 1 : 0))
      // A worker that is asked to exit leaves nothing moving either.
      program.process.send(SIGTERM)
      #expect(try program.process.awaitEnd() == .exited(0))
      #expect(rests() == (onLost == .rest ? 2 : 0), "\(program.text)")
    }

    // Clauses: S14.4
    @Test(
      .fault(
        .peers, "A worker sends messages of an epoch that is over",
        by: "a worker simulated by the test, with everything else right", promise: "dropped and counted"))
    func `a message of a past epoch is dropped and counted`() throws {
      let stage = try RemoteWorkerStage()
      let before = try stage.puppet(attempt: 1)
      try stage.restartDaemon()
      let client = try stage.daemon.connect()
      let puppet = try stage.puppet(attempt: 2)
      #expect(puppet.epoch == before.epoch + 1)
      #expect(puppet.incarnation == before.incarnation, "numbers begin again, so that the epoch alone tells them apart")
      try move(client, "lamp", for: .seconds(60))
      let executor = try #require(try puppet.serve(executors: stage.executors).executors.first)
      let property = try #require(executor.intentions.first?.starts.first?.handle)
      try puppet.tell(.activity(executor.handle, true))
      func awaitOpacity(_ value: Lanes) throws {
        try puppet.goOn(until: "its words count") {
          try puppet.write(property, value, by: executor.handle)
          return try client.state(of: "opacity", of: "lamp")?.state.value == value
        }
      }
      try awaitOpacity(0.5)

      let counted = try #require(try client.status()["foreign-messages"])
      puppet.forgetAnswers()
      for _ in 0..<10 {
        try puppet.write(property, 99, by: executor.handle, inEpoch: before.epoch)
        try puppet.say(
          .update(
            WorkerUpdate(
              frame: puppet.lastFrame, events: [.init(99, .started(executor.handle, "late", moving: []))],
              commandsApplied: 1)), inEpoch: before.epoch)
        try puppet.sayOnLink(.resync(commandsApplied: 0), inEpoch: before.epoch)
        try puppet.sayOnLink(
          .hello(Hello(address: puppet.address, processID: getpid(), executors: stage.executors)), inEpoch: before.epoch
        )
      }
      // The claim of the earlier epoch, which was under way for long.
      let context = try ZeroMQContext()
      let late = try stage.knock(attempt: 1, in: context)
      let watcher = try Watcher(client, .motion(.target("lamp")))
      try puppet.goOn(until: "all of it is counted") {
        try client.status()["foreign-messages"] ?? 0 >= counted + 41
      }
      try awaitOpacity(0.25)
      #expect(try late.receiveOne().message == nil)
      #expect(puppet.answers.isEmpty)
      try watcher.take(upTo: .milliseconds(100))
      let track = watcher.track("opacity", of: "lamp")
      #expect(track.allSatisfy { $0.value[0] < 1 }, "\(track)")
      #expect(try client.tokens().isEmpty)
      let row = try #require(try client.worker("tween"))
      #expect(row.state == .ready && row.incarnation == puppet.incarnation)
    }

    // Clauses: S14.8, S14.11
    @Test(
      .fault(
        .operators, "Two machines have the same key", by: "a second worker with the key of the first",
        promise: "it waits until the first one's lease has certainly ended"))
    func `of two workers with the same key, the second waits for the end of the first's lease`() throws {
      let stage = try RemoteWorkerStage()
      let first = try stage.start()
      let client = try stage.daemon.connect()
      try move(client, "lamp")
      let row = try client.awaitReady("tween")
      let second = try stage.start()
      try awaitTruth("it is told why") { second.text.contains("another process") }
      #expect(try client.worker("tween")?.incarnation == row.incarnation)
      #expect(try client.status()["refused-claims"] ?? 0 > 0)

      let killed = BootClock.now
      first.process.kill()
      _ = try client.awaitReady("tween", after: row.incarnation, within: Self.leaseTimeout * 2)
      // Its last message was at most a second before it was killed, when it was idle.
      #expect(BootClock.now - killed > .seconds(13))
      #expect(second.text.contains("has an assignment"))
    }

    // Clauses: S14.11
    @Test(
      .fault(
        .operators, "A worker connects with a key that is not authorized, or for another worker",
        by: "keys that are not in the file, or with another name",
        promise: "no assignment, and the log states the remedy"
      ))
    func `a key that is not authorized, or for another worker, gets no assignment`() throws {
      let stage = try RemoteWorkerStage(authorized: ["stage": "tween", "other": "gesture"], strangers: ["thief"])
      let client = try stage.daemon.connect()
      let other = try stage.start("other")
      let thief = try stage.start("thief")
      try awaitTruth("it is told why") { other.text.contains("this key is not authorized for tween.0") }
      try awaitTruth("it is not let in") { try client.status()["refused-peers-key"] ?? 0 > 0 }
      #expect(!thief.text.contains("has an assignment") && !other.text.contains("has an assignment"))
      let options = try stage.start(options: ["--instance", "16"])
      #expect(try options.process.awaitEnd() == .exited(2))
      #expect(options.text.contains("--instance is a number from 0 to 15"))
      let program = try stage.start()
      try move(client, "lamp")
      _ = try client.awaitReady("tween")

      // A key that is removed is refused at once.
      try stage.directory.write("", to: "authorized")
      stage.daemon.process.send(SIGHUP)
      try awaitTruth("it is out") { try isVacant(client) }
      #expect(program.process.isRunning)
    }

    // Clauses: S14.10
    @Test func `a local worker is replaced by a remote one when its key is authorized and it connects`() throws {
      let stage = try RemoteWorkerStage(isHere: true, authorized: [:], strangers: ["stage"])
      let client = try stage.daemon.connect()
      let watcher = try Watcher(client, .motion(.target("lamp")))
      try move(client, "lamp", for: .seconds(600))
      let here = try client.awaitReady("tween")
      try watcher.listen("it moves") { watcher.track("opacity", of: "lamp").count > 5 }
      let key = try CurveKeyFile.publicKey(stage.directory["stage.pub"])
      try stage.directory.write("worker \(key.z85) tween\n", to: "authorized")
      stage.daemon.process.send(SIGHUP)
      try awaitTruth("it counts") { stage.daemon.log.contains("1 keys are authorized") }
      #expect(try client.worker("tween")?.processID == here.processID, "nobody has come yet")

      let program = try stage.start()
      let there = try client.awaitReady("tween", after: here.incarnation)
      #expect(there.processID == 0)
      #expect(!ProcessFacts(here.processID).isAlive)
      #expect(program.text.contains("which is shutting down"), "\(program.text)")
      let count = watcher.track("opacity", of: "lamp").count
      try watcher.listen("it moves on") { watcher.track("opacity", of: "lamp").count > count + 5 }
      #expect(Watcher.jump(of: watcher.track("opacity", of: "lamp")).value < 0.05)
    }

    // Clauses: S14.12
    @Test func `a worker whose key is removed is replaced by a local one after its lease`() throws {
      let stage = try RemoteWorkerStage(isHere: true)
      let client = try stage.daemon.connect()
      let watcher = try Watcher(client, .motion(.target("lamp")))
      try move(client, "lamp", for: .seconds(600))
      let program = try stage.start()
      let there = try client.awaitReady("tween")
      try watcher.listen("it moves") { watcher.track("opacity", of: "lamp").count > 5 }
      try stage.directory.write("", to: "authorized")
      let revoked = BootClock.now
      stage.daemon.process.send(SIGHUP)
      let here = try client.awaitReady("tween", after: there.incarnation, within: Self.leaseTimeout)
      #expect(here.processID != 0 && ProcessFacts(here.processID).isAlive)
      // While something moves a lease lasts three seconds, of which a part had passed.
      #expect(BootClock.now - revoked > .seconds(1), "who had the assignment may have acted for it so long")
      #expect(program.process.isRunning)
      try awaitLog(of: stage.daemon, "tween.0 has no authorized key any more")
      let count = watcher.track("opacity", of: "lamp").count
      try watcher.listen("it moves on") { watcher.track("opacity", of: "lamp").count > count + 5 }
    }

    @Test(
      .fault(
        .limits, "The system provides no thread", by: "EAGAIN from clone, by strace",
        promise: "the claim is refused with the reason and accepted later; nothing ends"))
    func `a claim is refused while no thread can be started, and accepted later`() throws {
      let stage = try RemoteWorkerStage()
      let client = try stage.daemon.connect()
      let tracer = try ChildProcess(
        "/usr/bin/strace",
        [
          "-f", "-p", "\(stage.daemon.process.processID)", "-o", "/dev/null", "-e", "trace=clone3,clone", "-e",
          "inject=clone3,clone:error=EAGAIN",
        ],
        environment: [:], output: stage.directory["strace"], errors: stage.directory["strace"])
      try awaitTruth("strace is there") { ProcessFacts(stage.daemon.process.processID).isTraced }
      let program = try stage.start()
      try awaitTruth("it is told why") { program.text.contains("its thread cannot be started") }
      #expect(try client.status().processID == stage.daemon.process.processID)
      tracer.send(SIGTERM)
      _ = try tracer.awaitEnd()
      try awaitTruth("it has an assignment") { program.text.contains("has an assignment") }
    }

    // Clauses: S14.1, S14.7
    @Test(
      .fault(
        .network, "The cable to another machine is cut",
        by: "a network namespace whose link goes down for longer than the lease",
        promise: "only the lease is lost: the plan continues"),
      .enabled(if: Namespace.isPossible, "network namespaces are for root"))
    func `after a cable is cut past the lease and plugged in, the plan continues`() throws {
      let namespace = try Namespace()
      let stage = try RemoteWorkerStage(host: namespace.host)
      let program = try stage.start(by: namespace.way)
      let client = try stage.daemon.connect()
      try move(client, "lamp", for: .seconds(60))
      let first = try client.awaitReady("tween")
      let watcher = try Watcher(client, .motion(.target("lamp")))
      try watcher.listen("it moves") { watcher.track("opacity", of: "lamp").count > 5 }

      let cut = BootClock.now
      try namespace.cut()
      try awaitTruth("it is fenced", within: Self.leaseTimeout) { try isVacant(client) }
      FaultMeasures.measured(BootClock.now - cut, "cut to fence")
      try awaitTruth("it lets go", within: Self.leaseTimeout) { program.text.contains("its lease has expired") }
      let repaired = BootClock.now
      try namespace.plugIn()
      let second = try client.awaitReady("tween", after: first.incarnation, within: Self.leaseTimeout)
      FaultMeasures.measured(BootClock.now - repaired, "cable plugged in to serving again")
      #expect(second.incarnation > first.incarnation)
      let count = watcher.track("opacity", of: "lamp").count
      try watcher.listen("it moves on") { watcher.track("opacity", of: "lamp").count > count + 5 }
      #expect(program.process.isRunning)
    }
  }
}
