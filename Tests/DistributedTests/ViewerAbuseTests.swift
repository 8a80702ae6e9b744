import MotionClient
import MotionModel
import MotionWire
import Testing

extension DistributedTests {
  /// Viewers that misbehave: each is refused or dropped and named in the log, and nobody else is disturbed.
  @Suite(.enabled(if: ViewerPeer.isInstalled, "PyPI websockets is not installed: make test installs it"))
  struct ViewerAbuseTests {
    /// A motion-studio with a viewer that behaves.
    private final class Stage {
      let daemon: Daemon
      let client: MotionClient
      let studio: StudioProcess
      let bystander: ViewerPeer
      private var destination = 0.0

      init() throws {
        daemon = try Daemon()
        client = try daemon.connect()
        try client.add(.springTo("level", 0), to: "ball")
        studio = try StudioProcess(to: daemon, "--allow-origin", "https://viewer.example")
        bystander = try ViewerPeer("viewer", studio.live(), in: daemon.directory)
        try bystander.await("a channel") { $0["topic"].text == "values/ball/level" }
        try bystander.send("subscribe values/ball/level")
        try bystander.await("the present value") { $0["event"].text == "message" }
      }

      /// What an abuse has printed, by its kind.
      func abuse(_ kind: String, within limit: Duration = .seconds(30)) throws -> [JSON] {
        try ViewerPeer("abuse", studio.live(), kind, in: daemon.directory, named: kind).finish(within: limit)
      }

      /// The viewer that behaves still follows.
      func expectBystanderFollows() throws {
        destination += 10
        try client.add(.springTo("level", Lanes(destination)), to: "ball")
        try bystander.await("the ball at \(destination)") {
          $0["message"]["value"].elements.map(\.number) == [destination]
        }
        #expect(try bystander.events().filter { $0["event"].text == "connected" }.count == 1)
      }
    }

    // Clauses: S30.10
    @Test func `half a request and half an upgrade are closed after 5 s`() throws {
      let stage = try Stage()
      let events = try stage.abuse("slow")
      #expect(events.map { $0["kind"].text } == ["silent", "half", "byte"])
      for event in events { #expect(event["closed"].number < 10, "\(event["kind"].text)") }
      try awaitLog(of: stage.studio, "Refused: a connection whose request was not complete")
      let head = try stage.abuse("long")
      #expect(head[0]["closed"].number < 3)
      try awaitLog(of: stage.studio, "Refused: a request of more than 16384 bytes")
      try stage.expectBystanderFollows()
    }

    // Clauses: S30.10
    @Test func `a frame of 10 MB, and frames that break the protocol, end the connection`() throws {
      let stage = try Stage()
      let events = try stage.abuse("frames")
      #expect(events.map { $0["kind"].text } == ["frame", "fragments", "unmasked", "reserved"])
      #expect(events[0]["code"].number == 1009)
      for event in events.dropFirst(2) { #expect(event["closed"].number < 5, "\(event["kind"].text)") }
      for reason in ["longer than 1048576 bytes", "accumulatedFrameSizeIsTooLarge", "is not masked", "does not exist"] {
        try awaitLog(of: stage.studio, reason)
      }
      try stage.expectBystanderFollows()
    }

    // Clauses: S30.1
    @Test func `wrong origins, names of other sites and wrong tokens are refused with a reason`() throws {
      let stage = try Stage()
      let events = try stage.abuse("origins")
      #expect(events.map { $0["status"].number } == [403, 403, 101, 403, 101, 401, 401])
      for reason in [
        "Origin https://evil.example is not admitted", "Host evil.example is not a name", "no valid token",
      ] {
        try awaitLog(of: stage.studio, reason)
      }
      try stage.expectBystanderFollows()
    }

    // Clauses: S30.10
    @Test func `connections above 500 are closed, and a viewer stays connected`() throws {
      let stage = try Stage()
      let events = try stage.abuse("flood")
      // One is the bystander's.
      #expect(events[0]["open"].number == 499)
      try awaitLog(of: stage.studio, "Refused: a connection: there are 500 already")
      try stage.expectBystanderFollows()
    }

    // Clauses: S30.10
    @Test func `viewers above 64 are refused, and their sessions leave nothing`() throws {
      let stage = try Stage()
      let before = ProcessFacts(stage.studio.process.processID).openSockets
      let events = try stage.abuse("many")
      // One is the bystander.
      #expect(events[0]["open"].number == 63)
      try awaitLog(of: stage.studio, "there are 64 viewers already")
      try awaitTruth("all sockets are closed") {
        ProcessFacts(stage.studio.process.processID).openSockets <= before
      }
      try stage.expectBystanderFollows()
    }

    // Clauses: S30.7
    @Test func `a viewer that never reads costs itself only`() throws {
      let stage = try Stage()
      var transaction = Transaction()
      for number in 0..<300 { transaction.add(.springTo("x", 1), to: try TargetName("t\(number)")) }
      try stage.client.commit(transaction)
      try stage.bystander.await("the channels") { $0["topic"].text == "values/t299/x" }
      let deaf = try ViewerPeer("abuse", stage.studio.live(), "deaf", in: stage.daemon.directory, named: "deaf")
      for _ in 0..<5 { try stage.expectBystanderFollows() }
      let events = try deaf.finish(within: .seconds(40))
      #expect(events[0]["closed"].number < 35)
      try awaitLog(of: stage.studio, "it has not read what it was sent for")
      let memory = ProcessFacts(stage.studio.process.processID).residentBytes
      print("viewers: \(events[0]["requests"].number) requests of a deaf viewer, \(memory >> 20) MiB afterwards")
      #expect(memory < 150 << 20)
      try stage.expectBystanderFollows()
    }

    // Clauses: S30.11
    @Test func `messages that break the protocol are answered, on the same connection`() throws {
      let stage = try Stage()
      let events = try stage.abuse("nonsense")
      #expect(events[0]["answered"].flag)
      try stage.expectBystanderFollows()
    }

    // Clauses: S30.3
    @Test func `the page exchanges its token for a cookie that only the page can use`() throws {
      let daemon = try Daemon()
      try daemon.directory.write("export {};\n", to: "page/app.js")
      try daemon.directory.write("<!doctype html>the page", to: "page/index.html")
      try daemon.directory.write("a secret", to: "viewers")
      let studio = try StudioProcess(
        to: daemon, "--page", daemon.directory["page"], "--allow-origin", "https://viewer.example")
      let events = try ViewerPeer("abuse", studio.live(), "page", in: daemon.directory, named: "page")
        .finish(within: .seconds(20))
      #expect(events.map { $0["status"].number } == [200, 200, 404, 404, 404, 403, 403, 204, 101, 401, 401])
      #expect(events[0]["body"].text == "<!doctype html>the page")
      #expect(events[0]["policy"].text.contains("default-src 'none'"))
      #expect(events[0]["policy"].text.contains("frame-ancestors 'none'"))
      #expect(events[0]["frame"].text == "nosniff")
      #expect(events[1]["type"].text.hasPrefix("text/javascript"))
      #expect(events[1]["body"].text == "export {};\n")
      #expect(events[7]["cookie"].text == "path=/; httponly; samesite=strict")
      // Secrets are in no line of the log.
      let token = try #require(studio.page.split(separator: "=").last)
      #expect(!studio.log.contains(token))
    }

    // Clauses: S30.1
    @Test func `an address of other machines is refused with a remedy`() throws {
      let daemon = try Daemon()
      let process = try ChildProcess(
        try Programs.path("motion-studio"),
        ["--runtime-dir", daemon.paths.directory, "--port", "0", "--listen", "0.0.0.0"],
        environment: StudioProcess.environment(daemon.directory), output: daemon.directory["out"],
        errors: daemon.directory["err"])
      #expect(try process.awaitEnd() == .exited(2))
      let text = daemon.directory.text(of: "err")
      #expect(text.contains("0.0.0.0 is not an address of this machine only"))
      #expect(text.contains("ssh -L"))
    }
  }
}
