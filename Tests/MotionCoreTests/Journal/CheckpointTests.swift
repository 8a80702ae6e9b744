import MotionModel
import Testing

@testable import MotionCore

/// The checkpoint that a runtime writes so that another process can continue from it.
struct CheckpointTests {
  /// A runtime that continues from the present state of another, with the same plugins.
  private func successor(of scene: Scene) throws -> Scene {
    let next = try Scene()
    next.runtime.restore(scene.runtime.checkpoint())
    return next
  }

  // Clauses: S17.3
  @Test func `a restored spring continues from value and velocity`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 100, initialVelocity: 900))
    scene.advance(12)
    let next = try successor(of: scene)
    #expect(next.value() == scene.value())
    #expect(next.velocity() == scene.velocity() && scene.velocity() != 0)
    #expect(next.runtime.frame.number == 12 && next.runtime.isActive)
    while scene.runtime.wantsFrames {
      scene.advance()
      next.advance()
      // The same step from the same place, except for the rounding of the remaining distance.
      #expect(abs(next.value() - scene.value()) < 1e-9)
      #expect(abs(next.velocity() - scene.velocity()) < 1e-7)
    }
    #expect(!next.runtime.isActive && next.value() == 100)
    #expect(next.ended() == scene.ended())
  }

  // Clauses: S10.12, S17.3
  @Test func `the difference of a hand-over continues to fade after a restart`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    for _ in 0..<7 {
      try worker.write(1, 300)
      worker.send()
      scene.advance()
    }
    let next = try successor(of: scene)
    #expect(next.value() == scene.value() && next.velocity() == scene.velocity())
    #expect(next.value() < 200 && next.velocity() > 2000)
    for _ in 0..<20 {
      let last = next.value()
      next.advance()
      #expect(next.value() >= last && next.value() <= 300)
    }
    #expect(next.value() == 300 && next.velocity() == 0)
  }

  // Clauses: S17.3
  @Test func `restored forces add up as before, and the waiting writer below resumes`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 50), named: "home")
    try scene.add(.friction("x", coefficient: 2))
    try scene.add(.springTo("x", 200))
    scene.advance(9)
    let next = try successor(of: scene)
    #expect(try next.runtime.plans() == scene.runtime.plans())
    scene.runtime.advanceUntilRest()
    next.runtime.advanceUntilRest()
    #expect(abs(next.value() - scene.value()) < 1e-9)
    try next.remove("home")
    next.advance()
    #expect(try next.runtime.plans().count == 1, "what has a name is still known by it")
  }

  // Clauses: S7.18, S17.3
  @Test func `a follower whose leader has other lanes continues after a restart`() throws {
    let scene = try Scene()
    try scene.add(.attachWithSpring("x", to: PropertyReference("leader", "y")))
    scene.advance()
    var transaction = Transaction()
    transaction.add(.springTo("y", [1, 2]), to: "leader")
    _ = try scene.runtime.commit(transaction)
    scene.advance(3)
    #expect(try scene.runtime.plans().contains { $0.type == "AttachWithSpring" })
    let next = try successor(of: scene)
    next.advance(3)
    #expect(try next.runtime.plans() == scene.runtime.plans())
    #expect(next.value() == scene.value())
  }

  // Clauses: S17.3
  @Test func `a worker receives the elapsed time of a restored plan and its start state`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.springTo("x", 100))
    scene.advance(5)
    let began = scene.value()
    try scene.add(.tween("x", to: 300))
    scene.advance(1)
    try worker.write(2, 60, velocity: 10)
    worker.send()
    scene.advance(3)
    let next = try successor(of: scene)
    #expect(next.port.needs == [worker.address])
    #expect(next.runtime.isActive, "it is owed to the worker")
    _ = next.worker("tween")
    let plan = try #require(next.port.snapshots.last?.executors.flatMap(\.intentions).first)
    #expect(plan.startFrame == 6)
    #expect(abs(plan.startTime - 0.05) < 1e-12)
    #expect(plan.starts.first?.state.value == Lanes(began))
    #expect(try plan.starts.first?.handle == next.row("x")?.handle)
  }

  // Clauses: S17.4
  @Test func `after a restart manipulations have ended, and plans that waited for them begin`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    scene.advance()
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    try worker.write(1, 40, velocity: 500, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    try scene.add(.springTo("x", 0))
    scene.advance()
    #expect(try scene.driver() == "Gesture")
    let next = try successor(of: scene)
    #expect(try next.driver() == "Physics")
    #expect(next.runtime.counts.tokens == 0)
    #expect(next.value() == scene.value() && next.velocity() == scene.velocity())
    next.runtime.advanceUntilRest(limit: 1000)
    #expect(next.value() == 0)
    #expect(try next.runtime.plans().count == 1, "the hand may come again")
  }

  // Clauses: S17.3
  @Test func `a restored plan does not emit its children again, and ends with them`() throws {
    let scene = try Scene()
    try scene.add(.tossable(destination: [100, 0], slop: 4), named: "toss")
    scene.advance(4)
    let next = try successor(of: scene)
    #expect(try next.runtime.plans() == scene.runtime.plans())
    #expect(next.runtime.counts.intentions == 3)
    try next.remove("toss")
    next.advance()
    #expect(next.runtime.counts.intentions == 0)
  }

  // Clauses: S17.5
  @Test func `a restored plan without an executor fails, and the others continue`() throws {
    let scene = try Scene()
    try scene.add(.tween("y", to: 1))
    try scene.add(.springTo("x", 100))
    scene.advance(3)
    let runtime = Runtime(ratePerSecond: 100)
    runtime.log.keeps = .endings
    runtime.restore(scene.runtime.checkpoint())
    #expect(runtime.counts.intentions == 1)
    #expect(runtime.failures.map(\.intention.type) == ["Tween"])
    #expect(runtime.failures.first?.reason.contains("after the restart") == true)
    #expect(runtime.log.takeEnded().map(\.outcome) == [.failed])
    runtime.advanceUntilRest()
    #expect(runtime.state(of: "x", on: "ball")?.value == 100)
  }

  // Clauses: S17.9
  @Test func `waiting transactions wait on after a restart, and sequences continue`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.springTo("x", 100), to: "ball")
    try scene.runtime.commit(transaction, at: 2)
    scene.advance(50)
    let next = try successor(of: scene)
    #expect(next.runtime.nextDueTime == 2)
    #expect(try next.runtime.commit(transaction).sequence == 2)
    next.advance(160)
    #expect(next.ended().count == 2)
  }

  // Clauses: S17.2
  @Test func `the rows after the checkpoint are replayed in order`() throws {
    let scene = try Scene()
    var glow = Transaction()
    glow.add(.springTo("x", 100), named: "glow", to: "ball")
    try scene.runtime.commit(glow, at: 0.5)
    scene.advance(40)
    let checkpoint = scene.runtime.checkpoint()
    scene.advance(20)
    // After the glow had begun, it was removed, and another plan was added.
    var dark = Transaction()
    dark.remove(named: "glow", from: "ball")
    dark.add(.anchoredSpring("x", 7), to: "ball")
    let next = try Scene()
    next.runtime.restore(checkpoint)
    next.runtime.recover(
      JournalEntry(
        .commit(sequence: 2, Commit(dark, id: .random()), client: 1), frame: scene.runtime.frame,
        time: scene.runtime.frame.time))
    #expect(next.runtime.counts.waiting == 1, "it is unknown yet whether its frame was run")
    next.runtime.applyRecovered()
    #expect(next.runtime.frame.number == 60, "time goes on from the last that was acknowledged")
    #expect(try next.runtime.plans().map(\.type) == ["AnchoredSpring"])
    #expect(next.runtime.nextDueTime == nil)
    next.runtime.recover(
      JournalEntry(.stop([]), frame: scene.runtime.frame, time: scene.runtime.frame.time))
    #expect(next.runtime.counts.intentions == 0 && next.velocity() == 0)
  }

  /// In all cases, folding the changes gives the present state: no change that a checkpoint needs is lost.
  @Test func `the changes of checkpoints add up to the whole`() throws {
    let seed = TestSeed.value
    for seed in seed..<seed + 5 {
      let chaos = try Chaos(seed: seed)
      chaos.runtime.log.keeps.insert(.checkpoints)
      var folded = Folded()
      for _ in 0..<400 {
        try chaos.happen()
        chaos.runtime.advance()
        if chaos.chance(0.7), let changes = chaos.runtime.log.takeChanges() { folded.take(changes) }
        guard chaos.chance(0.2) else { continue }
        while let changes = chaos.runtime.log.takeChanges(atMost: 7) { folded.take(changes) }
        let whole = chaos.runtime.checkpoint()
        #expect(folded.plans.sorted { $0.key < $1.key }.map(\.value) == whole.plans, "seed \(seed)")
        let targets = folded.targets.sorted { $0.key < $1.key }.map(\.value)
        #expect(targets.map(\.0) == whole.targets.map(\.name), "seed \(seed)")
        #expect(targets.map(\.1) == whole.targets.map { $0.properties.map(\.name) }, "seed \(seed)")
      }
    }
  }

  /// A restored runtime writes the same checkpoint, and its tables are consistent.
  @Test func `a restored runtime has the same checkpoint`() throws {
    let seed = TestSeed.value
    for seed in seed..<seed + 5 {
      let chaos = try Chaos(seed: seed)
      for _ in 0..<300 {
        try chaos.happen()
        chaos.runtime.advance()
        guard chaos.chance(0.1) else { continue }
        let before = chaos.runtime.checkpoint()
        let runtime = Runtime(registry: try Chaos.registry(), ratePerSecond: 100)
        runtime.log.keeps = .endings
        runtime.restore(before)
        let after = runtime.checkpoint()
        #expect(after.targets.map(\.name) == before.targets.map(\.name), "seed \(seed)")
        #expect(after.waiting == before.waiting, "seed \(seed)")
        // Plans that lost their property because a hand has let go have ended; no other plan has, and none is new.
        let kept = Set(after.plans.map(\.identity))
        let lost = before.plans.filter { !kept.contains($0.identity) }
        #expect(Set(runtime.log.takeEnded().map(\.identity)).isSuperset(of: lost.map(\.identity)), "seed \(seed)")
        #expect(Set(before.plans.map(\.identity)).isSuperset(of: kept), "seed \(seed)")
        let again = Runtime(registry: try Chaos.registry(), ratePerSecond: 100)
        again.restore(after)
        #expect(again.checkpoint() == after, "seed \(seed): the second time nothing is lost")
      }
    }
  }

  private struct Folded {
    var targets: [UInt64: (TargetName, [PropertyName])] = [:]
    var plans: [UInt64: RuntimeCheckpoint.Plan] = [:]

    mutating func take(_ changes: CheckpointChanges) {
      for change in changes.targets {
        switch change {
        case .kept(let ordinal, let name, let properties): targets[ordinal] = (name, properties.map(\.name))
        case .forgotten(let ordinal): targets[ordinal] = nil
        }
      }
      for change in changes.plans {
        switch change {
        case .kept(let order, let plan): plans[order] = plan
        case .gone(let order): plans[order] = nil
        }
      }
    }
  }
}

extension Runtime {
  /// The present plans, by type and name.
  fileprivate func plans() throws -> [Plan] {
    guard case .intentions(let rows)? = try answer(.intentions(nil)) else { return [] }
    return rows.filter { $0.state != .failed }.map {
      Plan(type: $0.intention.type, name: $0.name, identity: $0.identity)
    }
  }

  fileprivate struct Plan: Equatable {
    var type: IntentionType
    var name: IntentionName?
    var identity: IntentionIdentity
  }
}
