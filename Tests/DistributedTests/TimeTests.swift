import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension TimedTests {
  /// Time as a tool: frames only while something moves, pause, steps, speed, `at`.
  @Suite struct TimeTests {
    // Clauses: S11.13
    @Test func `an idle daemon takes no wake-up of its timers`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let facts = ProcessFacts(daemon.process.processID)
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      try awaitTruth("it moves") { try client.status().frame.number > 5 }
      try awaitTruth("its timer is armed") { facts.armedTimers > 0 }

      // A second of 120 frames causes about as many wake-ups, or fewer if other processes take much of the processor;
      // this shows that the counting works.
      let movingSleeps = try sleeps(of: facts, in: .seconds(1))
      #expect(movingSleeps >= 30)

      try client.stop()
      try awaitTruth("no timer is armed") { facts.armedTimers == 0 }
      let wakeUps = try #require(try client.status()["frame-wake-ups"])
      #expect(try sleeps(of: facts, in: .seconds(1)) <= 1)
      #expect(try client.status()["frame-wake-ups"] == wakeUps)
      #expect(try client.status().frame.number == client.status().frame.number)
    }

    /// The number of times that the coordinator's thread goes to sleep in that time, as the kernel counts it.
    private func sleeps(of facts: ProcessFacts, in time: Duration) throws -> Int {
      let before = try #require(facts.sleeps(ofThread: "coordinator"))
      letPass(time)
      return try #require(facts.sleeps(ofThread: "coordinator")) - before
    }

    // Clauses: S11.28, S11.29
    @Test func stopsStepsAndPausesDuringAHoldDoWhatTheyState() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      for target: TargetName in ["ball", "box"] {
        try client.add(.springTo("x", 1_000, .physical(tension: 1, friction: 1)), to: target)
      }
      try awaitTruth("both move") { try client.state(of: "x", of: "box")?.state.velocity[0] ?? 0 > 50 }
      #expect(try client.clock(.release).hold == nil, "there is nothing to release")
      try client.clock(.hold(ClockHold(refuses: true)))
      #expect(throws: MotionClientError.self) { try client.add(.anchoredSpring("y", 1), to: "ball") }
      let since = try #require(try client.status().clock.hold?.since)
      let second = try #require(try client.clock(.hold(ClockHold())).hold)
      #expect(second.since == since && !second.refuses && second.by.user == getuid(), "\(second)")
      func standsStill() throws -> Bool {
        let frame = try client.status().frame.number
        letPass(.milliseconds(100))
        return try client.status().frame.number == frame
      }
      try awaitTruth("it stands") { try standsStill() }
      try client.stop(["ball"], ramp: true)
      let ball = try #require(try client.state(of: "x", of: "ball")?.state)
      #expect(ball.velocity[0] == 0)
      try client.clock(.pause)
      #expect(throws: MotionClientError.self) { try client.clock(.step(1)) }
      try client.clock(.resume)
      #expect(try standsStill())
      try client.clock(.release)
      try client.clock(.speed(20))
      try client.awaitIdle()
      #expect(try client.state(of: "x", of: "ball")?.state == ball)
      #expect(try client.state(of: "x", of: "box")?.state.value == 1_000)
    }

    // Clauses: S10.10, S13.8
    @Test func `a fade to black in a worker hardly raises a lamp that another tween is raising`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.tween("level", to: 0, duration: .milliseconds(10)), to: "lamp")
      _ = try client.awaitReady("tween")
      try client.awaitIdle()
      let start = try client.clock(.pause).time
      func add(_ level: Lanes, _ duration: Duration, at delay: Double) throws {
        var transaction = Transaction()
        transaction.add(.tween("level", to: level, duration: duration), to: "lamp")
        try client.commit(transaction, at: start + delay)
      }
      try add(1, .milliseconds(100), at: 0.1)
      try add(0, .seconds(2), at: 0.15)
      // Frame by frame: what is published is what a lamp receives.
      var levels: [PropertyState] = []
      for _ in 0..<60 {
        try client.clock(.step(1))
        if let state = try client.state(of: "level", of: "lamp")?.state { levels.append(state) }
      }
      let fastest = levels.map(\.velocity[0]).max() ?? 0
      let first = try #require(try client.plans(of: "lamp").first)
      let begun = try #require(levels.last { $0.velocity[0] == fastest }).value[0]
      let highest = levels.map(\.value[0]).max() ?? 0
      #expect(first.intention.type == "Tween" && fastest > 9 && begun > 0.3, "\(levels)")
      // The old tween moves it for two frames until the new one's values arrive; it rose on to 0.84 when the difference
      // faded within 150 ms whatever its velocity.
      #expect(highest <= begun + 2 * fastest / 120 + max(0.075 * begun, 0.005 * fastest), "\(levels)")
    }

    // Clauses: S11.14
    @Test func `values of paused and stepped frames equal those of an unpaused run`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.everything))
      try client.add(.springTo("position", [100, 0]), to: "free")
      try watcher.listen(for: [100, 0], of: "position", of: "free")
      try client.awaitIdle()

      try client.clock(.pause)
      try client.add(.springTo("position", [100, 0]), to: "stepped")
      let started = try client.status().frame.number
      for frames in [1, 2, 7] as [UInt64] {
        try client.clock(.step(frames))
        #expect(try client.status().clock.isPaused)
      }
      #expect(try client.status().frame.number == started + 10)
      letPass(.milliseconds(100))
      #expect(try client.status().frame.number == started + 10, "time stands")
      try client.clock(.resume)
      try watcher.listen(for: [100, 0], of: "position", of: "stepped")

      let free = watcher.track("position", of: "free").map { [$0.value, $0.velocity] }
      let stepped = watcher.track("position", of: "stepped").map { [$0.value, $0.velocity] }
      #expect(free == stepped)
      #expect(watcher.missed == 0)
    }

    // Clauses: S10.22, S11.26
    @Test func `while time is paused, lists show what is in effect, what is displaced, and how much waits`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.tween("level", to: 1, duration: .milliseconds(10)), to: "warm-up")
      _ = try client.awaitReady("tween")
      try client.awaitIdle()
      try client.clock(.pause)
      try client.add(.springTo("level", 10), to: "lamp")
      try client.clock(.step(5))
      let spring = try #require(try client.plans(of: "lamp").first).identity
      let tween = try client.add(.tween("level", to: 0, duration: .seconds(1)), to: "lamp")

      // The tween waits, and nothing has changed. Lists for people say so, and JSON contains no such line.
      let note = "note: time is paused, and 1 transaction waits (motionctl list waiting)\n"
      for list in [["list", "intentions"], ["list", "properties"], ["list", "tokens"], ["graph"]] {
        #expect(try daemon.ctl.start(list).finish().errors.hasSuffix(note), "\(list)")
      }
      let listed = try daemon.ctl("list", "intentions", "--json")
      #expect(listed.errors == "")
      #expect(!listed.output.contains("Tween"))

      // The tween drives from its first values on, in the next frame. Until then the spring moves the property.
      try client.clock(.step(1))
      let successor = IntentionIdentity(sequence: tween.sequence, operation: 0)
      #expect(try client.plans(of: "lamp").map(\.identity) == [spring, successor])
      #expect(try client.plans(of: "lamp").map(\.isDisplaced) == [true, false])
      let property = try #require(try client.state(of: "level", of: "lamp"))
      #expect(property.driver == "Tween")
      #expect(property.waiting == [])
      let now = try daemon.ctl("list", "intentions", "lamp")
      #expect(now.output.contains("displaced"))
      #expect(now.errors == "")
      #expect(try daemon.ctl("graph", "lamp").output.contains("SpringTo (displaced)"))

      try client.clock(.step(1))
      #expect(try client.plans(of: "lamp").map(\.isDisplaced) == [false])
    }

    // Clauses: S11.14
    @Test func `at another speed the same course is sampled more finely or coarsely`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.everything))
      try client.add(.springTo("position", [100, 0]), to: "normal")
      try watcher.listen(for: [100, 0], of: "position", of: "normal")
      let normal = watcher.track("position", of: "normal")
      for (speed, target) in [(0.5, "slow"), (2, "fast")] as [(Double, TargetName)] {
        try client.awaitIdle()
        try client.clock(.speed(speed))
        try client.add(.springTo("position", [100, 0]), to: target)
        try watcher.listen(for: [100, 0], of: "position", of: target)
        let track = watcher.track("position", of: target)
        let (few, many, factor) = speed < 1 ? (normal, track, 2) : (track, normal, 2)
        var compared = 0
        for (index, point) in few.enumerated() where (index + 1) * factor - 1 < many.count {
          let other = many[(index + 1) * factor - 1]
          // At the end one of the two has come to rest, by a snap of a tenth of the threshold.
          guard point != few.last, other != many.last, other.value != [100, 0], point.value != [100, 0] else { break }
          #expect(abs(point.value[0] - other.value[0]) < 1e-7)
          compared += 1
        }
        #expect(compared > 20)
      }
    }

    // Clauses: S11.14
    @Test func `a worker's tween keeps its course when paused, stepped, slowed and sped up`() throws {
      // At 30 frames a second even a busy machine leaves a worker the time to answer most of them.
      let daemon = try Daemon([.tween()], rate: 30)
      let client = try daemon.connect()
      try client.add(.tween("level", to: 1, duration: .milliseconds(10)), to: "warm-up")
      _ = try client.awaitReady("tween")
      try client.awaitIdle()
      let watcher = try Watcher(client, .motion(.everything), .outcomes(nil))
      func run(_ target: TargetName, _ steer: () throws -> Void) throws -> [Watcher.Point] {
        try client.clock(.pause)
        try client.add(.tween("level", to: 1, easing: "ease-in-out", duration: .seconds(2)), to: target)
        try steer()
        try watcher.listen("the end of \(target)") { watcher.ended.contains { $0.target == target } }
        try client.awaitIdle()
        try client.clock(.speed(1))
        return watcher.track("level", of: target)
      }

      let free = try run("free") { try client.clock(.resume) }
      let stepped = try run("stepped") {
        for frames in [1, 2, 30] as [UInt64] { try client.clock(.step(frames)) }
        try watcher.listen("the stepped frames") { watcher.track("level", of: "stepped").count >= 30 }
        // Time waits for a worker that has not answered: no stepped frame is late.
        let frames = watcher.track("level", of: "stepped")
        #expect(frames.count { $0.isLate } == 0)
        #expect(try client.status()["step-timeouts"] == 0)
        try client.clock(.resume)
      }
      let slow = try run("slow") {
        try client.clock(.speed(0.5))
        try client.clock(.resume)
      }
      let fast = try run("fast") {
        try client.clock(.resume)
        try watcher.listen("its beginning") { (watcher.track("level", of: "fast").last?.value[0] ?? 0) > 0.2 }
        try client.clock(.speed(2))
      }
      for track in [free, stepped, slow, fast] {
        #expect(track.last?.value == 1)
        let settled = Self.settled(track)
        #expect(settled.count > 10)
        // Wherever time was sampled, the values are those of the function; see the closed form below.
        let start = try #require(Self.start(of: settled))
        for point in settled {
          let expected = Self.easeInOut((point.time - start) / 2)
          #expect(abs(point.value[0] - expected) < 1e-6, "at \(point.time - start) s of \(track.count) frames")
        }
      }
      #expect(watcher.missed == 0)
      // Time advanced at the requested speeds: by a thirtieth of a second a frame, by half of that, by twice.
      #expect(Self.steps(of: free).allSatisfy { abs($0 - 1.0 / 30) < 1e-9 })
      #expect(Self.steps(of: slow).dropFirst(2).allSatisfy { abs($0 - 0.5 / 30) < 1e-9 })
      #expect(Self.steps(of: fast).suffix(10).allSatisfy { abs($0 - 2.0 / 30) < 1e-9 })
    }

    /// The simulated time between frames that follow each other.
    private static func steps(of track: [Watcher.Point]) -> [Double] {
      zip(track, track.dropFirst()).filter { $1.frame == $0.frame + 1 }.map { $1.time - $0.time }
    }

    /// The points that consist only of the worker's samples: not late, and 150 ms after the hand-over, which is two
    /// frames after the plan was added, or the last late frame; in that time the difference to the property's previous
    /// value fades out.
    private static func settled(_ track: [Watcher.Point]) -> [Watcher.Point] {
      var disturbed = track.first?.time ?? 0
      return track.filter { point in
        if point.isLate { disturbed = point.time }
        return point.time - disturbed > 0.22
      }
    }

    /// The time at which a tween of two seconds began, computed from the value in its middle, which determines time
    /// most precisely.
    private static func start(of track: [Watcher.Point]) -> Double? {
      guard let middle = track.min(by: { abs($0.value[0] - 0.5) < abs($1.value[0] - 0.5) }) else { return nil }
      var (low, high) = (0.0, 1.0)
      for _ in 0..<60 {
        let share = (low + high) / 2
        if easeInOut(share) < middle.value[0] { low = share } else { high = share }
      }
      return middle.time - 2 * low
    }

    /// CSS' `ease-in-out`, cubic-bezier(0.42, 0, 0.58, 1), by bisection: slow, and independent of any other code.
    private static func easeInOut(_ share: Double) -> Double {
      guard share > 0 else { return 0 }
      guard share < 1 else { return 1 }
      func curve(_ t: Double, _ a: Double, _ b: Double) -> Double {
        3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t
      }
      var (low, high) = (0.0, 1.0)
      for _ in 0..<60 {
        let t = (low + high) / 2
        if curve(t, 0.42, 0.58) < share { low = t } else { high = t }
      }
      return curve(low, 0, 1)
    }

    // Clauses: S11.5
    @Test func `a transaction for a later time is applied at that simulated time, idle or not`() throws {
      let daemon = try Daemon()
      let client = try daemon.connect()
      let now = try client.status().clock.time
      var transaction = Transaction()
      transaction.add(.springTo("position", [1, 1]), to: "later")
      let facts = ProcessFacts(daemon.process.processID)
      #expect(facts.armedTimers == 0)
      let receipt = try client.commit(transaction, at: now + 0.5)
      #expect(receipt.at == now + 0.5)
      #expect(try !client.status().isActive, "an idle runtime waits without frames")
      try awaitTruth("one timer is armed") { facts.armedTimers == 1 }
      let watcher = try Watcher(client, .motion(.everything))
      try watcher.listen(for: [1, 1], of: "position", of: "later")
      let first = try #require(watcher.track("position", of: "later").first)
      #expect(first.time >= now + 0.5)
      #expect(first.time < now + 0.5 + 0.1)

      // A time in the past means now.
      let past = try client.commit(transaction, at: 0.001)
      #expect(past.sequence == 2)
      // While time is paused the transaction is not applied; once time runs, all is applied.
      try client.clock(.pause)
      let stands = try client.status().clock.time
      var cue = Transaction()
      cue.add(.springTo("position", [5, 5]), to: "cue")
      try client.commit(cue, at: stands + 0.05)
      letPass(.milliseconds(150))
      #expect(try client.state(of: "position", of: "cue") == nil)
      try client.clock(.resume)
      try watcher.listen(for: [5, 5], of: "position", of: "cue")
      #expect(try #require(watcher.track("position", of: "cue").first).time >= stands + 0.05)
    }
  }
}
