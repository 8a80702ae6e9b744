import Faults
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Untrusted clients, and the process between them and motiond.
  @Suite struct GatewayTests {
    // Clauses: S16.18
    @Test(
      .fault(
        .peers, "A stranger makes motiond send to any host", by: "SendOSC through a gateway",
        promise: "refused, unless the gateway is configured to allow the type"))
    func `a stranger sends nothing to other hosts unless the gateway allows it`() throws {
      let daemon = try Daemon([.osc()])
      let listener = try DatagramListener()
      let level = PropertyReference("ball", "level")
      let gateway = try GatewayProcess(to: daemon)
      let stranger = try gateway.connect()
      try stranger.add(.springTo("level", 5), to: "ball")
      let error = #expect(throws: MotionClientError.self) {
        try stranger.add(.sendOSC(level, port: listener.port), to: "ball")
      }
      #expect(error?.refusal?.code.rawValue == "forbidden" && error?.refusal?.remedy.contains("SendOSC") == true)
      #expect(try daemon.connect().plans(of: "ball").map(\.intention.type) == ["SpringTo"])
      let open = try GatewayProcess(to: daemon, in: "open", "--allow-outside", "SendOSC")
      let allowed = try open.connect()
      try allowed.add(.sendOSC(level, port: listener.port), to: "ball")
      #expect(!listener.next().isEmpty)
      let restricted = try GatewayProcess(to: daemon, in: "springs", "--allow-types", "SpringTo")
      let springs = try restricted.connect()
      try springs.add(.springTo("level", 6), to: "ball")
      #expect(throws: MotionClientError.self) { try springs.add(.draggable(), to: "ball") }
    }

    @Test func `a client of the gateway commits, queries, watches and stops as a client of motiond does`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      let client = try gateway.connect()
      let watcher = try Watcher(client, .motion(.target("ball")), .outcomes(nil))
      try client.add(.springTo("position", [3, 4]), to: "ball")
      try watcher.listen(for: [3, 4], of: "position", of: "ball")
      try watcher.listen("its end is told") { watcher.ended.contains { $0.target == "ball" } }
      #expect(watcher.missed == 0)
      #expect(Watcher.isGapless(watcher.track("position", of: "ball")))

      // motiond's own clients see the same state.
      let own = try daemon.connect()
      #expect(try own.state(of: "position", of: "ball")?.state == client.state(of: "position", of: "ball")?.state)
      #expect(own.epoch == client.epoch)
      // A second client receives the present values although the first has already subscribed to them; the first
      // receives nothing of this.
      let second = try Watcher(gateway.connect(), .motion(.target("ball")))
      #expect(second.complete.first?[PropertyReference("ball", "position")]?.value == [3, 4])
      try watcher.take(upTo: .milliseconds(20))
      #expect(watcher.missed == 0)

      try client.add(.springTo("position", [9, 9], .physical(tension: 10, friction: 0)), to: "ball")
      try client.stop(["ball"])
      try client.awaitIdle()
      // An error of motiond is passed on in motiond's own words.
      let error = #expect(throws: MotionClientError.self) { try client.add(Intention("Nonsense"), to: "ball") }
      #expect(error?.refusal?.code == .unknownType)
    }

    @Test func `the first commit through a gateway is answered without a resend`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      let client = try gateway.connect()
      let before = BootClock.now
      // A request whose admission depends on the size of the runtime.
      try client.add(.springTo("position", [3, 4]), to: "ball")
      #expect(BootClock.now - before < .milliseconds(900), "a client says it again after a second")
    }

    @Test func `a request without permission is refused with the option that allows it`() throws {
      let daemon = try Daemon()
      try daemon.connect().add(.springTo("position", [3, 4]), to: "ball")
      let gateway = try GatewayProcess(to: daemon, "--target", "visitor-")
      let client = try gateway.connect()
      try client.add(.springTo("position", [1, 1]), to: "visitor-1")
      func refusal(_ body: () throws -> Void) -> Refusal? {
        do { try body() } catch { return (error as? MotionClientError)?.refusal }
        return nil
      }
      #expect(refusal { try client.add(.springTo("position", [1, 1]), to: "ball") }?.code.rawValue == "forbidden")
      #expect(refusal { try client.clock(.pause) }?.remedy.contains("--allow clock") == true)
      #expect(refusal { try client.restart("tween") } != nil)
      #expect(refusal { try client.stop() } != nil)
      // The client does not see other clients' targets either.
      try awaitTruth("its own is there") { try !client.properties().isEmpty }
      #expect(try client.properties().map(\.reference.target) == ["visitor-1"])
      #expect(try daemon.connect().properties().count == 2)
      let subscription = try client.subscribe(to: [.values(.everything), .values(.target("visitor-1"))])
      try awaitTruth("its own topic is heard") {
        try subscription.next(timeout: .milliseconds(50)) != nil
      }
      #expect(!subscription.isSynchronised, "nothing is said of everything")

      let reader = try GatewayProcess(to: daemon, in: "reader", "--read-only")
      let watching = try reader.connect()
      let refused = refusal { try watching.add(.springTo("position", [1, 1]), to: "ball") }
      #expect(refused?.message.contains("does not allow commit") == true)
      #expect(try watching.properties().count == 2)
    }

    // Clauses: S11.51
    @Test func `a gateway shows the past and the recording to clients with the permission`() throws {
      let daemon = try Daemon()
      let own = try daemon.connect()
      try own.add(.springTo("position", [3, 4]), to: "ball")
      try own.awaitIdle()
      try own.startRecording(to: daemon.directory["show.mcap"])
      let open = try GatewayProcess(to: daemon, in: "history", "--allow", "history")
      let client = try open.connect()
      let segment = try #require(try client.history().segments.last)
      #expect(try !client.history(segment: segment.number, from: 0).isEmpty)
      #expect(try client.status().recording?.path == daemon.directory["show.mcap"])
      let closed = try GatewayProcess(to: daemon, in: "none")
      let other = try closed.connect()
      #expect(throws: MotionClientError.self) { try other.history() }
      #expect(try other.status().recording == nil)
    }

    @Test func `a remote client is served with an admitted key, and refused with another`() throws {
      let daemon = try Daemon()
      let directory = daemon.directory
      for name in ["gate", "desk", "thief"] { _ = try RemoteStage.makeKey(name, in: directory) }
      let address = "tcp://127.0.0.1:\(try RemoteStage.freePorts(2))"
      let gateway = try GatewayProcess(
        to: daemon, "--target", "visitor-", "--listen", address, "--key", directory["gate.key"], "--admit",
        directory["desk.pub"])
      func connect(_ name: String, timeout: Duration = factTimeout) throws -> MotionClient {
        let remote = try RemoteDaemon(
          address, keyFile: directory["\(name).key"], serverKey: directory["gate.pub"])
        return try MotionClient(connectingTo: remote, name: name, timeout: timeout)
      }
      let client = try connect("desk")
      let watcher = try Watcher(client, .motion(.target("visitor-1")))
      try client.add(.springTo("position", [3, 4]), to: "visitor-1")
      try watcher.listen(for: [3, 4], of: "position", of: "visitor-1")
      #expect(watcher.missed == 0)
      let refused = #expect(throws: MotionClientError.self) { try client.add(.springTo("x", 1), to: "ball") }
      #expect(refused?.refusal?.code.rawValue == "forbidden")
      let error = #expect(throws: MotionClientError.self) { try connect("thief", timeout: .milliseconds(500)) }
      #expect(error?.code == .timeout)
      // Local clients connect as before.
      #expect(try gateway.connect().properties().map(\.reference.target) == ["visitor-1"])
    }

    @Test(
      .fault(
        .limits, "A client sends requests without end", by: "a flood of requests at the gateway",
        promise: "refused, then disconnected; others are served"))
    func `a client that exceeds a limit is refused, then disconnected, and others are served`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(
        to: daemon, "--requests", "20", "--operations", "50", "--topics", "10", "--request-size", "64", "--targets",
        "300")
      let client = try gateway.connect()
      var large = Transaction()
      for number in 0..<101 { large.add(.springTo("opacity", 1), to: try TargetName("lamp\(number)")) }
      let tooMany = #expect(throws: MotionClientError.self) { try client.commit(large) }
      #expect(tooMany?.refusal?.message.contains("50 operations in a second") == true, "\(tooMany as Any)")
      var long = Transaction()
      for number in 0..<2000 { long.add(.springTo("opacity", 1), to: try TargetName("lamp\(number)")) }
      let tooLong = #expect(throws: MotionClientError.self) { try client.commit(long) }
      #expect(tooLong?.refusal?.message.contains("is longer than") == true, "\(tooLong as Any)")

      // The runtime as a whole: targets that other clients have added count.
      let own = try daemon.connect()
      var others = Transaction()
      for number in 0..<300 { others.add(.springTo("opacity", 1), to: try TargetName("own\(number)")) }
      try own.commit(others)
      try awaitTruth("strangers may add no more") {
        letPass(.milliseconds(100))
        do {
          try client.add(.springTo("opacity", 1), to: "lamp")
          return false
        } catch let error as MotionClientError {
          return error.refusal?.message.contains("above 300") == true
        }
      }

      // A client that continues is disconnected; others are not.
      let flood = try Stranger(to: gateway.paths.controlSocket, as: "DEALER")
      let question = ZMTP.frame(Envelope(incarnation: 7, sequence: 1, .alive).encoded())
      for _ in 0..<200 { flood.say(question) }
      #expect(flood.isHungUpOn())
      let listener = try Stranger(to: gateway.paths.valuesSocket, as: "SUB")
      for number in 0..<11 { listener.say(ZMTP.frame([1] + Topic.subscription("v/lamp\(number)"))) }
      #expect(listener.isHungUpOn())
      #expect(try client.status().epoch == own.epoch)
      try awaitLog(of: gateway, "closed the connection of process \(getpid())")
      try awaitTruth("its topics are nobody's any more") { try own.status()["topics"] == 0 }
    }

    @Test(
      .fault(
        .peers, "A peer misbehaves at the gateway", by: "every vice below the protocol, from a seed",
        promise: "no other peer is affected"))
    func `a peer that misbehaves at the gateway disturbs no other client`() throws {
      let neighbourhood = try Neighbourhood()
      let gateway = try GatewayProcess(to: neighbourhood.daemon, "--connections", "1000")
      let client = try gateway.connect()
      let watcher = try Watcher(client, .motion(.target("neighbour")))
      for vice in Vice.allCases {
        let own = neighbourhood.memory
        var random = SeededRandom(seed: SeededRandom.seed(of: "\(vice) at the gateway"))
        for door in gateway.doors {
          let before = ProcessFacts(gateway.process.processID).residentBytes
          let strangers = try vice.practise(at: door, &random)
          try neighbourhood.expectPeace(after: "\(vice) at \(door.name)", since: own)
          try #require(gateway.process.isRunning, "\(vice) at \(door.name): \(gateway.log.suffix(500))")
          let seen = watcher.frames.count
          try watcher.listen("\(vice) at \(door.name): the gateway still tells") { watcher.frames.count > seen + 5 }
          #expect(watcher.missed == 0, "\(vice) at \(door.name)")
          _ = try client.status()
          let growth = ProcessFacts(gateway.process.processID).residentBytes - before
          #expect(growth < 64 << 20, "\(vice) at \(door.name): \(growth >> 20) MiB")
          withExtendedLifetime(strangers) {}
        }
      }
    }

    @Test func `a client cannot withdraw subscriptions of others at the gateway`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      let client = try gateway.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      let stranger = try Stranger(to: gateway.paths.valuesSocket, as: "SUB")
      let topic = Topic.subscription("m/ball")
      for _ in 0..<5 { stranger.say(ZMTP.frame([0] + topic)) }
      stranger.say(ZMTP.frame([1] + topic) + ZMTP.frame([0] + topic) + ZMTP.frame([0] + topic))
      // This arrives after everything that the stranger receives on a topic of its own.
      try client.add(.springTo("position", [1, 1]), to: "own")
      stranger.say(ZMTP.frame([1] + Topic.subscription("v/own")))
      #expect(stranger.hear()?.isEmpty == false)
      try client.add(.springTo("position", [3, 4]), to: "ball")
      try watcher.listen(for: [3, 4], of: "position", of: "ball")
      #expect(watcher.missed == 0)
    }

    @Test(
      .fault(
        .processes, "The gateway is killed", by: "SIGKILL, and a start in the same directory",
        promise: "motiond is not affected; its clients continue with the next gateway"))
    func `clients of a gateway that is killed continue with the next gateway`() throws {
      let neighbourhood = try Neighbourhood()
      let gateway = try GatewayProcess(to: neighbourhood.daemon)
      let client = try gateway.connect()
      let subscription = try client.subscribe(to: [.motion(.target("visitor"))])
      try subscription.synchronise(timeout: factTimeout)
      var held = Transaction()
      held.add(.springTo("position", [100, 0], .physical(tension: 50, friction: 0)), to: "visitor")
      try client.commit(held, whileConnected: true)
      let memory = neighbourhood.memory

      gateway.process.send(SIGKILL)
      try neighbourhood.expectPeace(after: "the gateway's death", since: memory)
      try gateway.restart()
      // A commit that is repeated by its id gets the receipt of the first one, however often it is sent.
      let id = TransactionID.random()
      var transaction = Transaction()
      transaction.add(.springTo("opacity", 0.5), to: "visitor")
      let receipt = try client.commit(transaction, id: id)
      #expect(try client.commit(transaction, id: id).sequence == receipt.sequence)
      // The subscription recovers by itself: the missed values are sent, and then it continues.
      var frames = 0
      let deadline = BootClock.now + factTimeout
      while frames < 20, BootClock.now < deadline {
        guard case .values(let values)? = try subscription.next(timeout: .milliseconds(50)) else { continue }
        if !values.isComplete { frames += 1 }
      }
      #expect(frames >= 20)
      // motiond recognizes the client again: plans that hold while it is connected still hold after its timeout.
      letPass(.seconds(4))
      #expect(try client.plans(of: "visitor").contains { $0.intention.type == "SpringTo" })
      try neighbourhood.expectPeace(after: "the gateway's return", since: memory)
    }

    @Test(
      .fault(
        .limits, "A client exhausts the gateway's memory", by: "one message of parts without end, with --memory 32",
        promise: "the gateway dies alone; motiond is not affected; the next gateway serves"))
    func `a gateway that exhausts its memory exits alone`() throws {
      let neighbourhood = try Neighbourhood()
      let gateway = try GatewayProcess(to: neighbourhood.daemon, "--memory", "32")
      let client = try gateway.connect()
      let memory = neighbourhood.memory
      // One message without an end; two bytes become 64.
      let stranger = try Stranger(to: gateway.paths.controlSocket, as: "DEALER")
      let parts = Array(repeating: ZMTP.frame([], more: true), count: 50_000).flatMap(\.self)
      var said = 0
      while stranger.say(parts), said < 1000 { said += 1 }
      #expect(said < 100, "32 MiB of memory took \(said * parts.count >> 20) MiB of empty parts")
      let end = try gateway.process.awaitEnd()
      #expect(end != .exited(0), "\(end): \(gateway.log.suffix(500))")
      try neighbourhood.expectPeace(after: "the gateway's exhaustion", since: memory)
      try gateway.restart()
      #expect(try client.status().processID == neighbourhood.daemon.process.processID)
    }

    @Test(
      .fault(
        .processes, "motiond ends behind the gateway", by: "SIGKILL of motiond, and a start",
        promise: "requests are not answered meanwhile, and all are answered afterwards"))
    func `requests without motiond time out, and are answered by the next motiond`() throws {
      let directory = try TestDirectory()
      var daemon: Daemon? = try Daemon(in: directory)
      let gateway = try GatewayProcess(to: #require(daemon))
      let client = try gateway.connect()
      let epoch = client.epoch
      daemon?.process.kill()
      let error = #expect(throws: MotionClientError.self) { _ = try client.query(.status, timeout: .milliseconds(300)) }
      #expect(error?.code == .timeout)
      daemon = try Daemon(in: directory)
      #expect(try client.status().epoch == epoch + 1)
      try client.add(.springTo("position", [3, 4]), to: "ball")
      #expect(client.epoch == epoch + 1)
    }

    @Test func `a second gateway in one directory is refused, and the first removes its sockets`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      let second = try ChildProcess(
        Programs.path("motion-gateway"),
        ["--runtime-dir", daemon.paths.directory, "--gateway-dir", gateway.paths.directory],
        environment: [:], output: daemon.directory["second"], errors: daemon.directory["second"])
      #expect(try second.awaitEnd() == .exited(1))
      #expect(daemon.directory.text(of: "second").contains("another gateway runs in"))
      #expect(try gateway.connect().status().epoch == 1)
      gateway.process.send(SIGTERM)
      #expect(try gateway.process.awaitEnd() == .exited(0))
      #expect(access(gateway.paths.controlSocket, F_OK) != 0)
      #expect(access(gateway.paths.valuesSocket, F_OK) != 0)
    }

    @Test func `wrong options and paths of the gateway are refused with the remedy and change nothing`() throws {
      let directory = try TestDirectory()
      for folder in ["everybodys", "house", "house/furniture"] { mkdir(directory[folder], 0o755) }
      chmod(directory["everybodys"], 0o1777)
      _ = try RemoteStage.makeKey("gate", in: directory)
      let worker = ["worker", "--key", directory["gate.key"], "--server-key", directory["gate.pub"], "--admit"]
      let far = "tcp://127.0.0.1:5590"
      let cases: [([String], Int32, String)] = [
        (["--gateway-dir", directory["everybodys"]], 1, "Choose a directory below it"),
        (["--gateway-dir", directory["house"]], 1, "such as furniture"),
        (["--gateway-dir", "relative"], 2, "write an absolute path"),
        (["--gateway-dir", directory[String(repeating: "x", count: 110)]], 2, "too long"),
        (["--gateway-dir", directory["new"], "--group", "no-such-group"], 1, "there is no group"),
        (["--connections", "0"], 2, "--connections is 0; give 1 to 10000"),
        (["--log-level", "loud"], 2, "give one of trace"),
        (["--listen", far], 2, "--listen needs --key and at least one --admit"),
        (["--admit", directory["gate.pub"]], 2, "give --listen too"),
        (
          ["--gateway-dir", directory["new"], "--listen", far, "--key", directory["gate.pub"], "--admit", "x"], 1,
          "chmod 600"
        ),
        (worker + [directory["gate.pub"], "--connect", "ipc:///x", "--listen", far], 2, "Write tcp://HOST:PORT"),
        (worker + [directory["gate.pub"], "--connect", far, "--listen", "tcp://127.0.0.1:65533"], 2, "1 to 65532"),
        (worker + [directory["none"], "--connect", far, "--listen", far], 1, "No such file"),
      ]
      for (arguments, code, remedy) in cases {
        let process = try ChildProcess(
          Programs.path("motion-gateway"),
          arguments + (arguments.first == "worker" ? [] : ["--runtime-dir", "/nowhere"]),
          environment: [:], output: directory["said"], errors: directory["said"])
        #expect(try process.awaitEnd() == .exited(code), "\(arguments): \(directory.text(of: "said"))")
        #expect(directory.text(of: "said").contains(remedy), "\(arguments): \(directory.text(of: "said"))")
        unlink(directory["said"])
      }
      var status = stat()
      for (folder, mode) in [("everybodys", 0o1777), ("house", 0o755)] {
        #expect(stat(directory[folder], &status) == 0 && Int(status.st_mode) & 0o7777 == mode, "\(folder)")
      }
    }

    @Test func `an idle gateway sleeps`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      let client = try gateway.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      try client.add(.springTo("position", [3, 4]), to: "ball")
      try watcher.listenUntilIdle(client)
      let facts = ProcessFacts(gateway.process.processID)
      let before = try #require(facts.sleeps(ofThread: "motion-gateway"))
      letPass(.seconds(2))
      let after = try #require(facts.sleeps(ofThread: "motion-gateway"))
      // The last message on the topic is resent after 1 s, and answered requests are dropped after a minute.
      #expect(after - before <= 4)
    }
  }
}
