import MotionModel
import MotionPhysics
import Testing

@testable import MotionCore

/// Thousands of random operations and updates against what has to hold after each frame.
struct RandomRuntimeTests {
  @Test func whateverHappensTheBooksAreInOrder() throws {
    let seed = TestSeed.value
    for seed in seed..<seed + 10 {
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
      #expect(chaos.runtime.bank.count == 0, "seed \(seed): the bank holds nothing that nobody needs")
    }
  }

  private func check(_ runtime: Runtime, _ seed: UInt64) {
    let place = "seed \(seed), frame \(runtime.frame.number)"
    #expect(runtime.unsettled.isEmpty && runtime.endings.isEmpty, "\(place)")
    #expect(Set(runtime.ending.keys) == Set(runtime.lingering), "\(place)")
    #expect(runtime.lingering.allSatisfy { runtime.intentions[$0] != nil }, "\(place)")
    for slot in runtime.properties.occupied {
      let entry = runtime.properties[slot]
      #expect(runtime.properties.state(at: slot).isWellFormed, "\(place)")
      #expect(entry.driver == entry.stack.driver, "\(place): the driver that was told of drives")
      #expect(entry.stack.driver == expectedDriver(entry.stack), "\(place)")
      // But for what a mover that is done has left to fade.
      if entry.stack.driver == nil, runtime.properties.motions[slot]?.comesToRest != true {
        #expect(runtime.properties.velocity(at: slot) == .zero, "\(place): nobody moves it")
      }
      if let actor = entry.actor { #expect(entry.stack.speakers.contains(actor), "\(place)") }
      #expect(entry.stack.lost.allSatisfy { $0.executor == entry.actor }, "\(place): lost one-shots are gone")
      for grip in entry.stack.grips {
        #expect(runtime.executors[grip.executor]?.tokens.isEmpty == false, "\(place): a hold without a token")
      }
      for executor in entry.silent { #expect(executor != entry.stack.driver, "\(place)") }
      for claim in entry.stack.claims {
        #expect(runtime.intentions[claim.identity] != nil, "\(place)")
        #expect(
          claim.isWaiting == (runtime.intentions[claim.identity]?.state == .waiting), "\(place): \(claim.identity)")
      }
    }
    for (identity, record) in runtime.intentions {
      #expect(runtime.executors[record.executor]?.intentions.contains(identity) == true, "\(place)")
      for slot in record.slots {
        #expect(runtime.properties[slot].stack.claims.contains { $0.identity == identity }, "\(place)")
      }
    }
    for (target, record) in runtime.targets {
      let executors = record.executors.compactMap { runtime.executors[$0] }
      #expect(executors.count == record.executors.count, "\(place)")
      #expect(executors.reduce(0) { $0 + $1.intentions.count } == record.intentions, "\(place): \(target)")
      #expect(record.names.values.allSatisfy { runtime.intentions[$0]?.target.name == target }, "\(place)")
    }
    for record in runtime.executors.values {
      if let worker = record.worker, runtime.workers[worker]?.isProvisioned != true {
        #expect(record.tokens.isEmpty, "\(place): a token of a lost worker")
      }
      #expect(record.isCounted == record.isActive, "\(place)")
    }
    #expect(runtime.activeExecutors == runtime.executors.values.count(where: \.isActive), "\(place)")
    let isBusy = runtime.activeExecutors > 0 || runtime.bank.movingCount > 0 || !runtime.watched.isEmpty
    #expect(runtime.isActive == isBusy, "\(place)")
  }

  /// The rule once more, in its shortest form.
  private func expectedDriver(_ stack: WriterStack) -> ExecutorHandle? {
    if let hand = stack.grips.last { return hand.executor }
    return stack.claims.filter { $0.kind != .manipulation && !$0.isWaiting }.last?.executor
  }

  /// Springs, and tweens of workers that impose nothing and say when they end: no property ever jumps.
  // Clauses: S10.15
  @Test func nothingJumps() throws {
    let seed = TestSeed.value
    var random = SplitMix(seed: seed)
    let scene = try Scene()
    let worker = scene.worker("tween")
    var tween: (IntentionIdentity, value: Double, framesLeft: Int)?
    try scene.add(.anchoredSpring("x", 0))
    scene.advance()
    var last = 0.0
    for _ in 0..<5000 {
      var begun: IntentionIdentity?
      if Double.random(in: 0...1, using: &random) < 0.02 {
        let place = Lanes(Double.random(in: -100...100, using: &random))
        if Bool.random(using: &random) {
          try scene.add(.springTo("x", place))
        } else {
          begun = try scene.add(.tween("x", to: place))
        }
      }
      if let (identity, value, left) = tween, Double.random(in: 0...1, using: &random) < 0.9 {
        worker.say(.activity(ExecutorHandle(2), true))
        try worker.write(2, value, velocity: 50, remaining: Double(left) * 0.01)
        tween = (identity, value + 0.5, left - 1)
        if left == 0 {
          worker.say(.finished(ExecutorHandle(2), identity, .completed))
          tween = nil
        }
        worker.send()
      }
      let start = scene.value()
      scene.advance()
      // From one tween to the next the executor goes on from where the property was, at a velocity of its own.
      if let begun {
        let value =
          try scene.driver() == "Tween" && tween != nil ? start : Double.random(in: -100...100, using: &random)
        tween = (begun, value, 40)
      } else if try scene.driver() != "Tween" {
        tween = nil
      }
      // A blend of 200 units over 150 ms moves 2,000/s at most, springs of that width 3,000/s, so 50 in a frame.
      #expect(abs(scene.value() - last) < 50, "seed \(seed), frame \(scene.runtime.frame.number)")
      last = scene.value()
    }
  }
}
