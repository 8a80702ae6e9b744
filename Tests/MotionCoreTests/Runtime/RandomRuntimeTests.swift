import MotionModel
import MotionPhysics
import MotionTestKit
import Testing

@testable import MotionCore
@testable import Trajectories

/// Thousands of random operations and updates, checked against the invariants after each frame.
struct RandomRuntimeTests {
  @Test func `random events keep the runtime's tables consistent`() throws {
    let seed = TestSeed.value
    for seed in seed..<seed + UInt64(SeededRandom.rounds(10)) {
      let chaos = try Chaos(seed: seed)
      for _ in 0..<500 {
        try chaos.happen()
        chaos.runtime.advance()
        check(chaos.runtime, seed)
      }
      chaos.calmDown()
      check(chaos.runtime, seed)
      #expect(!chaos.runtime.isActive, "seed \(seed): nothing stays active for ever")
      #expect(chaos.runtime.counts.intentions == 0, "seed \(seed)")
      #expect(chaos.runtime.counts.tokens == 0, "seed \(seed)")
      #expect(chaos.runtime.counts.executors == 0, "seed \(seed)")
      #expect(chaos.runtime.movement.bank.count == 0, "seed \(seed): the bank holds nothing that nobody needs")
    }
  }

  private func check(_ runtime: Runtime, _ seed: UInt64) {
    let place = "seed \(seed), frame \(runtime.frame.number)"
    #expect(runtime.movement.unsettled.isEmpty && runtime.workers.endings.isEmpty, "\(place)")
    // Those without an end wait until limits let their property arrive.
    let arriving = runtime.retirement.lingering.filter { runtime.retirement.ending[$0] == nil }
    #expect(
      Set(runtime.retirement.ending.keys).union(arriving) == Set(runtime.retirement.lingering)
        && arriving.allSatisfy(runtime.retirement.isArriving), "\(place)")
    for identity in arriving {
      let slots = runtime.plans.intentions[identity]?.slots ?? []
      #expect(
        slots.contains {
          runtime.movement.properties.governors.isLagging($0)
            || runtime.movement.properties.motions.marks(of: $0).comesToRest
        }, "\(place): \(identity) has arrived")
    }
    for record in runtime.plans.executors.values {
      for body in record.physics.map({ Array($0.bodies) }) ?? [] {
        #expect(
          body.forces.allSatisfy { runtime.plans.intentions[$0.identity] != nil }, "\(place): a force without a plan")
      }
    }
    #expect(runtime.retirement.lingering.allSatisfy { runtime.plans.intentions[$0] != nil }, "\(place)")
    for slot in runtime.movement.properties.occupied {
      let entry = runtime.movement.properties[slot]
      #expect(runtime.movement.properties.state(at: slot).isWellFormed, "\(place)")
      #expect(entry.driver == entry.stack.driver, "\(place): the driver that was told of drives")
      #expect(entry.stack.driver == expectedDriver(entry.stack), "\(place)")
      // Except for the fade that is left by a mover that is done.
      if entry.stack.driver == nil, !runtime.movement.properties.governors.contains(slot),
        !runtime.movement.properties.motions.marks(of: slot).comesToRest
      {
        #expect(runtime.movement.properties.velocity(at: slot) == .zero, "\(place): nobody moves it")
      }
      if let actor = entry.actor { #expect(entry.stack.speakers.contains(actor), "\(place)") }
      #expect(entry.stack.lost.allSatisfy { $0.executor == entry.actor }, "\(place): lost one-shots are gone")
      for grip in entry.stack.grips {
        #expect(runtime.plans.executors[grip.executor]?.tokens.isEmpty == false, "\(place): a hold without a token")
      }
      for executor in entry.silent { #expect(executor != entry.stack.driver, "\(place)") }
      for claim in entry.stack.claims {
        #expect(runtime.plans.intentions[claim.identity] != nil, "\(place)")
        #expect(
          claim.isWaiting == (runtime.plans.intentions[claim.identity]?.state == .waiting),
          "\(place): \(claim.identity)")
      }
    }
    let ranked = runtime.plans.intentions.count { $0.1.intention.priority != 0 }
    #expect(ranked == runtime.plans.ranked, "\(place)")
    for (identity, record) in runtime.plans.intentions {
      if record.state == .waiting {
        let stacks = record.slots.map { runtime.movement.properties[$0].stack }
        let hasReason = stacks.contains { stack in
          stack.claims.contains { $0.identity == identity && isDelayed($0, stack) }
        }
        #expect(hasReason || record.begins != nil, "\(place): \(identity) waits for nothing")
      }
      #expect(runtime.plans.executors[record.executor]?.intentions.contains(identity) == true, "\(place)")
      for slot in record.slots {
        #expect(runtime.movement.properties[slot].stack.claims.contains { $0.identity == identity }, "\(place)")
      }
    }
    for (target, record) in runtime.plans.targets {
      let executors = record.executors.compactMap { runtime.plans.executors[$0] }
      #expect(executors.count == record.executors.count, "\(place)")
      #expect(executors.reduce(0) { $0 + $1.intentions.count } == record.intentions, "\(place): \(target)")
      #expect(record.names.values.allSatisfy { runtime.plans.intentions[$0]?.target.name == target }, "\(place)")
    }
    for record in runtime.plans.executors.values {
      if let worker = record.worker, runtime.workers.records[worker]?.isProvisioned != true {
        #expect(record.tokens.isEmpty, "\(place): a token of a lost worker")
      }
      #expect(record.counted == runtime.activity.needs(of: record), "\(place)")
    }
    let activities = runtime.plans.executors.values.map(runtime.activity.needs)
    let (active, wanting) = (activities.count(where: \.isActive), activities.count(where: \.wantsFrames))
    #expect(runtime.activity.executors.active == active, "\(place)")
    #expect(runtime.activity.executors.wantingFrames == wanting, "\(place)")
    let isMoving =
      runtime.movement.bank.movingCount > 0 || !runtime.movement.watched.isEmpty
      || runtime.movement.properties.governors.isMoving
    #expect(runtime.isActive == (active > 0 || isMoving), "\(place)")
    #expect(runtime.wantsFrames == (wanting > 0 || isMoving), "\(place)")
  }

  /// The rule again, in its shortest form.
  private func expectedDriver(_ stack: WriterStack) -> ExecutorHandle? {
    // Priority, then active manipulations, then age.
    let hands = stack.grips.enumerated().map { index, grip in
      let plans = stack.claims.filter { $0.executor == grip.executor && $0.kind == .manipulation && !$0.isWaiting }
      return (rank: (plans.map(\.priority).max() ?? 0, 1, index), executor: grip.executor)
    }
    let others = stack.claims.enumerated().filter { $0.element.kind != .manipulation && !$0.element.isWaiting }
      .map { (rank: ($0.element.priority, 0, $0.offset), executor: $0.element.executor) }
    return (hands + others).max { $0.rank < $1.rank }?.executor
  }

  /// Why a plan waits on some property, in its shortest form.
  private func isDelayed(_ claim: WriterStack.Claim, _ stack: WriterStack) -> Bool {
    let begun = stack.claims.filter { !$0.isWaiting && $0.identity != claim.identity }
    switch claim.kind {
    case .oneShot: return !stack.grips.isEmpty
    case .standing: return begun.contains { $0.kind != .manipulation && $0.priority > claim.priority }
    case .manipulation: return begun.contains { $0.executor == claim.executor && $0.priority > claim.priority }
    case .output: return false
    }
  }

  /// Springs, and tweens of a worker that impose nothing, whose samples are missing now and then: in each of 5,000
  /// frames, or of more if a case has been rare in them, the property is where the account expects it, and a jump of 2
  /// % of the distance of 100 would be found in each.
  // Clauses: S10.15
  @Test func nothingJumps() throws {
    let seed = TestSeed.value
    var random = SplitMix(seed: seed)
    let scene = try Scene()
    var player = TweenPlayer(scene)
    var account = TrajectoryAccount(dt: 0.01)
    try scene.add(.anchoredSpring("x", 0))
    scene.advance()
    for count in 0..<50_000 {
      if count >= 5000, account.hasSeenEverything { break }
      let word = Double.random(in: 0...1, using: &random) < 0.9 ? try player.speak() : nil
      var begun: IntentionIdentity?
      if Double.random(in: 0...1, using: &random) < 0.02 {
        let place = Double.random(in: -100...100, using: &random)
        if Bool.random(using: &random) {
          try scene.add(.springTo("x", Lanes(place)))
          account.spring(to: place)
        } else {
          begun = try scene.add(.tween("x", to: Lanes(place)))
        }
      }
      let start = scene.value()
      scene.advance()
      let (frame, state) = (scene.runtime.frame, Motion(scene.value(), scene.velocity()))
      let expected = account.expect(at: frame.time, word: word)
      func isExplained(_ state: Motion) -> Bool {
        expected.contains { (state - $0).magnitude.isWithin(Verdict.limit) }
      }
      #expect(isExplained(state), "seed \(seed), frame \(frame.number): \(state), not \(expected)")
      for jump in [Motion(2), Motion(-2), Motion(0, 20)] {
        #expect(!isExplained(state + jump), "seed \(seed), frame \(frame.number)")
      }
      let isTweens = try player.isMover
      let isLate = try scene.row()?.isLate ?? false
      account.see(state, at: frame.time, word: word, isWorkers: isTweens, isLate: isLate)
      // From one tween to the next the executor continues from the property's place, at a velocity of its own.
      if let begun {
        let isOnTheWay = try player.isPlaying && scene.driver() == "Tween"
        try player.play(begun, from: isOnTheWay ? start : Double.random(in: -100...100, using: &random))
        account.beginTween()
      } else if try scene.driver() != "Tween" {
        player.stop()
      }
    }
    #expect(account.hasSeenEverything, "seed \(seed): hardly any of something in \(account.reasons)")
  }
}

/// A worker that plays even tweens, 50 a second for 41 frames.
private struct TweenPlayer {
  private let scene: Scene
  private let worker: FakeWorker
  private var playing: (plan: IntentionIdentity, executor: ExecutorHandle, value: Double, framesLeft: Int)?
  /// The plans that the present one displaced: reported as ended with its first sample, as executors do.
  private var displaced: [IntentionIdentity] = []

  init(_ scene: Scene) {
    self.scene = scene
    worker = scene.worker("tween")
  }

  var isPlaying: Bool { playing != nil }

  /// Whether its samples move the property.
  var isMover: Bool {
    get throws {
      let slot = try #require(scene.runtime.plans.find(PropertyReference("ball", "x")))
      return try executor == scene.runtime.movement.properties[slot].actor && executor != nil
    }
  }

  private var executor: ExecutorHandle? {
    get throws { scene.runtime.plans.executors.values.first { $0.key.type == "Tween" }?.handle }
  }

  mutating func play(_ plan: IntentionIdentity, from value: Double) throws {
    if let playing { displaced.append(playing.plan) }
    playing = (plan, try #require(try executor), value, 40)
  }

  mutating func stop() { (playing, displaced) = (nil, []) }

  /// Sends the next sample, if there is one.
  mutating func speak() throws -> Motion? {
    guard let (plan, executor, value, left) = playing else { return nil }
    for plan in displaced { worker.say(.finished(executor, plan, .displaced)) }
    displaced = []
    worker.say(.activity(executor, true))
    try worker.write(executor.rawValue, value, velocity: 50, remaining: Double(left) * 0.01)
    playing = left == 0 ? nil : (plan, executor, value + 0.5, left - 1)
    if left == 0 { worker.say(.finished(executor, plan, .completed)) }
    worker.send()
    return Motion(value, 50)
  }
}
