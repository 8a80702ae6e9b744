import Faults
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// A worker whose plugin is not trusted, and the process between it and motiond.
  @Suite struct WorkerGatewayTests {
    private func stage() throws -> RemoteWorkerStage {
      try RemoteWorkerStage(authorized: ["gate": "tween"], strangers: ["far", "thief"], rate: Neighbourhood.rate)
    }

    /// Fades a target, which begins at 1, to 0 and watches it get there.
    private func expectFade(of target: TargetName, _ client: MotionClient) throws {
      let watcher = try Watcher(client, .motion(.target(target)), .outcomes(target))
      try client.add(.tween("opacity", to: 0, duration: .milliseconds(400)), to: target)
      try watcher.listen("its end") { !watcher.ended.isEmpty }
      #expect(watcher.ended.map(\.outcome) == [.completed])
      let track = watcher.track("opacity", of: target)
      #expect(track.last?.value == 0 && track.count > 5, "\(track)")
    }

    // Clauses: S16.10
    @Test func `a worker behind a gateway serves as a direct remote worker does`() throws {
      let stage = try stage()
      let gateway = try WorkerGatewayProcess(to: stage)
      let program = try gateway.startWorker()
      let client = try stage.daemon.connect()
      try client.add(.tween("opacity", to: 0, duration: .milliseconds(10)), to: "first")
      let row = try client.awaitReady("tween")
      #expect(row.processID == 0, "it is not ours to signal")
      try expectFade(of: "lamp", client)

      // Another run of the daemon, with another epoch, through the same gateway.
      try stage.restartDaemon()
      let again = try stage.daemon.connect()
      try again.add(.tween("opacity", to: 0, duration: .milliseconds(10)), to: "second")
      _ = try again.awaitReady("tween")
      #expect(
        program.text.contains("claims its assignment again: the connection to motiond is broken"), "\(program.text)")
      try expectFade(of: "again", again)
      try stage.daemon.terminate()
      try awaitTruth("it was told") { program.text.contains("motiond shut it down") }
      gateway.process.send(SIGTERM)
      #expect(try gateway.process.awaitEnd() == .exited(0))
    }

    // Clauses: S16.10
    @Test(
      .fault(
        .limits, "A worker exhausts its gateway", by: "one message of parts without end",
        promise: "only that gateway ends; the next one serves"))
    func `a worker that exhausts its gateway's memory ends that gateway alone`() throws {
      let stage = try stage()
      let gateway = try WorkerGatewayProcess(to: stage, "--memory", "16")
      let worker = try gateway.startWorker()
      // One message of the holder of the same key, in parts of no bytes: libzmq keeps 64 for each. Made while no motion
      // is watched.
      let parts = (0..<300_000).map { _ in Message([]) }
      let neighbourhood = try Neighbourhood(of: stage.daemon)
      let client = neighbourhood.client
      try client.add(.tween("opacity", to: 0, duration: .seconds(60)), to: "lamp")
      let row = try client.awaitReady("tween")
      let memory = neighbourhood.memory

      let rogue = try gateway.knock("far")
      #expect(try rogue.send(parts) == .sent)
      let end = try gateway.process.awaitEnd()
      #expect(end != .exited(0), "\(end): \(gateway.log.suffix(500))")
      try neighbourhood.expectPeace(after: "the gateway's exhaustion", since: memory)
      withExtendedLifetime(rogue) {}

      try gateway.restart()
      let again = try client.awaitReady("tween", after: row.incarnation, within: RemoteWorkerTests.leaseTimeout)
      #expect(again.incarnation == row.incarnation + 1)
      #expect(worker.process.isRunning)
      try expectFade(of: "again", client)
    }

    // Clauses: S16.10
    @Test(
      .fault(
        .peers, "A peer that is not the worker connects to the gateway for workers",
        by: "other keys, and messages of clients",
        promise: "no message is forwarded"))
    func `a gateway for a worker refuses other keys and messages of clients`() throws {
      let stage = try stage()
      let gateway = try WorkerGatewayProcess(to: stage)
      let client = try stage.daemon.connect()
      let thief = try gateway.startWorker("thief")
      try awaitTruth("it is told of") { gateway.log.contains("does not have the key of --admit") }
      #expect(!thief.text.contains("has an assignment"))

      // The holder of the key sends messages of a client, of another worker, and of no role at all.
      let rogue = try gateway.knock("far")
      let claim = Claim(address: WorkerAddress("gesture", 0), claimant: 5, attempt: 1, processID: 1, host: "x")
      for body in [Envelope.Body.stop([]), .restart("tween"), .query(.status), .claim(claim)] {
        _ = try rogue.send(Envelope(incarnation: 7, sequence: 9, body).encoded())
      }
      _ = try rogue.send([1, 2, 3])
      let poller = Poller()
      _ = poller.add(rogue)
      #expect(try poller.poll(timeout: factTimeout) == .ready(1))
      let heard = try #require(try rogue.receiveOne().message)
      let answer = try heard.withUnsafeBytes { try Envelope(decoding: $0) }
      guard case .refusal(let refusal) = answer.body else { throw Problem("\(answer)") }
      #expect(refusal.code.rawValue == "no-assignment" && answer.replyTo == 9)
      let status = try client.status()
      #expect(status["malformed-messages"] == 0 && status["foreign-messages"] == 0, "motiond has heard of none")
    }

    // Clauses: S16.10
    @Test func `a gateway whose key is authorized later serves from then on`() throws {
      let stage = try RemoteWorkerStage(authorized: ["other": "gesture"], strangers: ["gate", "far"])
      let gateway = try WorkerGatewayProcess(to: stage)
      let program = try gateway.startWorker()
      try awaitTruth("it is told") { gateway.log.contains("accepts this gateway's key as a worker's") }
      let key = try CurveKeyFile.publicKey(stage.directory["gate.pub"])
      try stage.directory.write("worker \(key.z85) tween\n", to: "authorized")
      stage.daemon.process.send(SIGHUP)
      try awaitTruth("it has an assignment") { program.text.contains("has an assignment") }
      try expectFade(of: "lamp", stage.daemon.connect())
    }
  }
}
