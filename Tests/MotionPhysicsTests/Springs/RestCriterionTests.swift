import MotionPhysics
import Testing

@Suite struct RestCriterionTests {
  static let spring = ForceSum(spring: .default, anchor: SIMD4(1))

  // Clauses: S9.10
  @Test func `a spring rests when its energy keeps it within a tenth of the threshold`() {
    let rest = RestCriterion(forces: Self.spring, threshold: 1)
    #expect(rest.isAtRest(displacement: SIMD4(0.0999), velocity: .zero))
    #expect(!rest.isAtRest(displacement: SIMD4(0.1001), velocity: .zero))
    let speed = 0.1 * SpringCoefficients.default.naturalFrequency
    #expect(rest.isAtRest(displacement: .zero, velocity: SIMD4(0.999 * speed)))
    #expect(!rest.isAtRest(displacement: .zero, velocity: SIMD4(1.001 * speed)))
    #expect(!rest.isAtRest(displacement: SIMD4(0.08), velocity: SIMD4(0.8 * speed)))
  }

  // Clauses: S9.10
  @Test func `the rest criterion sums the lanes`() {
    let rest = RestCriterion(forces: Self.spring, threshold: 1)
    #expect(rest.isAtRest(displacement: SIMD4(0.06, 0.06, 0, 0), velocity: .zero))
    #expect(!rest.isAtRest(displacement: SIMD4(0.06, 0.06, 0.06, 0), velocity: .zero))
  }

  // Clauses: S9.13
  @Test func frictionRestsWhenTheTravelLeftIsATenthOfTheThreshold() {
    var forces = ForceSum()
    forces.add(frictionPerSecond: 2)
    let rest = RestCriterion(forces: forces, threshold: 1)
    #expect(rest.isAtRest(displacement: SIMD4(1e6), velocity: SIMD4(0.199)))
    #expect(!rest.isAtRest(displacement: .zero, velocity: SIMD4(0.201)))
    #expect(!rest.isAtRest(displacement: .zero, velocity: SIMD4(0.15, -0.15, 0, 0)))
  }

  // Clauses: S9.13
  @Test func aConstantForceNeverRests() {
    var forces = ForceSum()
    forces.add(acceleration: SIMD4(1e-9))
    forces.add(frictionPerSecond: 100)
    #expect(!RestCriterion(forces: forces, threshold: 1e9).isAtRest(displacement: .zero, velocity: .zero))
  }

  @Test func withoutAnyForceOnlyStandingStillIsRest() {
    let rest = RestCriterion(forces: ForceSum(), threshold: 1)
    #expect(rest.isAtRest(displacement: SIMD4(7), velocity: .zero))
    #expect(!rest.isAtRest(displacement: SIMD4(7), velocity: SIMD4(1e-100)))
  }

  /// Near and slow is not enough: an overshooting spring crosses its destination several times before it rests.
  // Clauses: S9.10
  @Test(arguments: [0.01, 0.05, 0.2])
  func aSpringDoesNotRestAtItsFirstCrossing(dampingRatio: Double) {
    let forces = ForceSum(frequency: 20, dampingRatio: dampingRatio)
    let rest = RestCriterion(forces: forces, threshold: 1)
    let step = LinearStep(forces: forces, dt: 1e-3)
    var state = (displacement: SIMD4<Double>(100), velocity: SIMD4<Double>.zero)
    var crossings = 0
    while !rest.isAtRest(displacement: state.displacement, velocity: state.velocity) {
      let next = step.advance(displacement: state.displacement, velocity: state.velocity)
      if (next.displacement[0] < 0) != (state.displacement[0] < 0) { crossings += 1 }
      state = next
    }
    #expect(crossings > 2)
    #expect(abs(state.displacement[0]) < 0.1)
  }

  /// However small the threshold, it is met before numbers become denormal.
  @Test func tinyThresholdsAreMetAboveDenormals() {
    let rest = RestCriterion(forces: Self.spring, threshold: 1e-300)
    #expect(rest.isAtRest(displacement: SIMD4(1e-150), velocity: SIMD4(1e-150)))
  }
}
