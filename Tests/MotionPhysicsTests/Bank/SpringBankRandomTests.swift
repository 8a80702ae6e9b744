import Testing

@testable import MotionPhysics

/// The bank against a model of one step after the other, over random calls: the same bits, the same arrivals.
@Suite struct SpringBankRandomTests {
  /// One motion, stepped alone.
  struct Single {
    var lanes: Int
    var forces: ForceSum
    var threshold: Double
    var isMoving = true
    /// From the equilibrium, or the value itself where there is none.
    var displacement: SIMD4<Double>
    var velocity: SIMD4<Double>

    init(lanes: Int, forces: ForceSum, threshold: Double, value: SIMD4<Double>, velocity: SIMD4<Double>) {
      (self.lanes, self.forces, self.threshold, self.velocity) = (lanes, forces, threshold, velocity)
      displacement = forces.equilibrium.map { value - $0 } ?? value
    }

    var value: SIMD4<Double> { forces.equilibrium.map { $0 + displacement } ?? displacement }

    /// Moves on by dt; returns whether it came to rest.
    mutating func step(_ dt: Double) -> Bool {
      guard isMoving else { return false }
      let step = LinearStep(forces: forces, dt: dt)
      if forces.equilibrium == nil && forces.drive != .zero {
        (displacement, velocity) = step.advance(value: displacement, velocity: velocity, forces: forces)
        return false
      }
      (displacement, velocity) = step.advance(displacement: displacement, velocity: velocity)
      let rest = RestCriterion(forces: forces, threshold: threshold)
      guard rest.isAtRest(displacement: displacement, velocity: velocity) else { return false }
      if forces.equilibrium != nil { displacement = .zero }
      velocity = .zero
      isMoving = false
      return true
    }
  }

  private static func forces(lanes: Int, _ random: inout SeededGenerator) -> ForceSum {
    var forces = ForceSum()
    // A few coefficients shared by many, and many of a single motion.
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: forces.add(spring: .default, anchor: random.vector(lanes: lanes, in: -100...100))
    case 4..<8:
      let spring = SpringCoefficients(
        tension: random.logarithmic(10...5000), friction: random.logarithmic(5...300), mass: random.double(0.5...3))
      forces.add(spring: spring, anchor: random.vector(lanes: lanes, in: -100...100))
    case 8: forces.add(acceleration: random.vector(lanes: lanes, in: -10...10))
    default: break
    }
    if Bool.random(using: &random) || forces.stiffness == 0 { forces.add(frictionPerSecond: 3) }
    return forces
  }

  // Clauses: S9.20
  @Test(arguments: 0..<8) func bankEqualsSinglesBitForBit(round: Int) {
    var random = SeededGenerator.fromEnvironment("round \(round)")
    let bank = SpringBank()
    var singles: [(handle: SpringBank.Handle, tag: UInt32, model: Single)] = []
    var nextTag: UInt32 = 0
    for frame in 0..<400 {
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let lanes = Int.random(in: 1...4, using: &random)
        let forces = Self.forces(lanes: lanes, &random)
        let threshold = random.double(0...1) < 0.5 ? 1 : 0.01
        let value = random.vector(lanes: lanes, in: -200...200)
        let velocity = random.vector(lanes: lanes, in: -500...500)
        let handle = bank.insert(
          lanes: lanes, forces: forces, value: value, velocity: velocity, threshold: threshold, tag: nextTag)
        let model = Single(lanes: lanes, forces: forces, threshold: threshold, value: value, velocity: velocity)
        singles.append((handle, nextTag, model))
        nextTag += 1
      }
      for _ in 0..<Int.random(in: 0..<10, using: &random) where !singles.isEmpty {
        change(&singles, in: bank, &random)
      }
      let dt = [1.0 / 120, 1.0 / 120, 1.0 / 60, 0.001][Int.random(in: 0..<4, using: &random)]
      bank.step(dt: dt)
      var arrived: Set<UInt32> = []
      for index in singles.indices where singles[index].model.step(dt) { arrived.insert(singles[index].tag) }
      #expect(bank.arrivals.count == arrived.count, "frame \(frame)")
      #expect(Set(bank.arrivals.map(\.tag)) == arrived, "frame \(frame)")
      let wrong = singles.filter {
        bank.value(of: $0.handle) != $0.model.value || bank.velocity(of: $0.handle) != $0.model.velocity
          || bank.isMoving($0.handle) != $0.model.isMoving
      }
      #expect(wrong.isEmpty, "frame \(frame): \(wrong.first.map { "\($0)" } ?? "")")
      #expect(bank.movingCount == singles.count { $0.model.isMoving })
      guard wrong.isEmpty else { return }
    }
    #expect(bank.count == singles.count)
  }

  /// Removes, retargets or sets one of the motions, in bank and model.
  private func change(
    _ singles: inout [(handle: SpringBank.Handle, tag: UInt32, model: Single)], in bank: SpringBank,
    _ random: inout SeededGenerator
  ) {
    let index = Int.random(in: 0..<singles.count, using: &random)
    let (handle, _, old) = singles[index]
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      bank.remove(handle)
      #expect(!bank.contains(handle))
      singles.swapAt(index, singles.count - 1)
      singles.removeLast()
    case 1:
      let forces = Self.forces(lanes: old.lanes, &random)
      let threshold = Bool.random(using: &random) ? 0.1 : nil
      bank.setForces(forces, for: handle, threshold: threshold)
      singles[index].model = Single(
        lanes: old.lanes, forces: forces, threshold: threshold ?? old.threshold, value: old.value,
        velocity: old.velocity)
    default:
      let value = random.vector(lanes: old.lanes, in: -200...200)
      let velocity = random.vector(lanes: old.lanes, in: -500...500)
      bank.setState(value: value, velocity: velocity, for: handle)
      singles[index].model = Single(
        lanes: old.lanes, forces: old.forces, threshold: old.threshold, value: value, velocity: velocity)
    }
  }

  /// The same calls give the same order of arrivals and of moved values, and the same bits.
  @Test func theSameCallsGiveTheSameHistory() {
    let seed = SeededGenerator.fromEnvironment().seed
    func history() -> [UInt64] {
      var random = SeededGenerator(seed: seed)
      let bank = SpringBank()
      var words: [UInt64] = []
      for tag in 0..<3000 {
        let forces = Self.forces(lanes: 2, &random)
        let handle = bank.insert(
          lanes: 2, forces: forces, value: random.vector(lanes: 2, in: -9...9), velocity: .zero, threshold: 0.01,
          tag: UInt32(tag))
        if tag % 7 == 0 { bank.remove(handle) }
      }
      for _ in 0..<100 {
        bank.step(dt: 1.0 / 120)
        words += bank.arrivals.map { UInt64($0.tag) }
        bank.forEachMoved { tag, value, velocity in
          words.append(UInt64(tag))
          words += [value[0].bitPattern, value[1].bitPattern, velocity[0].bitPattern, velocity[1].bitPattern]
        }
      }
      return words
    }
    #expect(history() == history())
  }
}
