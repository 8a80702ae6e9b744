import Glibc
import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// A restart at any frame continues properties under limits to the bit. Random tests print their seed.
struct RestartBitsTests {
  /// The types that are fulfilled in this process.
  private static let types = BuiltInIntentions.all.filter {
    ["SpringTo", "AnchoredSpring", "AttachWithSpring", "MoveTo", "Friction", "ConstantForce"].contains($0.type.text)
  }
  /// The properties of ``RandomPlans``. Those with a natural range need no other limit.
  private static let properties: [PropertyName] = ["position", "x", "opacity", "color", "stretch", "turn"]
  private static let targets: [TargetName] = ["a", "b"]

  /// Every combination of limits, by its number; the last has all.
  private static func limits(_ combination: Int, _ random: inout SeededRandom) -> PropertyLimits {
    func magnitude(_ exponents: ClosedRange<Double>) -> Lanes { Lanes(pow(10, .random(in: exponents, using: &random))) }
    var limits = PropertyLimits()
    if combination & 1 != 0 { limits.velocity = magnitude(0...3) }
    if combination & 2 != 0 { limits.acceleration = magnitude(1...4) }
    if combination & 4 != 0 { limits.jerk = magnitude(2...5) }
    if combination & 8 != 0 {
      let lower = Double.random(in: -60...20, using: &random)
      limits.range = .init(Lanes(lower), Lanes(lower + .random(in: 1...60, using: &random)))
    }
    return limits
  }

  private func limit(
    _ property: PropertyName, of target: TargetName, to combination: Int, in transaction: inout Transaction,
    _ random: inout SeededRandom
  ) {
    transaction.limit(property, of: target, Self.limits(combination, &random))
  }

  /// A transaction of plans, and sometimes of other limits: never without a limit.
  private func transaction(_ plans: RandomPlans, _ random: inout SeededRandom) -> Transaction {
    var transaction = Transaction()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let target = Self.targets[.random(in: 0...1, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: transaction.remove(named: plans.names[0], from: target)
      case 1:
        // Some limit of motion is left: those that are lifted fade, and a restart meanwhile ends that.
        let combination = 8 * .random(in: 0...1, using: &random) + .random(in: 1...7, using: &random)
        limit(
          Self.properties[.random(in: 0..<6, using: &random)], of: target, to: combination, in: &transaction, &random)
      case 2..<7: transaction.add(plans.plan(on: target, &random), named: plans.names[0], to: target)
      default: transaction.add(plans.plan(on: target, &random), to: target)
      }
    }
    return transaction
  }

  private func difference(_ runtime: Runtime, _ other: Runtime) -> String? {
    func bits(_ lanes: Lanes) -> [UInt64] { lanes.array.map(\.bitPattern) }
    for target in Self.targets {
      for property in Self.properties {
        let (state, restored) = (runtime.state(of: property, on: target), other.state(of: property, on: target))
        guard state.map({ bits($0.value) + bits($0.velocity) }) != restored.map({ bits($0.value) + bits($0.velocity) })
        else { continue }
        let reference = PropertyReference(target, property)
        let limits = runtime.movement.properties.limits[reference].map { "\($0)" } ?? "natural range"
        let plans = runtime.plans.intentions.map(\.value).filter { $0.target.name == target }.map(\.intention)
        return "\(reference) under \(limits): \(state as Any) and \(restored as Any); plans \(plans)"
      }
    }
    return nil
  }

  // Clauses: S19.11
  @Test func restartAtAnyFrameContinuesEveryPropertyUnderLimitsToTheBit() throws {
    var random = SeededRandom(seed: TestSeed.value)
    for round in 0..<SeededRandom.rounds(300) {
      let plans = RandomPlans(on: Self.targets, names: ["a"], types: Self.types, delaying: true)
      let runtime = Runtime(ratePerSecond: 100)
      var first = Transaction()
      for target in Self.targets {
        for property in Self.properties {
          let least = KnownProperty.named(property).range == nil ? 1 : 0
          limit(property, of: target, to: .random(in: least...15, using: &random), in: &first, &random)
        }
        // Springs are attached to other properties: to one that is not there, a spring begins anew after a restart.
        for (property, lanes) in zip(Self.properties, [2, 1, 1, 4, 2, 1]) {
          let destination = SIMD4<Double>(repeating: .random(in: -100...100, using: &random))
          first.add(.springTo(property, Lanes(destination, count: lanes)), to: target)
        }
      }
      try runtime.commit(first)
      for _ in 0..<Int.random(in: 2...150, using: &random) {
        if random.chance(0.08) { _ = try? runtime.commit(transaction(plans, &random)) }
        runtime.advance()
      }
      // A spring that has arrived before its property acts again after a restart, on the other forces' motion.
      func isArriving() -> Bool { runtime.retirement.lingering.contains { _ in true } }
      for _ in 0..<1_000 where isArriving() { runtime.advance() }
      guard !isArriving() else { continue }
      let restored = Runtime(ratePerSecond: 100)
      restored.restore(runtime.checkpoint())
      for frame in 0..<100 {
        if let difference = difference(runtime, restored) {
          Issue.record("round \(round), frame \(frame) after the restart: \(difference)")
          break
        }
        runtime.advance()
        restored.advance()
      }
    }
  }

  /// Runs frames, restarts after each, and compares what every restart leads to with the states of the first run.
  private func checkRestarts(_ runtime: Runtime, _ references: [PropertyReference], frames: Int) -> [[PropertyState]] {
    func states(_ runtime: Runtime) -> [PropertyState] {
      references.compactMap { runtime.state(of: $0.property, on: $0.target) }
    }
    var (course, checkpoints) = ([[PropertyState]](), [RuntimeCheckpoint]())
    for _ in 0..<frames {
      runtime.advance()
      course.append(states(runtime))
      checkpoints.append(runtime.checkpoint())
    }
    for (frame, checkpoint) in checkpoints.enumerated() {
      let restored = Runtime(ratePerSecond: 100)
      restored.restore(checkpoint)
      let rest = course[frame...].map { state in
        defer { restored.advance() }
        return states(restored) == state
      }
      #expect(!rest.contains(false), "a restart after frame \(frame)")
    }
    return course
  }

  // Clauses: S19.11
  /// The demand of a move goes beyond a bound and comes back; meanwhile the property stands there.
  @Test func restartWhileAMoveIsBeyondABoundContinuesItToTheBit() throws {
    let head = LimitedRuntime()
    try head.limit(PropertyLimits(range: .init(-1, 1), acceleration: 1_000))
    try head.add(.moveTo("angle", 3, maxVelocity: 10, maxAcceleration: 10, maxJerk: 1e12))
    while head.state.value[0] < 0.9 { head.advance() }
    try head.add(.moveTo("angle", 0, maxVelocity: 10, maxAcceleration: 10, maxJerk: 1e12))
    let course = checkRestarts(head.runtime, [PropertyReference("head", "angle")], frames: 200)
    #expect(course.count { $0 == [PropertyState(1)] } > 50 && course.last == [PropertyState(0)])
  }

  // Clauses: S19.11
  /// A spring rests beyond the bound of its property, to which another one is attached.
  @Test func restartLeavesASpringAtRestBeyondABound() throws {
    let head = LimitedRuntime(property: "opacity")
    try head.add(.anchoredSpring("opacity", 2))
    head.advance(300)
    try head.commit {
      $0.limit("angle", of: "tail", PropertyLimits(velocity: 2, acceleration: 3, jerk: 20))
      let spring = SpringFeel.perceived(duration: .seconds(1), bounce: 0.5)
      $0.add(Intention.attachWithSpring("angle", to: PropertyReference("head", "opacity"), spring), to: "tail")
    }
    let references = [PropertyReference("head", "opacity"), PropertyReference("tail", "angle")]
    let course = checkRestarts(head.runtime, references, frames: 200)
    #expect(course.last?.first == PropertyState(1))
    let restored = LimitedRuntime(property: "opacity")
    restored.runtime.restore(head.runtime.checkpoint())
    for head in [head, restored] { try head.commit { $0.limit("opacity", of: "head", PropertyLimits(velocity: 1)) } }
    #expect(head.state == restored.state)
  }
}
