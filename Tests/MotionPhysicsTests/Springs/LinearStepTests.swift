import Glibc
import MotionPhysics
import Testing

@Suite struct LinearStepTests {
  /// The numbers of the specification: 0 → 1, tension 342, friction 30, mass 1.
  @Test(arguments: [
    (1.0 / 60, 0.040173209), (0.1, 0.622017250), (0.2, 0.970531876), (0.5, 1.000234043),
  ])
  func defaultSpringPassesTheReferenceNumbers(time: Double, expected: Double) {
    let forces = ForceSum(spring: .default, anchor: SIMD4(1, 0, 0, 0))
    let step = LinearStep(forces: forces, dt: time)
    #expect(abs(step.advance(value: .zero, velocity: .zero, forces: forces).value[0] - expected) < 5e-10)
  }

  @Test func defaultSpringOvershootsByTheReferenceNumber() {
    let forces = ForceSum(spring: .default, anchor: SIMD4(1, 0, 0, 0))
    let peak = LinearStep(forces: forces, dt: 0.290440).advance(value: .zero, velocity: .zero, forces: forces)
    #expect(abs(peak.value[0] - 1.012822) < 5e-7)
    #expect(abs(peak.velocity[0]) < 1e-4)
  }

  @Test(arguments: [
    (SpringCoefficients(tension: 100, friction: 20), 0.1, 0.264241),
    (SpringCoefficients(tension: 1000, friction: 500, mass: 3), 0.5, 0.632093),
  ])
  func criticalAndOverdampedSpringsPassTheReferenceNumbers(
    spring: SpringCoefficients, time: Double, expected: Double
  ) {
    let forces = ForceSum(spring: spring, anchor: SIMD4(1, 0, 0, 0))
    let step = LinearStep(forces: forces, dt: time)
    #expect(abs(step.advance(value: .zero, velocity: .zero, forces: forces).value[0] - expected) < 5e-7)
  }
}
