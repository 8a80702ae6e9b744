import Glibc
import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

extension DistributedTests {
  /// Motion that is computed in worker processes.
  @Suite struct WorkerTests {
    // Clauses: S8.6
    @Test func `a named plan is replaced across executors, the old one removed first`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("ball")), .outcomes("ball"))
      try client.add(.anchoredSpring("position", [100, 0]), named: "go", to: "ball")
      try watcher.listen("it moves") { (watcher.track("position", of: "ball").last?.value[0] ?? 0) > 20 }

      try client.add(.tween("position", to: [300, 0], duration: .seconds(1)), named: "go", to: "ball")
      try awaitTruth("one plan of the name") {
        let plans = try client.plans(of: "ball")
        #expect(plans.map(\.name) == ["go"], "never both, never none")
        return plans.map(\.intention.type) == ["Tween"]
      }
      try watcher.listen("the tween's end") { !watcher.ended.isEmpty }
      // Had the spring been removed after the tween was added, it would pull the ball back now.
      try client.awaitIdle()
      #expect(try client.state(of: "position", of: "ball")?.state == PropertyState([300, 0]))
      #expect(try client.plans(of: "ball").isEmpty)

      try client.add(.tween("position", to: [0, 0], duration: .seconds(5)), named: "go", to: "ball")
      try client.add(.springTo("position", [7, 7]), named: "go", to: "ball")
      try watcher.listen(for: [7, 7], of: "position", of: "ball")
      #expect(watcher.missed == 0)
      let track = watcher.track("position", of: "ball")
      #expect(Self.largestStep(of: track) < 25, "\(Self.aroundLargestStep(of: track))")
    }

    @Test func `in one worker the removal arrives before the addition`() throws {
      let stage = try PuppetStage(named: "move")
      let client = stage.client
      let puppet = try stage.puppet()
      let snapshot = try puppet.serve()
      #expect(snapshot.executors.map(\.key) == [ExecutorKey("stage", "Puppet")])

      try client.add(Intention("Marionette"), named: "move", to: "stage")
      try awaitTruth("both commands") {
        try puppet.hear()
        return puppet.commands.count >= 2
      }
      guard case .remove(let old, _) = puppet.commands[0], case .add(let new, let key, let plan) = puppet.commands[1]
      else { return #expect(Bool(false), "\(puppet.commands)") }
      #expect(old == snapshot.executors.first?.handle)
      #expect(new != old)
      #expect(key == ExecutorKey("stage", "Marionette"))
      #expect(plan.name == "move")
    }

    // Clauses: S12.1
    @Test func `remote tokens make the runtime active while at least one is started`() throws {
      let stage = try PuppetStage()
      let client = stage.client
      let puppet = try stage.puppet()
      let executor = try #require(try puppet.serve().executors.first?.handle)
      try puppet.goOn(until: client, isActive: false)

      func awaitTokens(_ tokens: TokenName...) throws {
        try puppet.goOn(until: "the tokens \(tokens)") {
          try client.tokens().map(\.token).sorted() == tokens && client.status().isActive == !tokens.isEmpty
        }
      }
      try puppet.tell(.started(executor, "pull", moving: []))
      try awaitTokens("pull")
      #expect(try client.tokens() == [TokenRow(executor: ExecutorKey("stage", "Puppet"), token: "pull")])
      // Tokens are a set: a second start needs no second end, and an end of a token that never began has no effect.
      try puppet.tell(.started(executor, "pull", moving: []))
      try puppet.tell(.ended(executor, "unheard-of"))
      try puppet.tell(.started(executor, "push", moving: []))
      try awaitTokens("pull", "push")
      try puppet.tell(.ended(executor, "pull"))
      try awaitTokens("push")
      try puppet.tell(.ended(executor, "push"))
      try awaitTokens()
      try puppet.tell(.started(executor, "pull", moving: []))
      try awaitTokens("pull")
    }

    @Test func `frames are announced to a worker only while it wants updates`() throws {
      let stage = try PuppetStage()
      let client = stage.client
      let puppet = try stage.puppet()
      let executor = try #require(try puppet.serve().executors.first?.handle)
      // Another property moves all the time, so that frames run.
      try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "ball")
      try puppet.tell(.activity(executor, true))
      let before = puppet.ticks.count
      try puppet.goOn(until: "ticks") { puppet.ticks.count > before + 20 }
      #expect(zip(puppet.ticks, puppet.ticks.dropFirst()).allSatisfy { $1.frame.number >= $0.frame.number })

      try puppet.tell(.activity(executor, false))
      let frame = try client.status().frame.number
      try puppet.goOn(until: "frames go on") { try client.status().frame.number > frame + 5 }
      let heard = puppet.ticks.count
      let ticks = try #require(try client.status()["ticks"])
      try puppet.goOn(until: "more frames") { try client.status().frame.number > frame + 60 }
      #expect(puppet.ticks.count == heard)
      #expect(try client.status()["ticks"] == ticks)
    }

    @Test func `four plugins of two instances each share their targets`() throws {
      var plugins = [try PluginFolder.tween(), try PluginFolder.gestures()]
      plugins += [try .unruly(named: "even"), try .unruly(named: "odd")]
      for index in plugins.indices { plugins[index].manifest.instances = 2 }
      let daemon = try Daemon(plugins)
      let client = try daemon.connect()
      var transaction = Transaction()
      for number in 0..<24 {
        let target = try TargetName("t\(number)")
        transaction.add(.tween("opacity", from: 0, to: 0.5, duration: .milliseconds(300)), to: target)
        transaction.add(.unruly("level", to: 2, of: "even"), to: target)
        transaction.add(.unruly("height", to: 3, of: "odd"), to: target)
        if number < 8 { transaction.add(Intention("Draggable"), to: target) }
      }
      let receipt = try client.commit(transaction)
      #expect(receipt.plugins.count == 4)
      try awaitTruth("both hands are there") {
        try client.plugins().first { $0.name == "gesture" }?.workers.map(\.state) == [.ready, .ready]
      }
      for number in 0..<8 { try Touch(client: client, target: TargetName("t\(number)")).play() }

      try client.awaitIdle(within: .seconds(30))
      for plugin in ["tween", "gesture", "even", "odd"] as [PluginName] {
        let workers = try #require(try client.plugins().first { $0.name == plugin }).workers
        #expect(workers.count == 2, "\(plugin)")
        #expect(Set(workers.map(\.processID)).count == 2)
        #expect(workers.allSatisfy { $0.state == .ready && $0.restarts == 0 }, "\(workers)")
      }
      let ends: [PropertyName: Lanes] = ["opacity": 0.5, "level": 2, "height": 3]
      let rows = try client.properties()
      #expect(rows.count == 24 * 3 + 8)
      for row in rows {
        let (reference, state) = (row.reference, row.state)
        if let end = ends[reference.property] {
          #expect(state == PropertyState(end), "\(reference)")
        } else {
          #expect(state.value != [0, 0], "\(reference)")
        }
      }
    }

    /// Checks that a property's movement matches its published velocities, in consecutive frames at 120 a second, and in
    /// time.
    static func expectVelocities(
      of track: [Watcher.Point], within limit: Double, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      for (one, next) in zip(track, track.dropFirst()) where !one.isLate && !next.isLate {
        let slope = (next.value[0] - one.value[0]) * 120
        let (before, after) = (one.velocity?[0] ?? .nan, next.velocity?[0] ?? .nan)
        // The mean of a frame lies between the velocities at its ends.
        #expect(
          min(before, after) - limit < slope && slope < max(before, after) + limit,
          "frame \(next.frame): moved at \(slope), says \(before) before it and \(after) after it",
          sourceLocation: sourceLocation)
      }
    }

    /// The points before and after the largest step: frames and values, and `late` for those that are.
    static func aroundLargestStep(of track: [Watcher.Point]) -> String {
      let steps = zip(track, track.dropFirst()).map { abs($1.value[0] - $0.value[0]) }
      guard let largest = steps.indices.max(by: { steps[$0] < steps[$1] }) else { return "no step" }
      return track[max(0, largest - 6)..<min(track.count, largest + 6)]
        .map { "\($0.frame): \($0.value[0])\($0.isLate ? " late" : "")" }.joined(separator: ", ")
    }

    /// The largest distance that the first lane moves in one frame.
    static func largestStep(of track: [Watcher.Point]) -> Double {
      zip(track, track.dropFirst()).map { abs($1.value[0] - $0.value[0]) }.max() ?? 0
    }
  }
}

extension TimedTests {
  /// The evenness of motion in worker processes: a busy machine makes it catch up.
  @Suite struct WorkerTimes {
    @Test func `a tween in a worker moves to its exact end, evenly, without a gap`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      let watcher = try Watcher(client, .motion(.target("circle")), .outcomes("circle"))
      let receipt = try client.add(.tween("opacity", from: 0, to: 1, duration: .milliseconds(400)), to: "circle")
      #expect(receipt.plugins == [PluginReadiness("tween", .starting)])
      try watcher.listen("the tween's end") { !watcher.ended.isEmpty }

      // Until the worker is ready, the lamp stays in its place.
      let track = Array(watcher.track("opacity", of: "circle").drop { $0.value == 1 })
      #expect(watcher.ended.map(\.outcome) == [.completed])
      #expect(track.last?.value == 1)
      #expect(track.last?.velocity == 0)
      // While its worker is late for longer than four frames the property stays in place, and no values are published
      // for it.
      #expect(zip(track, track.dropFirst()).allSatisfy { $1.frame == $0.frame + 1 || $0.isLate }, "\(track)")
      #expect(watcher.missed == 0)
      #expect(track.count > 30)
      for (one, next) in zip(track, track.dropFirst()) where !one.isLate && !next.isLate {
        #expect(next.value[0] - one.value[0] <= 2.6 / 120, "frame \(next.frame)")
        #expect(next.value[0] >= one.value[0])
      }
      // The worker is ready now, and the receipt reports that.
      let next = try client.add(.tween("opacity", to: 0, duration: .milliseconds(50)), to: "circle")
      #expect(next.plugins == [PluginReadiness("tween", .ready)])
    }

    @Test func `a spring, a tween and a spring interrupt each other without a jump`() throws {
      let daemon = try Daemon([.tween()])
      let client = try daemon.connect()
      try client.add(.tween("opacity", to: 1, duration: .milliseconds(10)), to: "warm-up")
      _ = try client.awaitReady("tween")
      try client.awaitIdle()
      let watcher = try Watcher(client, .motion(.target("ball")), .outcomes("ball"))
      try client.add(.springTo("position", [400, 0], .physical(tension: 120, friction: 14)), to: "ball")
      try watcher.listen("the spring's middle") { (watcher.track("position", of: "ball").last?.value[0] ?? 0) > 150 }
      // Long enough that the next commit arrives in its middle also where processes wait for the processor.
      try client.add(.tween("position", to: [0, 0], duration: .seconds(2)), to: "ball")
      try watcher.listen("the tween's middle") {
        watcher.track("position", of: "ball").last.map { $0.value[0] < 120 } ?? false
      }
      try client.add(.springTo("position", [50, 0]), to: "ball")
      try watcher.listen(for: [50, 0], of: "position", of: "ball")
      try watcher.listen("all three end") { watcher.ended.count >= 3 }

      let track = watcher.track("position", of: "ball")
      #expect(Watcher.isGaplessUnlessLate(track))
      #expect(
        watcher.ended.map(\.outcome).sorted { $0.rawValue < $1.rawValue } == [.completed, .displaced, .displaced])
      // The fastest of the three moves at about 2000 a second: 17 in a frame. A jump at a hand-over would be a hundred.
      #expect(WorkerTests.largestStep(of: track) < 30, "\(WorkerTests.aroundLargestStep(of: track))")
      WorkerTests.expectVelocities(of: track, within: 100)
    }
  }
}

private typealias WorkerTests = DistributedTests.WorkerTests
