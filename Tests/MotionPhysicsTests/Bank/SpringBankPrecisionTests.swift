import Testing

@testable import MotionPhysics

/// The bank's loops against the closed form, motion by motion, over a million steps of random springs.
@Suite struct SpringBankPrecisionTests {
  /// A spring and where it began.
  struct Start {
    let forces: ForceSum
    let value: SIMD4<Double>
    let velocity: SIMD4<Double>
    let handle: SpringBank.Handle
  }

  /// The largest difference in value and velocity, as a share of the largest that the motion ever had.
  ///
  /// An error of n steps is at most n roundings of the state at that time, some 2⁻⁵² each, and of the matrix, which adds up
  /// to the same again: 2·200·2⁻⁵²·√2 ≈ 1.3e-13. What is measured is below 4e-14.
  static let tolerance = 1e-13

  /// Half of the springs share one of four sets of coefficients, so that groups and the mixed are both stepped.
  private func insert(_ count: Int, lanes: Int, in bank: SpringBank, _ random: inout SeededGenerator) -> [Start] {
    let shared = (0..<4).map { _ in (random.logarithmic(1...100), random.logarithmic(0.01...10)) }
    return (0..<count).map { index in
      let own = (random.logarithmic(1...100), random.logarithmic(0.01...10))
      let (frequency, dampingRatio) = index % 2 == 0 ? shared[index / 2 % 4] : own
      let forces = ForceSum(
        frequency: frequency, dampingRatio: dampingRatio, anchor: random.vector(lanes: lanes, in: -100...100))
      let value = random.vector(lanes: lanes, in: -200...200)
      let velocity = random.vector(lanes: lanes, in: -500...500)
      // A threshold of almost nothing: none of them rests within the test.
      let handle = bank.insert(
        lanes: lanes, forces: forces, value: value, velocity: velocity, threshold: 1e-140, tag: UInt32(index))
      return Start(forces: forces, value: value, velocity: velocity, handle: handle)
    }
  }

  // Clauses: S9.20
  @Test(arguments: 1...4) func aMillionStepsEqualTheClosedForm(lanes: Int) {
    var random = SeededGenerator.fromEnvironment("\(lanes) lanes")
    let (steps, dt) = (200, 1.0 / 120)
    let bank = SpringBank()
    let starts = insert(1250, lanes: lanes, in: bank, &random)
    for _ in 0..<steps { bank.step(dt: dt) }
    var worst = 0.0
    for start in starts where bank.isMoving(start.handle) {
      let exact = LinearStep(forces: start.forces, dt: dt * Double(steps)).advance(
        value: start.value, velocity: start.velocity, forces: start.forces)
      let frequency = start.forces.stiffness.squareRoot()
      let place = start.forces.equilibrium ?? .zero
      // The norm in which a spring without friction keeps its size.
      let size = max(
        (start.value - place).largestMagnitude + place.largestMagnitude, start.velocity.largestMagnitude / frequency)
      worst = max(
        worst, (bank.value(of: start.handle) - exact.value).largestMagnitude / size,
        (bank.velocity(of: start.handle) - exact.velocity).largestMagnitude / (size * frequency))
    }
    print("\(lanes) lanes: largest relative error \(worst)")
    #expect(worst < Self.tolerance)
    #expect(worst > 0, "nothing was compared")
    #expect(bank.movingCount > starts.count / 2)
  }

  /// Many rows in one group, whose blocks are left alone while none can come to rest: rest comes with the very step.
  @Test(arguments: [false, true]) func restIsFoundWithTheStepThatReachesIt(isMixed: Bool) {
    var random = SeededGenerator.fromEnvironment("mixed \(isMixed)")
    let bank = SpringBank()
    var models: [SpringBankRandomTests.Single] = []
    for index in 0..<1600 {
      let frequency = isMixed ? random.logarithmic(5...50) : 20
      let forces = ForceSum(frequency: frequency, dampingRatio: isMixed ? random.logarithmic(0.1...3) : 0.4)
      // Some begin all but at rest, so that blocks differ in what they wait for.
      let value = random.vector(lanes: 2, in: -1...1) * random.logarithmic(0.1...1e6)
      models.append(
        SpringBankRandomTests.Single(lanes: 2, forces: forces, threshold: 1, value: value, velocity: .zero))
      _ = bank.insert(lanes: 2, forces: forces, value: value, velocity: .zero, threshold: 1, tag: UInt32(index))
    }
    var frame = 0
    while models.contains(where: \.isMoving), frame < 3000 {
      frame += 1
      let dt = frame % 50 == 0 ? 1.0 / 60 : 1.0 / 120
      bank.step(dt: dt)
      var arrived: Set<UInt32> = []
      for index in models.indices where models[index].step(dt) { arrived.insert(UInt32(index)) }
      #expect(Set(bank.arrivals.map(\.tag)) == arrived, "frame \(frame)")
      guard Set(bank.arrivals.map(\.tag)) == arrived else { return }
    }
    #expect(bank.movingCount == models.count(where: \.isMoving) && bank.movingCount < 10)
  }
}
