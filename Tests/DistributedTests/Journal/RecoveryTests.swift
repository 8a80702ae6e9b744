import Faults
import Foundation
import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionPhysics
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// A motiond that is killed, and the next one in its place.
  @Suite struct RecoveryTests {
    /// Kills a daemon and starts the next one in its directory.
    private func kill(_ daemon: Daemon, _ plugins: [PluginFolder] = []) throws -> Daemon {
      daemon.process.kill()
      return try Daemon(plugins, in: daemon.directory)
    }

    /// The distance of the ball, in value and velocity, from the place where its spring has it after this time, if it
    /// was at `beginning`.
    private static func distance(
      of point: Watcher.Point, from beginning: Watcher.Point, lag: Double
    ) throws -> Double {
      let forces = ForceSum(spring: SpringCoefficients(tension: 1, friction: 0.5), anchor: [100, 50, 0, 0])
      let course = LinearStep(forces: forces, dt: point.time - lag - beginning.time)
        .advance(value: beginning.value.storage, velocity: try #require(beginning.velocity).storage, forces: forces)
      let value = point.value.storage - course.value
      let velocity = try #require(point.velocity).storage - course.velocity
      return (value * value + velocity * velocity).sum().squareRoot()
    }

    /// The number of seconds by which the ball is behind its time: where it is nearest to its curve, within a sixth of
    /// a turn.
    private static func lag(of point: Watcher.Point, from beginning: Watcher.Point) throws -> Double {
      var (low, high) = (-0.1, 1.0)
      for _ in 0..<100 {
        let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
        let isLeft =
          try distance(of: point, from: beginning, lag: left) < distance(of: point, from: beginning, lag: right)
        if isLeft { high = right } else { low = left }
      }
      return (low + high) / 2
    }

    // Clauses: S17.1, S17.3
    @Test(
      .fault(
        .processes, "motiond is killed while springs move", by: "SIGKILL, and a start in the same directory",
        promise: "every acknowledged plan is there; springs continue from value and velocity of at most 1 s ago"))
    func `acknowledged plans are restored after a kill, and motion continues where it was`() throws {
      let first = try Daemon()
      let client = try first.connect()
      let watcher = try Watcher(client, .motion(.target("ball")))
      try client.add(.anchoredSpring("position", [100, 50], .physical(tension: 1, friction: 0.5)), to: "ball")
      try client.add(.springTo("opacity", 0.5), named: "dim", to: "lamp")
      // Long enough that a checkpoint, at most a second old, is not the beginning.
      try watcher.listen("its swing") { (watcher.frames.last?.time ?? 0) > 3 }
      try awaitTruth("a checkpoint of the moving ball") {
        let status = try client.status()
        return status.journal?.checkpointBytes ?? 0 > 0 && status.journal?.rowsSinceCheckpoint == 0
      }
      try watcher.take(upTo: .zero)
      let track = watcher.track("position", of: "ball")
      let (beginning, last) = (try #require(track.first), try #require(track.last))
      let time = try client.status().clock.time

      let second = try kill(first)
      let ready = BootClock.now
      let next = try second.connect()
      #expect(try next.plans(of: "ball").map(\.intention.type) == ["AnchoredSpring"])
      #expect(try next.status().clock.time >= time - 1, "time stood still, and a second of motion may happen again")
      let after = try Watcher(next, .motion(.target("ball")))
      try after.listen("it moves on") { after.frames.count > 20 }
      let served = (BootClock.now - ready) / .seconds(1)
      let points = after.track("position", of: "ball")
      // Value and velocity lie on the one curve that it has begun. The clock of a checkpoint may be ahead of its motion
      // by a few frames, by the lateness of the last one.
      let lag = try Self.lag(of: points[0], from: beginning)
      let distances = try points.map { try Self.distance(of: $0, from: beginning, lag: lag) }
      #expect(distances.allSatisfy { $0 < 1e-5 }, "\(distances), \(lag) s late")
      // Time was paused meanwhile, and a second of motion may be repeated; since the daemon serves, no more time has
      // passed than here. The additional half second is for a machine that is too busy to write a checkpoint, or to
      // make each frame, in time.
      #expect(try #require(points.last).time - lag - served >= last.time - 1.5)
      // It swings for half a minute.
      try next.clock(.speed(20))
      try awaitTruth("the ball's rest") { try next.state(of: "position", of: "ball")?.state.velocity == [0, 0] }
      #expect(try next.state(of: "position", of: "ball")?.state.value == [100, 50])
      #expect(try next.state(of: "opacity", of: "lamp")?.state.value == 0.5)
    }

    // Clauses: S17.3
    @Test(
      .fault(
        .processes, "motiond is killed while a worker tweens", by: "SIGKILL, and a start in the same directory",
        promise: "a new worker continues with the elapsed time of the tween"))
    func `a tween continues in a new worker with the time it has had`() throws {
      let first = try Daemon([.tween()])
      let client = try first.connect()
      try client.add(.tween("opacity", to: 0, duration: .seconds(4)), to: "lamp")
      _ = try client.awaitReady("tween")
      try awaitTruth("half of it") { try client.state(of: "opacity", of: "lamp")?.state.value[0] ?? 1 < 0.5 }
      let started = BootClock.now
      let second = try kill(first, [.tween()])
      let next = try second.connect()
      #expect(try next.state(of: "opacity", of: "lamp")?.state.value[0] ?? 1 < 0.8, "a second of it may happen again")
      try awaitTruth("its end") { try next.plans(of: "lamp").isEmpty }
      #expect(try next.state(of: "opacity", of: "lamp")?.state.value == 0)
      // Half of it was left, and a second may have been repeated; from the beginning it would have taken four.
      #expect(BootClock.now - started < .seconds(3.9))
    }

    // Clauses: S11.27, S17.6
    @Test(
      .fault(
        .processes, "motiond is killed while a property brakes after a stop with a ramp",
        by: "SIGKILL, and a start in the same directory", promise: "it brakes on from there, and stands after its way"))
    func brakingContinuesAfterAKill() throws {
      let first = try Daemon()
      let client = try first.connect()
      // Time is slowed, so that it brakes for ten seconds.
      try client.add(.springTo("x", 1_000, .physical(tension: 1, friction: 0)), to: "ball")
      try awaitTruth("it moves") { try client.state(of: "x", of: "ball")?.state.velocity[0] ?? 0 > 200 }
      try client.clock(.speed(0.05))
      let run = try first.ctl.start(["stop", "--ramp", "ball"]).finish()
      #expect(run.end == .exited(0) && run.output.contains("ball stopped and brakes"), "\(run.output)\(run.errors)")
      #expect(try client.plans(of: "ball").isEmpty)
      let stopped = try #require(try client.state(of: "x", of: "ball")?.state)
      #expect(stopped.velocity[0] > 200)
      try awaitTruth("a checkpoint") { try client.status().journal?.rowsSinceCheckpoint == 0 }

      let death = BootClock.now
      let second = try kill(first)
      let next = try second.connect()
      FaultMeasures.measured(BootClock.now - death, "death to braking again")
      let braking = try #require(try next.state(of: "x", of: "ball")?.state)
      #expect(braking.velocity[0] > 0.5 * stopped.velocity[0] && braking.velocity[0] <= stopped.velocity[0])
      try next.clock(.speed(1))
      try next.awaitIdle()
      let rest = try #require(try next.state(of: "x", of: "ball")?.state)
      // Half a second of even braking covers the distance of a quarter of a second at the velocity of the stop.
      let way = (rest.value[0] - stopped.value[0]) / (0.25 * stopped.velocity[0])
      #expect(rest.velocity[0] == 0 && way > 0.8 && way < 1.05, "\(way)")
    }

    // Clauses: S11.28, S17.6
    @Test(
      .fault(
        .processes, "motiond is killed while motion is held", by: "SIGKILL, and a start in the same directory",
        promise: "nothing moves until the release; transactions wait"))
    func holdOutlastsRestartsUntilItsRelease() throws {
      let first = try Daemon()
      let client = try first.connect()
      try client.add(.springTo("x", 1_000, .physical(tension: 1, friction: 1)), to: "ball")
      try awaitTruth("it moves") { try client.state(of: "x", of: "ball")?.state.velocity[0] ?? 0 > 100 }
      #expect(try first.ctl.start(["hold"]).finish().end == .exited(0))
      func place(_ client: MotionClient) throws -> Double {
        try #require(try client.state(of: "x", of: "ball")?.state.value[0])
      }
      try awaitTruth("it stands") {
        let before = try (place(client), client.status().frame.number)
        letPass(.milliseconds(100))
        return try before == (place(client), client.status().frame.number)
      }
      let held = try place(client)
      let status = try first.ctl.start(["status"]).finish().output
      #expect(status.contains(" held,") && status.contains("held     since"), "\(status)")
      // Without one, a second may be repeated.
      try awaitTruth("a checkpoint") { try client.status().journal?.rowsSinceCheckpoint == 0 }
      try client.add(.anchoredSpring("y", 5), to: "box")
      #expect(try client.waiting().count == 1)

      let death = BootClock.now
      let second = try kill(first)
      let next = try second.connect()
      #expect(try next.status().clock.hold != nil)
      FaultMeasures.measured(BootClock.now - death, "death to held again")
      letPass(.milliseconds(200))
      #expect(try place(next) == held && next.waiting().count == 1)
      // Now without waiting: the second hold changes what happens to transactions.
      try next.clock(.hold(ClockHold(refuses: true)))
      #expect(throws: MotionClientError.self) { try next.add(.anchoredSpring("y", 6), to: "box") }
      try second.terminate()
      let third = try Daemon(in: second.directory)
      let last = try third.connect()
      #expect(try last.status().clock.hold?.refuses == true)
      #expect(try place(last) == held)
      #expect(throws: MotionClientError.self) { try last.clock(.step(1)) }
      #expect(try third.ctl.start(["release"]).finish().end == .exited(0))
      try last.clock(.speed(20))
      try last.awaitIdle()
      #expect(try place(last) == 1_000)
      #expect(try last.state(of: "y", of: "box")?.state.value == 5)
      #expect(try last.status().clock.hold == nil)
    }

    // Clauses: S17.6, S17.9
    @Test(
      .fault(
        .processes, "motiond is killed while time is paused or slowed",
        by: "SIGKILL after pause, speed, stop and a commit for later", promise: "all of it is restored"))
    func `pause, speed, stop and waiting transactions are restored after a kill`() throws {
      let first = try Daemon()
      let client = try first.connect()
      try client.add(.anchoredSpring("x", 5), to: "ball")
      try client.add(.anchoredSpring("x", 5), to: "box")
      var later = Transaction()
      later.add(.springTo("x", 9), to: "cue")
      try client.commit(later, at: 1000)
      try client.stop(["ball"])
      try client.clock(.speed(0.5))
      let paused = try client.clock(.pause)

      let second = try kill(first)
      let next = try second.connect()
      let clock = try next.status().clock
      #expect(clock.isPaused && clock.speed == 0.5)
      #expect(abs(clock.time - paused.time) < 1e-9)
      #expect(try next.plans(of: "ball").isEmpty)
      #expect(try next.plans(of: "box").count == 1)
      try next.stop()
      let third = try kill(second)
      let last = try third.connect()
      #expect(try last.intentions().isEmpty)
      // No waiting transaction begins, however far time runs.
      try last.clock(.resume)
      try last.clock(.speed(1000))
      letPass(.milliseconds(100))
      try last.clock(.speed(1000))
      #expect(try last.state(of: "x", of: "cue") == nil)
    }

    // Clauses: S17.7
    @Test func `a transaction id is recognized after a kill`() throws {
      let first = try Daemon()
      let id = TransactionID.random()
      var transaction = Transaction()
      transaction.add(.springTo("position", [10, 10]), to: "ball")
      let receipt = try first.connect().commit(transaction, id: id)
      let second = try kill(first)
      let client = try second.connect()
      let again = try client.commit(transaction, id: id)
      #expect(again.isRepeat && again.sequence == receipt.sequence)
      #expect(again.plugins == receipt.plugins)
      transaction.forget("ball")
      let error = #expect(throws: MotionClientError.self) { try client.commit(transaction, id: id) }
      #expect(error?.refusal?.code == .idReused)
      #expect(try client.add(.springTo("position", [1, 1]), to: "other").sequence == receipt.sequence + 1)
    }

    // Clauses: S17.5
    @Test(
      .fault(
        .operators, "A plugin is missing when motiond starts again", by: "its folder is removed between kill and start",
        promise: "its plans fail with the reason, and no others"))
    func `a plugin that is missing at a restart fails its own plans only`() throws {
      let first = try Daemon([.tween()])
      let client = try first.connect()
      try client.add(.tween("opacity", to: 0, duration: .seconds(60)), to: "lamp")
      try client.add(.anchoredSpring("x", 5), to: "ball")
      _ = try client.awaitReady("tween")
      first.process.kill()
      try FileManager.default.removeItem(atPath: first.directory["plugins"])
      let second = try Daemon(in: first.directory)
      let next = try second.connect()
      let lost = try next.intentions().filter { $0.state == .failed }
      #expect(lost.map(\.intention.type) == ["Tween"])
      #expect(lost.first?.reason.contains("Tween") == true)
      #expect(try next.plans(of: "ball").count == 1)
      try awaitLog(of: second, "Tween on lamp")
    }

    // Clauses: S17.9
    @Test(
      .fault(
        .processes, "A client has ended when motiond starts again",
        by: "SIGKILL of both; a plan held while its client is connected", promise: "withdrawn after 3 s"))
    func `a plan held for a client that does not return is withdrawn`() throws {
      let first = try Daemon()
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", 5), to: "ball")
      // A keeper of its own sends the daemon the client's heartbeats; it ends with the client.
      var client: MotionClient? = try first.connect()
      try client?.commit(transaction, whileConnected: true)
      first.process.kill()
      client = nil
      let second = try Daemon(in: first.directory)
      let next = try second.connect()
      #expect(try next.plans(of: "ball").count == 1)
      try awaitTruth("the withdrawal") { try next.plans(of: "ball").isEmpty }
      let third = try kill(second)
      #expect(try third.connect().plans(of: "ball").isEmpty, "it was kept, too")
    }

    // Clauses: S17.10
    @Test(
      .fault(
        .processes, "motiond is killed and started again under a client", by: "SIGKILL",
        promise: "the client continues with the next motiond, and its held plan stays"))
    func `a client continues with the next motiond, and its held plan stays`() throws {
      let first = try Daemon()
      let client = try first.connect()
      var transaction = Transaction()
      transaction.add(.anchoredSpring("x", 5), to: "ball")
      try client.commit(transaction, whileConnected: true)
      let second = try kill(first)
      // Sent to the previous daemon, and answered by the next one.
      #expect(try client.add(.springTo("x", 1), to: "box").sequence == 2)
      #expect(client.epoch == 2)
      letPass(.milliseconds(3500))
      #expect(try client.plans(of: "ball").count == 1)
      _ = second
    }

    @Test func `without a journal, no plan survives a restart`() throws {
      let first = try Daemon(arguments: ["--journal", "none"])
      let client = try first.connect()
      try client.add(.anchoredSpring("x", 5), to: "ball")
      #expect(try client.status().journal == nil)
      first.process.kill()
      let second = try Daemon(in: first.directory, arguments: ["--journal", "none"])
      #expect(try second.connect().intentions().isEmpty)
    }
  }
}
