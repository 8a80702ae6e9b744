import Glibc
import MotionPhysics
import Testing

@Suite struct LinearStepTests {
  // MARK: The specification's numbers

  /// 0 → 1, tension 342, friction 30, mass 1.
  // Clauses: S9.3
  @Test(arguments: [
    (1.0 / 60, 0.040173209), (0.1, 0.622017250), (0.2, 0.970531876), (0.5, 1.000234043),
  ])
  func defaultSpringPassesTheReferenceNumbers(time: Double, expected: Double) {
    let forces = ForceSum(spring: .default, anchor: SIMD4(1))
    let step = LinearStep(forces: forces, dt: time)
    #expect(abs(step.advance(value: .zero, velocity: .zero, forces: forces).value[0] - expected) < 6e-10)
  }

  // Clauses: S9.4
  @Test func defaultSpringOvershootsByTheReferenceNumber() {
    let forces = ForceSum(spring: .default, anchor: SIMD4(1))
    let peak = LinearStep(forces: forces, dt: 0.290440).advance(value: .zero, velocity: .zero, forces: forces)
    #expect(abs(peak.value[0] - 1.012822) < 6e-7)
    #expect(abs(peak.velocity[0]) < 1e-4)
  }

  // Clauses: S9.5
  @Test(arguments: [
    (SpringCoefficients(tension: 100, friction: 20), 0.1, 0.264241),
    (SpringCoefficients(tension: 1000, friction: 500, mass: 3), 0.5, 0.632093),
  ])
  func criticalAndOverdampedSpringsPassTheReferenceNumbers(
    spring: SpringCoefficients, time: Double, expected: Double
  ) {
    let forces = ForceSum(spring: spring, anchor: SIMD4(1))
    let step = LinearStep(forces: forces, dt: time)
    #expect(abs(step.advance(value: .zero, velocity: .zero, forces: forces).value[0] - expected) < 6e-7)
  }

  // MARK: The closed form

  static let dampingRatios = [0.01, 0.1, 0.5, 0.9, 0.99, 1.01, 1.1, 2, 5, 10]
  static let rates = [1.0, 24, 60, 120, 144, 240, 1000]

  /// One step against the eigenvalues in extended precision, to 10⁻¹³ of the motion's amplitude.
  // Clauses: S9.1, S9.2
  @Test(arguments: dampingRatios, rates)
  func `one step equals the closed form`(dampingRatio: Double, rate: Double) {
    for frequency in [0.5, 18.5, 200] {
      let forces = ForceSum(frequency: frequency, dampingRatio: dampingRatio)
      let step = LinearStep(forces: forces, dt: 1 / rate)
      let exact = EigenvalueMatrix(stiffness: forces.stiffness, damping: forces.damping, time: 1 / rate)
      for (x, v) in [(1.0, 0.0), (0, frequency), (1, -3 * frequency), (-2, 5)] {
        let got = step.advance(displacement: SIMD4(x), velocity: SIMD4(v))
        let expected = exact.apply(x, v)
        let amplitude = (x * x + v * v / (frequency * frequency)).squareRoot()
        // A phase of w·dt radians is known to half its last bit only.
        let tolerance = (1e-15 + frequency / rate * 2.3e-16) * 4 * amplitude
        #expect(abs(got.displacement[0] - expected.x) <= tolerance)
        #expect(abs(got.velocity[0] - expected.v) <= tolerance * frequency * (1 + 2 * dampingRatio))
      }
    }
  }

  /// A second in n steps is a second in one: 1 to 1000 Hz, relative to the remaining motion.
  // Clauses: S9.2
  @Test(arguments: dampingRatios + [1])
  func resultDoesNotDependOnTheRate(dampingRatio: Double) {
    for frequency in [1.0, 18.5, 60] {
      let forces = ForceSum(frequency: frequency, dampingRatio: dampingRatio)
      let whole = LinearStep(forces: forces, dt: 1).advance(displacement: SIMD4(1), velocity: SIMD4(frequency))
      let left = hypot(whole.displacement[0], whole.velocity[0] / frequency)
      for rate in [1, 2, 10, 24, 60, 120, 500, 1000] {
        let step = LinearStep(forces: forces, dt: 1 / Double(rate))
        var state = (displacement: SIMD4<Double>(1), velocity: SIMD4<Double>(frequency))
        for _ in 0..<rate { state = step.advance(displacement: state.displacement, velocity: state.velocity) }
        #expect(abs(state.displacement[0] - whole.displacement[0]) <= 1e-9 * left, "\(rate) Hz")
        #expect(abs(state.velocity[0] - whole.velocity[0]) <= 1e-9 * left * frequency, "\(rate) Hz")
      }
    }
  }

  /// Through critical damping no digit is lost, whichever side the rounding falls on.
  // Clauses: S9.6
  @Test(arguments: [0, 1e-15, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3])
  func `no digits cancel near critical damping`(distance: Double) {
    for dampingRatio in [1 - distance, 1 + distance] {
      for time in [1e-3, 0.01, 0.1, 0.3] {
        let (stiffness, damping) = (100.0, 20 * dampingRatio)
        let step = LinearStep(tension: stiffness, friction: damping, dt: time)
        let exact = SeriesMatrix(stiffness: stiffness, damping: damping, time: time)
        let unit = step.advance(displacement: SIMD4(1, 0, 0, 0), velocity: SIMD4(0, 1, 0, 0))
        #expect(abs(unit.displacement[0] - Double(exact.xx)) <= 1e-15)
        #expect(abs(unit.displacement[1] - Double(exact.xv)) <= 1e-15 * time)
        #expect(abs(unit.velocity[0] - Double(exact.vx)) <= 1e-15 * stiffness * time)
        #expect(abs(unit.velocity[1] - Double(exact.vv)) <= 1e-15)
      }
    }
  }

  @Test func `energy is conserved without friction`() {
    let step = LinearStep(tension: 342, friction: 0, dt: 1.0 / 120)
    var state = (displacement: SIMD4<Double>(1), velocity: SIMD4<Double>.zero)
    for _ in 0..<12_000 { state = step.advance(displacement: state.displacement, velocity: state.velocity) }
    let energy = state.velocity[0] * state.velocity[0] + 342 * state.displacement[0] * state.displacement[0]
    #expect(abs(energy / 342 - 1) < 1e-11)
  }

  // MARK: Without a spring

  // Clauses: S9.8
  @Test(arguments: [1e-9, 1e-3, 0.5, 3, 1000], [0.001, 1.0 / 60, 1, 20])
  func `friction alone equals the closed form`(damping: Double, dt: Double) {
    let step = LinearStep(tension: 0, friction: damping, dt: dt)
    let got = step.advance(displacement: SIMD4(5), velocity: SIMD4(-7))
    #expect(abs(got.velocity[0] - -7 * exp(-damping * dt)) < 1e-14)
    #expect(abs(got.displacement[0] - (5 - 7 * -expm1(-damping * dt) / damping)) < 1e-14 * (5 + 7 * dt))
  }

  // Clauses: S9.8
  @Test func `a constant force alone gives uniform acceleration`() {
    var forces = ForceSum()
    forces.add(acceleration: SIMD4(0, -9.81, 0, 0))
    let step = LinearStep(forces: forces, dt: 2)
    let got = step.advance(value: SIMD4(1, 100, 0, 0), velocity: SIMD4(3, 4, 0, 0), forces: forces)
    let fall: Double = 9.81 * 2
    #expect(got.value == SIMD4(7, 100 + 8 - fall, 0, 0))
    #expect(got.velocity == SIMD4(3, 4 - fall, 0, 0))
  }

  @Test(arguments: [1e-9, 1e-3, 0.4, 0.6, 2, 50])
  func forceAndFrictionReachTheirTerminalVelocity(damping: Double) {
    var forces = ForceSum()
    forces.add(acceleration: SIMD4(10))
    forces.add(frictionPerSecond: damping)
    let (c, t) = (Extended(damping), Extended(0.7))
    let got = LinearStep(forces: forces, dt: 0.7).advance(value: SIMD4(1), velocity: SIMD4(2), forces: forces)
    // Σ (−c)ⁿ tⁿ⁺²/(n+2)!, the motion's own integral; its sum where that would cancel.
    var travel: Extended = 0
    var term = t * t / 2
    for n in 0..<60 {
      travel += term
      term *= -c * t / Extended(n + 3)
    }
    if damping > 1 { travel = (t + expm1(-c * t) / c) / c }
    let decay = exp(-c * t)
    let glide = -expm1(-c * t) / c
    let (value, velocity): (Extended, Extended) = (1 + 2 * glide + 10 * travel, 2 * decay + 10 * glide)
    #expect(abs(got.value[0] - Double(value)) < 2e-15 * (1 + got.value[0]))
    #expect(abs(got.velocity[0] - Double(velocity)) < 2e-15 * (1 + got.velocity[0]))
  }

  @Test func `a motion without forces continues uniformly`() {
    let step = LinearStep(tension: 0, friction: 0, dt: 3)
    let got = step.advance(displacement: SIMD4(1, 2, 3, 4), velocity: SIMD4(1, -1, 0, 2))
    #expect(got.displacement == SIMD4(4, -1, 3, 10))
    #expect(got.velocity == SIMD4(1, -1, 0, 2))
  }

  // MARK: Ends of the range

  @Test(arguments: [(342.0, 30.0), (100, 20), (1000, 500), (0, 3), (0, 0), (10, 0)])
  func `a step of no time changes nothing`(stiffness: Double, damping: Double) {
    let step = LinearStep(tension: stiffness, friction: damping, dt: 0)
    let got = step.advance(displacement: SIMD4(1, -2, 0, 4), velocity: SIMD4(5, 0, -7, 8))
    #expect(got.displacement == SIMD4(1, -2, 0, 4))
    #expect(got.velocity == SIMD4(5, 0, -7, 8))
  }

  // Clauses: S9.19
  @Test func anyFiniteNumbersStayBounded() {
    var random = SeededGenerator.fromEnvironment()
    for _ in 0..<20_000 {
      let stiffness = Bool.random(using: &random) ? 0 : random.logarithmic(1e-300...1e300)
      let damping = Bool.random(using: &random) ? 0 : random.logarithmic(1e-300...1e300)
      let dt = [0, LinearStep.longestStep, random.logarithmic(1e-6...1e3)][Int.random(in: 0...2, using: &random)]
      let step = LinearStep(tension: stiffness, friction: damping, dt: dt)
      // Starting at rest, a spring never leads further away than it started.
      let got = step.advance(displacement: SIMD4(1), velocity: .zero).displacement[0]
      #expect(abs(got) <= 1 + 1e-9 && (dt > 0 || got == 1), "stiffness \(stiffness), damping \(damping), dt \(step.dt)")
    }
  }
}
