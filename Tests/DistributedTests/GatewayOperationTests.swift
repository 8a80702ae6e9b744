import Faults
import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// A gateway from its operators' point of view: its log, and which keys it accepts.
  @Suite struct GatewayOperationTests {
    // Clauses: S18.7
    @Test(
      .fault(
        .operators, "The log of the gateway is not read, or its reader ends",
        by: "standard error as a pipe that is full, then without a reader",
        promise: "clients are served as before, and it ends on request"))
    func `a full or closed log pipe does not stop a gateway`() throws {
      let daemon = try Daemon()
      let directory = daemon.directory
      #expect(mkfifo(directory["pipe"], 0o600) == 0)
      var reader = open(directory["pipe"], O_RDWR | O_CLOEXEC | O_NONBLOCK)
      defer { if reader >= 0 { close(reader) } }
      let paths = RuntimePaths(directory: directory["gate"])
      let gateway = try ChildProcess(
        Programs.path("motion-gateway"),
        ["--runtime-dir", daemon.paths.directory, "--gateway-dir", paths.directory],
        environment: [:], output: directory["pipe"], errors: directory["pipe"])
      func connect() throws -> MotionClient { try MotionClient(connectingTo: [paths], name: "stranger") }
      try awaitTruth("it serves") { (try? connect().status()) != nil }
      let client = try connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")

      func provoke() throws {
        // A request that it logs each time.
        let flood = try Stranger(to: paths.controlSocket, as: "DEALER")
        for _ in 0..<200 { flood.say(ZMTP.frame(Envelope(incarnation: 7, sequence: 1, .alive).encoded())) }
        let refused = try Stranger(to: paths.valuesSocket, as: "SUB")
        for number in 0..<300 { refused.say(ZMTP.frame([1] + Topic.subscription("v/lamp\(number)"))) }
        #expect(refused.isHungUpOn())
        gateway.send(SIGHUP)
      }
      func expectService() throws {
        let seen = watcher.frames.count
        try watcher.listen("values go on") { watcher.frames.count > seen + 20 }
        #expect(try connect().status().processID == daemon.process.processID)
      }
      let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 1)
      while write(reader, filler, 1) == 1 {}
      try provoke()
      try expectService()
      close(reader)
      reader = -1
      try provoke()
      try expectService()
      #expect(watcher.missed == 0)
      gateway.send(SIGTERM)
      #expect(try gateway.awaitEnd() == .exited(0))
    }

    /// A gateway over tcp, with a file of the keys that may connect.
    private struct Door {
      let daemon: Daemon
      let gateway: GatewayProcess
      let address: String
      var directory: TestDirectory { daemon.directory }

      init(_ names: [String]) throws {
        daemon = try Daemon()
        for name in ["gate", "desk", "guest"] { _ = try RemoteStage.makeKey(name, in: daemon.directory) }
        address = "tcp://127.0.0.1:\(try RemoteStage.freePorts(2))"
        try Self.admit(names, daemon.directory)
        gateway = try GatewayProcess(
          to: daemon, "--listen", address, "--key", daemon.directory["gate.key"], "--admit",
          daemon.directory["visitors"])
      }

      static func admit(_ names: [String], _ directory: TestDirectory) throws {
        let lines = names.map { directory.text(of: "\($0).pub") }
        try directory.write("# Who may come.\n" + lines.joined(), to: "visitors")
      }

      /// Rewrites the file, and makes the gateway read it.
      func reload(_ text: String) throws {
        let seen = gateway.log.count
        gateway.process.send(SIGHUP)
        try awaitTruth(text) { gateway.log.dropFirst(seen).contains(text) }
      }

      func connect(_ name: String, timeout: Duration = factTimeout) throws -> MotionClient {
        let remote = try RemoteDaemon(
          address, keyFile: directory["\(name).key"], serverKey: directory["gate.pub"])
        return try MotionClient(connectingTo: remote, name: name, timeout: timeout)
      }
    }

    @Test(
      .fault(
        .operators, "A key that a gateway admits is revoked", by: "its line removed, and HUP",
        promise: "its connections end at once and cannot be made again; others are not affected"))
    func `a key that is revoked is disconnected, and others miss no frame`() throws {
      let door = try Door(["desk", "guest"])
      let (desk, guest) = (try door.connect("desk"), try door.connect("guest"))
      let watcher = try Watcher(desk, .motion(.target("ball")))
      let subscription = try guest.subscribe(to: [.motion(.target("ball"))])
      try desk.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      try awaitTruth("the guest hears") { try subscription.next(timeout: .milliseconds(50)) != nil }

      try Door.admit(["desk"], door.directory)
      try door.reload("1 keys may connect, 0 of them new; 1 revoked")
      try awaitTruth("the guest hears nothing any more") {
        try subscription.next(timeout: .milliseconds(500)) == nil
      }
      let error = #expect(throws: MotionClientError.self) {
        try guest.query(.status, timeout: .milliseconds(500))
      }
      #expect(error?.code == .timeout)
      #expect(throws: MotionClientError.self) { try door.connect("guest", timeout: .milliseconds(500)) }
      let seen = watcher.frames.count
      try watcher.listen("the desk hears on") { watcher.frames.count > seen + 20 }
      #expect(watcher.missed == 0)

      // Once authorized again, the key serves the same subscription again.
      try Door.admit(["desk", "guest"], door.directory)
      try door.reload("2 keys may connect, 1 of them new; 0 revoked")
      try awaitTruth("the guest hears again") { try subscription.next(timeout: .milliseconds(50)) != nil }
      #expect(try guest.status().epoch == desk.epoch)
    }

    @Test(
      .fault(
        .operators, "The file of keys that a gateway admits is bad at a reload",
        by: "a line that is not a key, a mode that lets others write it, a missing file",
        promise: "keys and connections stay as they are, and the reason is logged"))
    func `a bad key file at a reload changes nothing, and the log states why`() throws {
      let door = try Door(["desk"])
      let desk = try door.connect("desk")
      let good = door.directory.text(of: "visitors")
      let path = door.directory["visitors"]
      try door.directory.write("no-key guest\n", to: "visitors")
      try door.reload("not reloaded, 1 keys may connect as before: the key file \(path): a line of it")
      try door.directory.write("# Nobody.\n", to: "visitors")
      try door.reload("it holds no public key")
      try door.directory.write(good, to: "visitors")
      chmod(path, 0o666)
      try door.reload("chmod go-w")
      unlink(path)
      try door.reload("No such file")
      #expect(try desk.status().epoch == 1)
      #expect(try door.connect("desk").status().epoch == 1)
    }
  }
}
