import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// The ends of intentions: stopped, forgotten, held while a client is connected.
  @Suite struct IntentionTests {
    // Clauses: S11.7
    @Test func `stop holds every property where it is, also while time is paused`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.everything))
      try client.add(.springTo("position", [1000, 0], .physical(tension: 10, friction: 0)), to: "ball")
      try client.add(.springTo("position", [1000, 0], .physical(tension: 10, friction: 0)), to: "other")
      try watcher.listen("both move") { (watcher.track("position", of: "other").last?.value[0] ?? 0) > 10 }

      let run = try daemon.ctl("stop", "ball")
      #expect(run.end == .exited(0), "\(run.errors)")
      let held = try #require(try client.state(of: "position", of: "ball"))
      #expect(held.state.velocity == [0, 0])
      #expect(held.driver == nil)
      #expect(try client.plans(of: "ball").isEmpty)
      #expect(try client.plans(of: "other").count == 1)
      #expect(try client.status().isActive)

      try client.clock(.pause)
      try client.stop()
      #expect(try client.intentions().isEmpty)
      #expect(try client.state(of: "position", of: "other")?.state.velocity == [0, 0])
      #expect(try client.state(of: "position", of: "ball")?.state == held.state)
      try client.clock(.resume)
      try client.awaitIdle()
      #expect(try client.state(of: "position", of: "ball")?.state == held.state)
    }

    // Clauses: S11.7
    @Test(arguments: ["pause", "hold"])
    func `what a stop of another target lets begin while time stands begins at the present`(_ how: String) throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.everything))
      func move(to place: Double) -> Intention {
        .moveTo("x", [place], maxVelocity: 10, maxAcceleration: 100, maxJerk: 1000)
      }
      try client.add(move(to: 1), to: "ball")
      try client.awaitIdle()
      // Time goes on, and no frame is run: a move that began at the last one would have arrived.
      let rest = try client.status().frame.time
      try awaitTruth("time has gone on") { try client.status().clock.time > rest + 0.6 }
      try client.clock(how == "pause" ? .pause : .hold(ClockHold()))
      try client.add(move(to: -1), to: "ball")
      try client.stop(["other"])
      let state = try #require(try client.state(of: "x", of: "ball")).state
      #expect(state.value == [1] && state.velocity == [0])
      try client.clock(how == "pause" ? .resume : .release)
      try watcher.listen(for: [-1], of: "x", of: "ball")
      // At 10 per second, a frame's way is 0.084.
      let values = watcher.track("x", of: "ball").map { $0.value[0] }
      let steps = zip(values, values.dropFirst()).map { abs($0 - $1) }
      #expect((steps.max() ?? 1) < 0.1 && values.count > 20, "\(steps)")
    }

    // Clauses: S8.9
    @Test func `forget removes a target's plans, properties and executors`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try client.add(.anchoredSpring("position", [5, 5]), named: "hold", to: "ball")
      try client.add(.springTo("opacity", 0), to: "lamp")
      try client.awaitIdle()
      #expect(try client.targets().map(\.target) == ["ball", "lamp"])

      let run = try daemon.ctl("forget", "ball")
      #expect(run.end == .exited(0), "\(run.errors)")
      try awaitTruth("the ball is forgotten") { try client.targets().map(\.target) == ["lamp"] }
      #expect(try client.properties().map(\.reference.target) == ["lamp"])
      #expect(try !client.executors().contains { $0.key.target == "ball" })
      #expect(try client.plans(of: "ball").isEmpty)

      // The ball may return, and starts from the beginning.
      let watcher = try Watcher(client, .motion(.target("ball")))
      try client.add(.springTo("position", [1, 0]), to: "ball")
      try watcher.listen(for: [1, 0], of: "position", of: "ball")
      #expect(try #require(watcher.track("position", of: "ball").first).value[0] < 0.1)
    }

    // Clauses: S8.27
    @Test func `a plan held while connected is withdrawn within 4 s of its client's end, and not before`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      try daemon.directory.write(
        #"{"transaction": [{"add": {"type": "AnchoredSpring", "property": "position", "destination": [5, 5]}, "to": "a"}]}"#,
        to: "hold.json")
      let holder = try daemon.ctl.start(["commit", "--while-connected", daemon.directory["hold.json"]])
      try awaitTruth("the commit") { try client.plans(of: "a").count == 1 }
      // The end of the first client does not affect the hold of another client.
      var own = Transaction()
      own.add(.anchoredSpring("position", [1, 1]), to: "b")
      try client.commit(own, whileConnected: true)

      // Longer than the timeout: the client's heartbeats keep it.
      letPass(.seconds(4))
      #expect(try client.plans(of: "a").count == 1)
      let killed = BootClock.now
      holder.process.kill()
      try awaitTruth("the withdrawal") { try client.plans(of: "a").isEmpty }
      let time = BootClock.now - killed
      #expect(time > .seconds(1.9) && time < .seconds(4), "after \(time)")
      #expect(try client.plans(of: "b").count == 1)
    }
  }
}
