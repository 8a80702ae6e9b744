import MotionPhysics
import Testing

@Suite struct ForceSumTests {
  // Clauses: S9.7, S9.8
  @Test func forcesAddUpAsTheAccelerationsTheyCause() {
    var forces = ForceSum()
    forces.add(spring: SpringCoefficients(tension: 100, friction: 4, mass: 2), anchor: SIMD4(10, 20, 0, 0))
    forces.add(spring: SpringCoefficients(tension: 30, friction: 1), anchor: SIMD4(-10, 0, 0, 0))
    forces.add(frictionPerSecond: 3)
    forces.add(acceleration: SIMD4(0, -40, 0, 0))
    #expect(forces.stiffness == 80)
    #expect(forces.damping == 6)
    #expect(forces.drive == SIMD4(200, 960, 0, 0))
    #expect(forces.equilibrium == SIMD4(2.5, 12, 0, 0))
  }

  @Test func withoutASpringThereIsNoEquilibrium() {
    var forces = ForceSum()
    #expect(forces.equilibrium == nil)
    forces.add(frictionPerSecond: 2)
    forces.add(acceleration: SIMD4(1))
    forces.add(spring: SpringCoefficients(tension: 0, friction: 1), anchor: SIMD4(9))
    #expect(forces.equilibrium == nil)
    #expect(forces.drive == SIMD4(1))
    #expect(forces.damping == 3)
  }

  /// At rest the value is the destination exactly, so the equilibrium must be it to the last bit.
  // Clauses: S9.7
  @Test func aCommonAnchorIsTheEquilibriumExactly() {
    var random = SeededGenerator.fromEnvironment()
    for _ in 0..<1000 {
      let anchor = random.vector(lanes: 4, in: -1e3...1e3)
      var forces = ForceSum()
      forces.add(frictionPerSecond: 1)
      for _ in 0..<3 {
        let spring = SpringCoefficients(
          tension: random.logarithmic(1...1e4), friction: 3, mass: random.logarithmic(0.1...10))
        forces.add(spring: spring, anchor: anchor)
      }
      #expect(forces.equilibrium == anchor)
    }
  }

  @Test func `a force added before the first spring counts too`() {
    var forces = ForceSum()
    forces.add(acceleration: SIMD4(-50))
    forces.add(spring: SpringCoefficients(tension: 25, friction: 1), anchor: SIMD4(4))
    #expect(forces.equilibrium == SIMD4(2))
    #expect(forces.drive == SIMD4(50))
  }

  /// Two halves of a spring move a value as the whole does.
  @Test func `two halves of a spring act as the whole`() {
    let half = SpringCoefficients(tension: 171, friction: 15)
    var halves = ForceSum(spring: half, anchor: SIMD4(3, 1, 0, 0))
    halves.add(spring: half, anchor: SIMD4(5, 1, 0, 0))
    let whole = ForceSum(spring: .default, anchor: SIMD4(4, 1, 0, 0))
    let one = LinearStep(forces: halves, dt: 0.1).advance(value: .zero, velocity: .zero, forces: halves)
    let other = LinearStep(forces: whole, dt: 0.1).advance(value: .zero, velocity: .zero, forces: whole)
    #expect(one == other)
  }
}
