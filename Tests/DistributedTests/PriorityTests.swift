import Glibc
import MotionClient
import MotionModel
import Testing

extension DistributedTests {
  /// Priorities of plans, from the command line to a restart.
  @Suite struct PriorityTests {
    // Clauses: S10.24, S10.30, S16.22
    @Test func `a priority is granted, listed, kept over a kill, and decides who drives`() throws {
      let own = "user:\(geteuid())"
      let daemon = try Daemon(arguments: ["--allow-priority", "\(own)=10"])
      func spring(_ destination: Int, _ fields: String = "mass=1", to daemon: Daemon) throws -> Ctl.Run {
        try daemon.ctl("add", "AnchoredSpring", "--to", "head", "property=x", "destination=\(destination)", fields)
      }
      #expect(try spring(1, to: daemon).end == .exited(0))
      #expect(try spring(50, "priority=10", to: daemon).end == .exited(0))
      let refused = try spring(60, "priority=11", to: daemon)
      #expect(refused.end != .exited(0))
      #expect(refused.errors.contains("above 10") && refused.errors.contains("--allow-priority \(own)=11"))
      #expect(try spring(2, to: daemon).end == .exited(0))
      try awaitTruth("it drives") { try daemon.connect().plans(of: "head").count == 3 }

      let run = try daemon.ctl("add", "SpringTo", "--to", "head", "property=x", "destination=9")
      #expect(run.output.contains("operation 0 is displaced on x: intention 2.0 (AnchoredSpring) has the priority 10"))
      let receipt = try daemon.ctl("add", "SpringTo", "--to", "head", "--json", "property=x", "destination=9").json()
      #expect(receipt["displaced"].elements.first?["by"].text == "2.0")

      func check(_ daemon: Daemon) throws {
        try awaitTruth("the spring of the highest priority is where it belongs") {
          try daemon.connect().state(of: "x", of: "head")?.state.value == 50
        }
        let rows = try daemon.connect().plans(of: "head")
        #expect(rows.map(\.intention.priority) == [0, 10, 0])
        #expect(rows.map(\.state) == [.added, .added, .waiting])
        #expect(try daemon.ctl("list", "intentions").output.contains("priority=10"))
      }
      try check(daemon)
      daemon.process.kill()
      // A grant that is lowered changes no plan that exists.
      let second = try Daemon(in: daemon.directory, arguments: ["--allow-priority", "\(own)=0"])
      try check(second)
      #expect(try spring(60, "priority=10", to: second).end != .exited(0))
      #expect(try second.terminate() == .exited(0))
      let third = try Daemon(in: daemon.directory)
      try check(third)
      #expect(
        try spring(70, "priority=100", to: third).end == .exited(0), "without a setting, every priority is granted")
    }

    // Clauses: S10.26
    @Test func `a hand under a higher priority continues from where the property is when it may`() throws {
      let daemon = try Daemon([.gestures()])
      let client = try daemon.connect()
      var pose = Transaction()
      pose.add(.anchoredSpring("position", [500, 0]).priority(5), named: "pose", to: "ball")
      try client.commit(pose)
      try client.add(.draggable(), to: "ball")
      _ = try client.awaitReady("gesture")
      func place() throws -> Double { try client.state(of: "position", of: "ball")?.state.value[0] ?? .nan }
      func touch(_ phase: PointerEvent.Phase, _ x: Double) throws {
        _ = try client.send(PointerInput("ball", from: "hand", [PointerEvent(id: 1, phase, at: [x, 0], time: 0)]))
      }
      try awaitTruth("the pose is reached") { try place() == 500 }
      try touch(.down, 0)
      for x in stride(from: 10.0, through: 100, by: 10) { try touch(.move, x) }
      try awaitTruth("the hand holds it") { try !client.tokens().isEmpty }
      try touch(.move, 200)
      #expect(try place() == 500, "the hand moves nothing")
      let row = try #require(try client.state(of: "position", of: "ball"))
      #expect(row.driver == "Physics" && row.waiting == ["Gesture"])

      var removal = Transaction()
      removal.remove(named: "pose", from: "ball")
      try client.commit(removal)
      try awaitTruth("the hand drives") { try client.state(of: "position", of: "ball")?.driver == "Gesture" }
      try touch(.move, 210)
      try awaitTruth("the property follows by the way of the hand since then") { try abs(place() - 510) < 0.001 }
      try touch(.up, 210)
      try awaitTruth("the hand has let go") { try client.tokens().isEmpty }
    }

    // Clauses: S16.23
    @Test func `clients of a gateway may state no priority above 0 unless the gateway allows it`() throws {
      let daemon = try Daemon()
      let gateway = try GatewayProcess(to: daemon)
      let client = try gateway.connect()
      try client.add(.springTo("x", 1).priority(-5), to: "ball")
      let error = #expect(throws: MotionClientError.self) {
        try client.add(.springTo("x", 1).priority(1), to: "ball")
      }
      #expect(error?.refusal?.code.rawValue == "forbidden" && error?.refusal?.field == "priority")
      #expect(error?.refusal?.remedy.contains("--allow-priority 1") == true)
      let open = try GatewayProcess(to: daemon, in: "open", "--allow-priority", "5")
      try open.connect().add(.anchoredSpring("x", 1).priority(5), to: "ball")
      #expect(throws: MotionClientError.self) {
        try open.connect().add(.anchoredSpring("x", 1).priority(6), to: "ball")
      }
    }
  }
}
