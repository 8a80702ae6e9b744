import Glibc
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import Testing

extension DistributedTests {
  /// Numbers that are legal, or nearly so, and at the ends of their range: in plans that take over from each other, in
  /// pointer input, from motiond's own clients and through a gateway.
  @Suite struct ExtremeNumberTests {
    // Clauses: S9.22
    @Test func `a number beyond the bound is refused with field and remedy, and motiond keeps running`() throws {
      let daemon = try Daemon([.tween()])
      let epoch = try daemon.connect().status().epoch
      let run = try daemon.ctl("add", "Tween", "--to", "ball", "property=x", "to=1.7e308", "duration=1s")
      #expect(run.end != .exited(0))
      #expect(run.errors.contains("\"to\""), "\(run.errors)")
      #expect(run.errors.contains("Use a number from -1e+100 to 1e+100"), "\(run.errors)")
      let next = try daemon.ctl("add", "SpringTo", "--to", "ball", "property=x", "destination=0")
      #expect(next.end == .exited(0), "\(next.errors)")
      #expect(try daemon.connect().status().epoch == epoch)
    }

    @Test func `a pointer beyond the bound, in place or in time, is refused`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.springTo("position", [1, 1], .physical(tension: 1, friction: 0)), to: "ball")
      for event in [
        PointerEvent(id: 0, .down, at: [1e101, 0], time: 0), PointerEvent(id: 0, .down, at: [0, -1.7e308], time: 0),
        PointerEvent(id: 0, .down, at: [0, 0], time: 1e300), PointerEvent(id: 0, .down, at: [0, 0], time: -1.7e308),
      ] {
        let error = #expect(throws: MotionClientError.self) {
          try client.send(PointerInput("ball", from: "hand", [event]))
        }
        #expect(error?.refusal?.code == .value && error?.refusal?.remedy.isEmpty == false, "\(event)")
      }
      #expect(try client.status().isActive)
    }

    // Clauses: S9.23, S9.24
    @Test(arguments: [false, true])
    func `random extreme plans and pointers neither crash motiond nor corrupt its journal`(
      throughGateway: Bool
    ) throws {
      let seed = SeededRandom.seed(of: "extreme numbers, gateway \(throughGateway)")
      var random = SeededRandom(seed: seed)
      let daemon = try Daemon([.tween()])
      let gateway = throughGateway ? try GatewayProcess(to: daemon) : nil
      let client = try gateway?.connect() ?? daemon.connect()
      let epoch = try client.status().epoch
      _ = try client.add(.tween("x", to: 1), to: "a")
      _ = try daemon.connect().awaitReady("tween")
      var committed = 0
      for _ in 0..<60 {
        do {
          try Self.perform(client, &random)
          committed += 1
        } catch let error as MotionClientError {
          #expect(error.refusal != nil, "\(error), seed \(seed)")
        }
        // Frames between the commits, in which one plan takes over from the other.
        usleep(.random(in: 0...30_000, using: &random))
      }
      #expect(committed > 10, "seed \(seed)")
      #expect(try client.status().epoch == epoch, "seed \(seed)")
      try Self.expectFine(daemon.connect(), "seed \(seed)")

      daemon.process.kill()
      let next = try Daemon(in: daemon.directory)
      let own = try next.connect()
      try Self.expectFine(own, "after a restart, seed \(seed)")
      try own.stop()
      try own.add(.springTo("x", 3, .perceived(duration: .milliseconds(50))), to: "new")
      try awaitTruth("motion goes on") { try own.state(of: "x", of: "new")?.state.value == 3 }
    }

    private static func expectFine(_ client: MotionClient, _ place: String) throws {
      for row in try client.properties() { #expect(row.state.isWellFormed, "\(row.reference) \(row.state), \(place)") }
    }

    private static func perform(_ client: MotionClient, _ random: inout SeededRandom) throws {
      let target: TargetName = Bool.random(using: &random) ? "a" : "b"
      let other: TargetName = target == "a" ? "b" : "a"
      let numbers = [0, 1, -1, 1e100, -1e100, 9e99, 1e50, 1e-300, 1e9, 1.7e308, -1e101]
      func number() -> Double { numbers.randomElement(using: &random) ?? 0 }
      let swing = SpringFeel.physical(tension: [1, 342, 1e9].randomElement(using: &random) ?? 1, friction: 0)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let duration = [Duration.seconds(1), .milliseconds(40), .nanoseconds(1)].randomElement(using: &random) ?? .zero
        try client.add(.tween("x", to: Lanes(number()), duration: duration), to: target)
      case 2, 3: try client.add(.springTo("x", Lanes(number()), swing), to: target)
      case 4: try client.add(.constantForce("x", acceleration: Lanes(number())), named: "force", to: target)
      case 5: try client.add(.attachWithSpring("x", to: PropertyReference(other, "x"), swing), named: "tie", to: target)
      case 6: try client.add(.anchoredSpring("x", Lanes(number()), swing), named: "anchor", to: target)
      default:
        let place = SIMD2(number(), number())
        let event = PointerEvent(id: 1, Bool.random(using: &random) ? .down : .move, at: place, time: 0)
        _ = try client.send(PointerInput(target, from: "hand", [event]))
      }
    }
  }
}
