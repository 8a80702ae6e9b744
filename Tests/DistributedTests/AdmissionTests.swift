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
  /// motiond admits only permitted peers, and no peer that tries to connect stops the daemon.
  @Suite struct AdmissionTests {
    /// Waits until the daemon has counted that many.
    private func awaitCount(_ name: String, atLeast count: UInt64, of client: MotionClient) throws {
      try awaitTruth("\(count) \(name)") { try client.status()[name] ?? 0 >= count }
    }

    // Clauses: S16.2
    @Test(
      .fault(
        .peers, "A process impersonates a worker that motiond has not started",
        by: "a process with the environment of a worker",
        promise: "refused and counted; the worker itself is admitted"))
    func `a process that motiond did not start is refused, even with the worker's environment`() throws {
      let stage = try PuppetStage()
      // The puppet has everything that the daemon has passed to its worker, but here the test itself connects.
      let puppet = try stage.puppet()
      let link = try DealerSocket(ZeroMQContext())
      try link.connect(.ipc(stage.daemon.paths.linkSocket))
      let hello = Hello(address: puppet.address, processID: getpid(), executors: ScriptedPlugin.types)
      _ = try link.send(Envelope(epoch: puppet.epoch, incarnation: 1, sequence: 1, .hello(hello)).encoded())
      try awaitCount("refused-peers-process", atLeast: 1, of: stage.client)
      try awaitLog(of: stage.daemon, "process \(getpid()) of user")
      #expect(try stage.client.worker("puppet")?.state == .starting)
      // The worker itself is admitted.
      _ = try puppet.serve()
      _ = try stage.client.awaitReady("puppet")
      #expect(try stage.client.status()["forged-messages"] == 0)
    }

    // Clauses: S16.4
    @Test(
      .fault(
        .peers, "A worker sends messages in the name of another one", by: "its connection, the other's name",
        promise: "refused and counted"
      ))
    func `a message that names another worker is not accepted and is counted as forged`() throws {
      let directory = try TestDirectory()
      try ScriptedPlugin.write(to: directory)
      let daemon = try Daemon([.tween()], in: directory)
      let client = try daemon.connect()
      try client.add(Intention("Puppet"), to: "stage")
      try client.add(.tween("glow", to: 1, duration: .seconds(600)), to: "lamp")
      let tween = try client.awaitReady("tween")
      var environment = try ScriptedPlugin.environment(in: directory, incarnation: 1)
      environment["MOTION_PLUGIN"] = "tween"
      environment["MOTION_INCARNATION"] = "\(tween.incarnation)"
      let liar = try PuppetWorker(environment)
      try liar.sayOnLink(.hello(Hello(address: liar.address, processID: tween.processID, executors: ["Tween"])))
      try awaitCount("forged-messages", atLeast: 1, of: client)
      try liar.beat()
      try awaitTruth("what it says as events is not heard either") {
        try liar.beat()
        return try client.status()["forged-messages"] ?? 0 > 1
      }
      #expect(liar.answers.isEmpty)
      let row = try client.worker("tween")
      #expect(row?.state == .ready && row?.incarnation == tween.incarnation)
    }

    // Clauses: S16.11
    @Test(
      .fault(
        .peers, "A worker subscribes to the topics of others, or withdraws their subscriptions",
        by: "subscriptions by hand",
        promise: "it is disconnected; the others are not affected"))
    func `a worker that subscribes to or withdraws another worker's topics is disconnected`() throws {
      let directory = try TestDirectory()
      try ScriptedPlugin.write(to: directory)
      let daemon = try Daemon([.tween()], rate: 30, in: directory)
      let client = try daemon.connect()
      try client.add(Intention("Puppet"), to: "stage")
      let environment = try ScriptedPlugin.environment(in: directory, incarnation: 1)
      try client.add(.tween("glow", from: 0, to: 1, duration: .seconds(600)), to: "lamp")
      let tween = try client.awaitReady("tween")
      func stranger(at socket: String, saying topics: [UInt8]...) throws -> Stranger {
        let path = try #require(environment["MOTION_\(socket)"]).dropFirst("ipc://".count)
        let stranger = try Stranger(to: String(path), as: "SUB")
        for topic in topics { stranger.say(ZMTP.frame(topic)) }
        return stranger
      }
      let (commands, ticks) = ("c/tween.0/\(tween.incarnation)", "t/tween.0/\(tween.incarnation)")
      // The stranger cannot withdraw subscriptions that it never made: heartbeats continue, and the real worker is not
      // affected.
      var withdrawals: [Stranger] = []
      for (socket, topic) in [("COMMANDS", commands), ("TICKS", ticks)] {
        let withdrawal = [0] + Topic.subscription(topic)
        withdrawals.append(try stranger(at: socket, saying: withdrawal, withdrawal, withdrawal))
      }
      // A connection that subscribes to the worker's topic, to all topics or to a future topic is closed.
      for topic in [Topic.subscription(commands), Array("c/".utf8), [], Topic.subscription("c/tween.0/99")] {
        let listener = try stranger(at: "COMMANDS", saying: [1] + topic)
        #expect(listener.isHungUpOn(), "\(String(decoding: topic, as: UTF8.self))")
      }
      #expect(try stranger(at: "TICKS", saying: [1] + Topic.subscription(ticks)).isHungUpOn())
      // The stranger cannot make libzmq keep an unlimited number of topics of former incarnations either.
      let hoarder = try stranger(at: "TICKS")
      for number in 0..<17 { hoarder.say(ZMTP.frame([1] + Topic.subscription("t/old-\(number).0/1"))) }
      #expect(hoarder.isHungUpOn())
      #expect(try client.status()["excessive-subscribers"] == 1)

      // Three times the silence after which a worker gives up.
      let watcher = try Watcher(client, .motion(.target("lamp")))
      try watcher.listen("it moves on") { watcher.track("glow", of: "lamp").count > 90 }
      let row = try client.worker("tween")
      #expect(row?.state == .ready && row?.incarnation == tween.incarnation)
      #expect(!daemon.log.contains("no messages from motiond"), "\(daemon.log)")
      withExtendedLifetime(withdrawals) {}
    }

    // Clauses: S16.2
    @Test func `a process that a worker starts is refused as a worker`() throws {
      let directory = try TestDirectory()
      try ScriptedPlugin.write(to: directory)
      let script = """
        #!/usr/bin/python3
        import os, socket, sys
        if os.fork() == 0:
            s = socket.socket(socket.AF_UNIX)
            s.connect(os.environ["MOTION_LINK"][6:])
            s.sendall(b"\\xff" + bytes(8) + b"\\x7f\\x03\\x00NULL" + bytes(48))
            s.sendall(b"\\x04\\x1c\\x05READY\\x0bSocket-Type\\0\\0\\0\\x06DEALER")
            said = b""
            while b"ERROR" not in said and (part := s.recv(100)):
                said += part
            open("refused.new", "wb").write(said)
            os.rename("refused.new", "refused")
            os._exit(0)
        sys.stdin.read()
        """
      try directory.write(script, to: "plugins/puppet/puppet", isExecutable: true)
      let daemon = try Daemon(in: directory)
      let client = try daemon.connect()
      try client.add(Intention("Puppet"), to: "stage")
      try awaitTruth("the child is refused") {
        FileManager.default.fileExists(atPath: directory["plugins/puppet/refused"])
      }
      let said = try Data(contentsOf: URL(fileURLWithPath: directory["plugins/puppet/refused"]))
      #expect(said.range(of: Data("ERROR\u{3}400".utf8)) != nil, "\(Array(said))")
      #expect(try client.status()["refused-peers-process"] == 1)
    }

    /// The first bytes of the protocol's versions before authentication: 1.0 without and with a version, and 2.0, each
    /// with a subscription to everything.
    // Clauses: S16.5
    @Test(
      .fault(
        .peers, "A peer uses a protocol without authentication", by: "ZMTP 1.0 and 2.0, by hand",
        promise: "disconnected; receives no value"),
      arguments: [
        [1, 0, 2, 0, 1], [255, 0, 0, 0, 0, 0, 0, 0, 1, 127, 0, 2, 0, 0, 0, 1, 1],
        [255, 0, 0, 0, 0, 0, 0, 0, 1, 127, 1, 2, 0, 0, 0, 1, 1],
      ] as [[UInt8]])
    func `a peer that speaks ZMTP without authentication is disconnected without a value`(greeting: [UInt8]) throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.springTo("position", [100, 0], .physical(tension: 20, friction: 0)), to: "ball")
      let watcher = try Watcher(client, .motion(.everything))
      try watcher.listen("it moves") { watcher.frames.count > 5 }
      for path in [daemon.paths.valuesSocket, daemon.paths.ticksSocket, daemon.paths.controlSocket] {
        let peer = try RawConnection(path: path, waits: false)
        peer.say(greeting)
        // The daemon closes the connection.
        let said = try peer.bytesToEnd()
        // At most the daemon's own greeting, which contains its version.
        #expect(said.count <= 64, "\(said)")
      }
    }

    // Clauses: S16.1
    @Test(.enabled(if: geteuid() == 0)) func `only a user who is allowed can connect as a client`()
      throws
    {
      let directory = try TestDirectory()
      chmod(directory.path, 0o711)
      let daemon = try Daemon(in: directory, arguments: ["--allow-uid", "65533"])
      func status(of user: Int) throws -> Ctl.Run { try daemon.ctl("status", "--timeout", "500ms", asUser: user) }
      #expect(try status(of: 65533).end == .exited(0))
      #expect(try status(of: 65532).end != .exited(0))
      #expect(try daemon.connect().status()["refused-peers-user"] ?? 0 >= 1)
      try awaitLog(of: daemon, "--allow-uid")
      // Both users lack permission for the path to the workers' sockets.
      var mode = stat()
      #expect(stat(daemon.paths.workerDirectory, &mode) == 0 && mode.st_mode & 0o777 == 0o700)
    }

    // Clauses: S16.1
    @Test(.enabled(if: geteuid() == 0)) func `only the members of a group that is allowed may open the sockets`() throws
    {
      let directory = try TestDirectory()
      chmod(directory.path, 0o711)
      let daemon = try Daemon(in: directory, arguments: ["--allow-gid", "65531"])
      #expect(try daemon.ctl("status", asUser: 65533, groups: "65531").end == .exited(0))
      #expect(try daemon.ctl("status", asUser: 65533).end == .exited(3))
    }

    @Test func `users and a group given together, or an unknown group, are refused with the remedy`() throws {
      let directory = try TestDirectory()
      let absent = try Daemon.start(directory, ["--allow-gid", "no-such-group"])
      #expect(try absent.awaitEnd() == .exited(1), "the words are right, the group is not there")
      #expect(directory.text(of: "log").contains("Create it with groupadd"))
      let process = try Daemon.start(directory, ["--allow-uid", "1", "--allow-gid", "2"])
      #expect(try process.awaitEnd() == .exited(2))
      #expect(directory.text(of: "log").contains("put these users into it"))
    }

    // Clauses: S16.9
    @Test(
      .fault(
        .limits, "More connections than descriptors",
        by: "a limit of descriptors (prlimit), and connections without end",
        promise: "closed and counted; motiond continues; new connections succeed when others have closed"))
    func `connections beyond the descriptor limit are closed, and motiond keeps running`() throws {
      let directory = try TestDirectory()
      try ScriptedPlugin.write(to: directory)
      let daemon = try Daemon(in: directory, descriptorLimit: 200)
      let client = try daemon.connect()
      let paths = [
        daemon.paths.controlSocket, daemon.paths.valuesSocket, daemon.paths.linkSocket, daemon.paths.eventsSocket,
      ]
      // Two rounds: the connections of the first round are closed again.
      for round in 1...2 {
        var peers: [RawConnection] = []
        while try client.status()["refused-connections"] ?? 0 < UInt64(round) * 200 {
          // A full queue refuses a connection with the same error as a socket without a listener.
          for number in 0..<40 {
            if let peer = try? RawConnection(path: paths[number % paths.count], waits: false) { peers.append(peer) }
          }
          if peers.count > 400 { peers.removeFirst(200) }
        }
        #expect(try client.status().processID == daemon.process.processID, "who was in is served")
        withExtendedLifetime(peers) {}
      }
      try awaitTruth("there is room again") { (try? daemon.connect().status()) != nil }
      #expect(daemon.process.isRunning)
      try awaitLog(of: daemon, "LimitNOFILE")
    }

    // Clauses: S16.9
    @Test(
      .fault(
        .limits, "The kernel does not hand over a connection",
        by: "EMFILE, ENFILE, ENOMEM, ENOBUFS, EPERM and ENETDOWN from accept4, by strace",
        promise: "counted; no process ends; others are served again"),
      arguments: ["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EPERM", "ENETDOWN"])
    func `a connection that the kernel does not hand over ends no process`(error: String) throws {
      let stage = try RemoteStage(clients: ["desk"])
      let daemon = stage.daemon
      let client = try daemon.connect()
      let tracer = try ChildProcess(
        "/usr/bin/strace",
        [
          "-f", "-p", "\(daemon.process.processID)", "-o", "/dev/null", "-e", "trace=accept4", "-e",
          "inject=accept4:error=\(error):when=1..8",
        ],
        environment: [:], output: daemon.directory["strace"], errors: daemon.directory["strace"])
      try awaitTruth("strace is there") { ProcessFacts(daemon.process.processID).isTraced }
      let port = try #require(UInt16(stage.address.split(separator: ":").last ?? ""))
      let peers = [try RawConnection(path: daemon.paths.controlSocket), try RawConnection(port: port)]
      try awaitTruth("it is counted") { try client.status()["refused-connections"] ?? 0 > 0 }
      // No peer is refused permanently.
      try awaitTruth("there is room again") { (try? daemon.connect().status()) != nil }
      #expect(try stage.connect("desk").status().processID == daemon.process.processID)
      #expect(daemon.process.isRunning)
      tracer.send(SIGTERM)
      _ = try tracer.awaitEnd()
      withExtendedLifetime(peers) {}
    }

    // Clauses: S16.15
    @Test(
      .fault(
        .network, "Connections over the network that send nothing",
        by: "945 of them, with a limit of 1,024 descriptors",
        promise: "holders of a key and local clients are served as before"))
    func `connections without a handshake lock out neither holders of a key nor local clients`() throws {
      let stage = try RemoteStage(clients: ["desk"], descriptorLimit: 1024)
      let port = try #require(UInt16(stage.address.split(separator: ":").last ?? ""))
      let silent = try (0..<945).map { number in try RawConnection(port: port + UInt16(number % 2)) }
      let start = BootClock.now
      #expect(try stage.connect("desk").status().processID == stage.daemon.process.processID)
      FaultMeasures.measured(BootClock.now - start, "connection of a holder of a key to its first answer")
      let local = BootClock.now
      #expect(try stage.daemon.connect().status().processID == stage.daemon.process.processID)
      FaultMeasures.measured(BootClock.now - local, "connection of a local client to its first answer")
      withExtendedLifetime(silent) {}
    }

    // Clauses: S16.17
    @Test(
      .fault(
        .peers, "Another user may rename the directories of motiond",
        by: "an owner and a mode of the directory around them", promise: "motiond and motionctl refuse them"),
      .enabled(if: geteuid() == 0, "only root can give a directory away"))
    func `directories that another user could replace are refused by motiond and motionctl`() throws {
      let daemon = try Daemon()
      let directory = daemon.directory
      #expect(try daemon.ctl("status").end == .exited(0))
      for (owner, mode, problem) in [(61234, 0o755, "belongs to user 61234"), (0, 0o777, "may be written by others")]
        as [(uid_t, mode_t, String)]
      {
        #expect(chown(directory.path, owner, gid_t.max) == 0 && chmod(directory.path, mode) == 0)
        let run = try daemon.ctl("status")
        #expect(run.end != .exited(0) && run.errors.contains(problem), "\(run.errors)")
        let process = try Daemon.start(directory, log: "refused")
        #expect(try process.awaitEnd() == .exited(1))
        #expect(directory.text(of: "refused").contains(problem), "\(directory.text(of: "refused"))")
      }
      #expect(chown(directory.path, 0, gid_t.max) == 0 && chmod(directory.path, 0o700) == 0)
      #expect(try daemon.ctl("status").end == .exited(0))
      // Only the directory of the journal.
      #expect(mkdir(directory["shared"], 0o755) == 0)
      #expect(chmod(directory["shared"], 0o777) == 0)
      try daemon.terminate()
      for arguments in [[], ["--check"]] {
        let place = ["--journal", directory["shared/journal"]]
        let process = try Daemon.start(directory, place + arguments, log: "journal")
        #expect(try process.awaitEnd() == .exited(1))
        let text = directory.text(of: "journal")
        #expect(text.contains("may be written by others"), "\(text)")
      }
    }

    // Clauses: S16.15
    @Test(
      .fault(
        .limits, "Local clients take all descriptors that they may", by: "connections without end beside a network",
        promise: "a client with a key can connect"))
    func `a holder of a key can connect when local clients have used up their descriptors`() throws {
      let stage = try RemoteStage(clients: ["desk"], descriptorLimit: 200)
      let client = try stage.daemon.connect()
      var peers: [RawConnection] = []
      while try client.status()["refused-connections"] ?? 0 < 20 {
        if let peer = try? RawConnection(path: stage.daemon.paths.controlSocket, waits: false) { peers.append(peer) }
      }
      // Long before the local connections are closed for sending nothing, which happens after 10 s.
      let start = BootClock.now
      #expect(try stage.connect("desk").status().processID == stage.daemon.process.processID)
      #expect(BootClock.now - start < .seconds(5))
      withExtendedLifetime(peers) {}
    }

    // Clauses: S16.9
    @Test(
      .fault(
        .limits, "Clients take all descriptors that they may", by: "connections without end while a worker starts",
        promise: "the worker can connect"))
    func `a worker can connect when clients have used up their descriptors`() throws {
      let directory = try TestDirectory()
      try ScriptedPlugin.write(to: directory)
      let daemon = try Daemon(in: directory, descriptorLimit: 200)
      let client = try daemon.connect()
      var peers: [RawConnection] = []
      while try client.status()["refused-connections"] ?? 0 < 20 {
        if let peer = try? RawConnection(path: daemon.paths.controlSocket, waits: false) { peers.append(peer) }
      }
      try client.add(Intention("Puppet"), to: "stage")
      let puppet = try PuppetWorker(ScriptedPlugin.environment(in: directory, incarnation: 1))
      _ = try puppet.serve()
      _ = try client.awaitReady("puppet")
      withExtendedLifetime(peers) {}
    }
  }
}
