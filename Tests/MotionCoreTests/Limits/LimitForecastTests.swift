import MotionExecutors
import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// What a receipt says about limits is what happens then.
struct LimitForecastTests {
  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry, ratePerSecond: 100)
    runtime.log.keeps = .limits
    return runtime
  }

  private func receipt(
    of intention: Intention, under limits: PropertyLimits, in runtime: Runtime
  ) throws -> [Receipt.Limited] {
    var transaction = Transaction()
    transaction.limit("angle", of: "head", limits)
    transaction.add(intention, to: "head")
    return try runtime.commit(transaction).limited
  }

  // Clauses: S19.18
  @Test func `a receipt names the plans that limits will hold back, and the limits`() throws {
    let limits = PropertyLimits(range: .init(-5, 5), velocity: 2, acceleration: 8)
    let held: [(Intention, [LimitKind])] = [
      (.springTo("angle", 4), [.acceleration]),
      (.springTo("angle", 40, .physical(tension: 1, friction: 2)), [.range, .acceleration]),
      (.tween("angle", to: 4, duration: .milliseconds(500)), [.acceleration]),
      (.moveTo("angle", 4, maxVelocity: 3, maxAcceleration: 8, maxJerk: 1e9), [.velocity]),
    ]
    for (intention, kinds) in held {
      let limited = try receipt(of: intention, under: limits, in: runtime())
      #expect(limited == [Receipt.Limited(operation: 1, property: "angle", limits: kinds)], "\(intention)")
    }
    let jerky = try receipt(of: .springTo("angle", 4), under: PropertyLimits(jerk: 60), in: runtime())
    #expect(jerky.map(\.limits) == [[.jerk]], "only the jerk is limited")
    let free: [Intention] = [
      .springTo("angle", 1, .physical(tension: 4, friction: 4)), .moveTo("angle", 4, maxJerk: 1e9),
      .tween("angle", to: 1, easing: "ease-in-out", duration: .seconds(2)),
      .tween("unlimited", to: 1e6, duration: .milliseconds(1)), .follow("angle", "fader", .direct),
    ]
    for intention in free {
      #expect(try receipt(of: intention, under: limits, in: runtime()) == [], "\(intention)")
    }
  }

  // Clauses: S19.18
  @Test func `limits of a transaction that waits for the same frame count, and lifted ones do not`() throws {
    let runtime = try runtime()
    var transaction = Transaction()
    transaction.limit("angle", of: "head", PropertyLimits(velocity: 1))
    #expect(try runtime.commit(transaction).limited == [])
    var spring = Transaction()
    spring.add(.springTo("angle", 40), to: "head")
    #expect(try runtime.commit(spring).limited.map(\.limits) == [[.velocity]])
    var lifted = Transaction()
    lifted.liftLimits("angle", of: "head")
    lifted.add(.springTo("angle", 40), to: "head")
    #expect(try runtime.commit(lifted).limited == [])
  }

  // Clauses: S19.18
  @Test func `what a receipt foresees happens, and nothing else, with plans and limits at random`() throws {
    let seed = SeededRandom.seed(of: "limits foreseen")
    var random = SeededRandom(seed: seed)
    var counts = (held: 0, free: 0)
    func scale() -> Double { .random(in: 0.3...3, using: &random) }
    for _ in 0..<SeededRandom.rounds(600) {
      let runtime = try runtime()
      // Mild enough for about half of the plans.
      let limits = PropertyLimits(
        velocity: random.chance(0.5) ? Lanes(4 * scale()) : nil, acceleration: Lanes(20 * scale()),
        jerk: random.chance(0.5) ? Lanes(200 * scale()) : nil)
      let way = Lanes(Double.random(in: -3...3, using: &random))
      let intention: Intention
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        intention = .springTo("angle", way, .physical(tension: 8 * scale(), friction: 6 * scale()), threshold: 1e-9)
      case 1:
        intention = .anchoredSpring(
          "angle", way, .physical(tension: 8 * scale(), friction: 6 * scale()), threshold: 1e-9)
      case 2: intention = .tween("angle", to: way, easing: "ease-in-out", duration: .seconds(scale()))
      default:
        intention = .moveTo(
          "angle", way, maxVelocity: 3 * scale(), maxAcceleration: 20 * scale(), maxJerk: 200 * scale())
      }
      let limited = try receipt(of: intention, under: limits, in: runtime)
      for _ in 0..<240 { runtime.advance() }
      let isHeld = runtime.limitEntries > 0
      #expect((limited != []) == isHeld, "seed \(seed): \(intention) under \(limits): \(limited)")
      if isHeld { counts.held += 1 } else { counts.free += 1 }
    }
    #expect(counts.held > 20 && counts.free > 20, "\(counts)")
  }

  // Clauses: S19.9, S19.18
  @Test(arguments: [Lanes?.none, 400])
  func `a receipt says how far a property goes beyond a range that is set too late`(jerk: Lanes?) throws {
    let runtime = try runtime()
    var transaction = Transaction()
    transaction.add(.springTo("angle", 100, .physical(tension: 40, friction: 4)), to: "head")
    try runtime.commit(transaction)
    for _ in 0..<20 { runtime.advance() }
    let state = try #require(runtime.state(of: PropertyReference("head", "angle")))
    #expect(state.velocity[0] > 100)
    var limit = Transaction()
    limit.limit("angle", of: "head", PropertyLimits(range: .init(0, 60), acceleration: 200, jerk: jerk))
    let limited = try runtime.commit(limit).limited
    let overrun = try #require(limited.first?.overrun)
    #expect(limited == [Receipt.Limited(operation: 0, property: "angle", limits: [.range], overrun: overrun)])
    var farthest = 0.0
    for _ in 0..<600 {
      runtime.advance()
      farthest = max(farthest, try #require(runtime.state(of: PropertyReference("head", "angle"))).value[0] - 60)
    }
    #expect(abs(farthest - overrun[0]) < 0.005 * overrun[0], "\(farthest) of \(overrun)")
    let changes = runtime.log.take().flatMap(\.changes).map(\.change)
    guard case .limitEntered(let entered)? = changes.first else {
      Issue.record("\(changes)")
      return
    }
    #expect(entered.limits.contains(.range))
    #expect(abs(try #require(entered.overrun)[0] - overrun[0]) < 0.005 * overrun[0], "\(entered) of \(overrun)")
  }

  // Clauses: S19.18
  @Test func `a plan that is displaced at once is not reported as held back`() throws {
    let runtime = try runtime()
    var transaction = Transaction()
    transaction.limit("angle", of: "head", PropertyLimits(acceleration: 1))
    transaction.add(.anchoredSpring("angle", 1).priority(9), to: "head")
    try runtime.commit(transaction)
    runtime.advance()
    var other = Transaction()
    other.add(.springTo("angle", -4), to: "head")
    let receipt = try runtime.commit(other)
    #expect(receipt.displaced.count == 1 && receipt.limited.isEmpty)
  }
}
