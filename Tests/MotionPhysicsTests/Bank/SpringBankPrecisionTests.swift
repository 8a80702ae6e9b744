import Testing

@testable import MotionPhysics

/// The bank's loops against the closed form, motion by motion: many random springs for two seconds, and a few for
/// hours.
@Suite struct SpringBankPrecisionTests {
  /// A spring and its initial state.
  struct Start {
    let forces: ForceSum
    let value: SIMD4<Double>
    let velocity: SIMD4<Double>
    let handle: SpringBank.Handle
  }

  /// The largest difference in value and velocity, as a share of the largest that the motion ever had.
  ///
  /// An error of n steps is at most n roundings of the state at that time, some 2⁻⁵² each, and of the matrix, which
  /// adds up to the same again: 2·200·2⁻⁵²·√2 ≈ 1.3e-13. The measured error is below 4e-14.
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

  /// The largest error of the bank against the closed form at a time, as a share of the largest that the motion ever
  /// had.
  private func largestError(of starts: [Start], in bank: SpringBank, at time: Double) -> Double {
    starts.reduce(0) { worst, start in
      let exact = LinearStep(forces: start.forces, dt: time).advance(
        value: start.value, velocity: start.velocity, forces: start.forces)
      let frequency = start.forces.stiffness.squareRoot()
      let place = start.forces.equilibrium ?? .zero
      // The norm in which a spring without friction keeps its size.
      let size = max(
        (start.value - place).largestMagnitude + place.largestMagnitude, start.velocity.largestMagnitude / frequency)
      return max(
        worst, (bank.value(of: start.handle) - exact.value).largestMagnitude / size,
        (bank.velocity(of: start.handle) - exact.velocity).largestMagnitude / (size * frequency))
    }
  }

  // Clauses: S9.20
  @Test(arguments: 1...4) func aMillionStepsEqualTheClosedForm(lanes: Int) {
    var random = SeededGenerator.fromEnvironment("\(lanes) lanes")
    let (steps, dt) = (200, 1.0 / 120)
    let bank = SpringBank()
    let starts = insert(1250, lanes: lanes, in: bank, &random)
    for _ in 0..<steps { bank.step(dt: dt) }
    let moving = starts.filter { bank.isMoving($0.handle) }
    let worst = largestError(of: moving, in: bank, at: dt * Double(steps))
    print("\(lanes) lanes: largest relative error \(worst)")
    #expect(worst < Self.tolerance)
    #expect(worst > 0, "nothing was compared")
    #expect(bank.movingCount > starts.count / 2)
  }

  /// Two hours of motion at 128 Hz: some oscillate for ever or almost so, others have come to rest long before the end.
  ///
  /// An error of n steps is at most n roundings of the state and of the matrix, 4·2⁻⁵² each: 9e-10 after a million. The
  /// measured error is about 1e-10, and grows with the number of steps, as that of the matrix does.
  @Test func aMillionStepsOfEachEqualTheClosedForm() {
    var random = SeededGenerator.fromEnvironment()
    let bank = SpringBank()
    // The length of this step is a binary fraction: a million of them are exactly as long as the single one they are
    // compared with.
    let dt = 1.0 / 128
    let shared = (frequency: random.logarithmic(1...100), dampingRatio: random.logarithmic(1e-9...1e-7))
    // So many that the following ones form a group, which shares its matrix; then they are removed.
    let others = (0..<SpringBank.fewestOfGroup).map { _ in
      bank.insert(
        lanes: 1, forces: ForceSum(frequency: shared.frequency, dampingRatio: shared.dampingRatio), value: .zero,
        velocity: .zero, threshold: 1e-140, tag: 0)
    }
    var starts: [Start] = []
    for index in 0..<40 {
      let isShared = index < 24
      let lanes = isShared ? 1 : 1 + index % 4
      let frequency = isShared ? shared.frequency : random.logarithmic(1...100)
      let dampingRatio = isShared ? shared.dampingRatio : index % 3 == 0 ? 0 : random.logarithmic(1e-9...10)
      let forces = ForceSum(
        frequency: frequency, dampingRatio: dampingRatio, anchor: random.vector(lanes: lanes, in: -100...100))
      let value = random.vector(lanes: lanes, in: -200...200)
      let velocity = random.vector(lanes: lanes, in: -500...500)
      let handle = bank.insert(
        lanes: lanes, forces: forces, value: value, velocity: velocity, threshold: 1e-140, tag: UInt32(index))
      starts.append(Start(forces: forces, value: value, velocity: velocity, handle: handle))
    }
    for handle in others { bank.remove(handle) }
    #expect(bank.groupCount == 5, "a group of those that share, and four of the mixed")
    var steps = 0
    for end in [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] {
      while steps < end {
        bank.step(dt: dt)
        steps += 1
      }
      let worst = largestError(of: starts, in: bank, at: dt * Double(steps))
      print("\(steps) steps: largest relative error \(worst)")
      #expect(worst < max(Self.tolerance, Double(steps) * 4 * 0x1p-52), "after \(steps) steps")
    }
    #expect(bank.movingCount >= 24)
  }

  /// Many rows in one group, whose blocks are left alone while none can come to rest: rest comes with the very step.
  @Test(arguments: [false, true]) func restIsFoundWithTheStepThatReachesIt(isMixed: Bool) {
    var random = SeededGenerator.fromEnvironment("mixed \(isMixed)")
    let bank = SpringBank()
    var models: [SpringBankRandomTests.Single] = []
    for index in 0..<1600 {
      let frequency = isMixed ? random.logarithmic(5...50) : 20
      let forces = ForceSum(frequency: frequency, dampingRatio: isMixed ? random.logarithmic(0.1...3) : 0.4)
      // Some begin almost at rest, so that blocks differ in the time until their rest.
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
