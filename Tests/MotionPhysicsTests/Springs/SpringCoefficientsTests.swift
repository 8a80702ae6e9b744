import MotionPhysics
import Testing

@Suite struct SpringCoefficientsTests {
  // Clauses: S9.1
  @Test func defaultIsSlightlyUnderdamped() {
    let spring = SpringCoefficients.default
    #expect(spring.tension == 342 && spring.friction == 30 && spring.mass == 1)
    #expect(abs(spring.dampingRatio - 0.811107) < 1e-6)
    #expect(abs(spring.naturalFrequency - 18.493242) < 1e-6)
  }

  /// duration, bounce, mass → tension, friction, by hand from the formulas.
  // Clauses: S9.15
  @Test(arguments: [
    (0.5, 0.0, 1.0, 157.91367041742973, 25.132741228718345),
    (0.5, 0.3, 1.0, 157.91367041742973, 17.59291886010284),
    (0.5, -0.5, 1.0, 157.91367041742973, 50.26548245743669),
    (0.25, 1.0, 2.0, 1263.3093633394378, 0),
    (1.0, 0.15, 3.0, 118.43525281307230, 32.04424506661589),
  ])
  func durationAndBounceConvert(duration: Double, bounce: Double, mass: Double, tension: Double, friction: Double) {
    let spring = SpringCoefficients(duration: duration, bounce: bounce, mass: mass)
    #expect(abs(spring.tension - tension) <= 1e-12 * tension)
    #expect(abs(spring.friction - friction) <= 1e-12 * max(friction, 1))
    #expect(spring.mass == mass)
    #expect(spring.isValid)
  }

  // Clauses: S9.15
  @Test(arguments: [(0.0, 1.0), (0.25, 0.75), (1, 0), (-0.5, 2), (-0.75, 4)])
  func `a bounce determines the damping ratio`(bounce: Double, dampingRatio: Double) {
    let spring = SpringCoefficients(duration: 0.4, bounce: bounce, mass: 2)
    #expect(abs(spring.dampingRatio - dampingRatio) < 1e-12)
  }

  /// pop's own pairs, worked out from its published formulas.
  // Clauses: S9.16
  @Test(arguments: [
    (4.0, 12.0, 342.100588235, 30.486979648),
    (0.0, 10.0, 299.618823529, 34.449580326),
    (20, 20, 512.027647059, 13.356488421),
    (5, 1, 108.450882353, 11.001014259),
  ])
  func bouncinessAndSpeedConvertAsInPop(bounciness: Double, speed: Double, tension: Double, friction: Double) {
    let spring = SpringCoefficients(bounciness: bounciness, speed: speed)
    #expect(abs(spring.tension - tension) < 1e-6)
    #expect(abs(spring.friction - friction) < 1e-6)
  }

  @Test(arguments: [
    SpringCoefficients(tension: -1, friction: 1), SpringCoefficients(tension: 1, friction: -1),
    SpringCoefficients(tension: 1, friction: 1, mass: 0), SpringCoefficients(tension: .nan, friction: 1),
    SpringCoefficients(tension: .infinity, friction: 1), SpringCoefficients(tension: 1e300, friction: 1, mass: 1e-300),
    SpringCoefficients(duration: 0, bounce: 0), SpringCoefficients(duration: -1, bounce: 0.5),
    SpringCoefficients(duration: 1, bounce: -1), SpringCoefficients(duration: 1, bounce: 1.5),
  ])
  func `invalid springs are not valid`(spring: SpringCoefficients) {
    #expect(!spring.isValid)
  }
}
