/// One exact step of a linear law of motion: a 2×2 matrix that depends only on tension, friction and dt.
///
/// It solves `acceleration = drive − tension·value − friction·velocity` over `dt` in closed form: no integrator, no
/// substeps, stable for any dt. n steps of dt give the same state as one of n·dt, to within rounding. Create it once,
/// and use it for every value that shares the three numbers. Creating one costs about 100 ns; advancing a value, a few.
///
/// With a = friction/2 and s² = a² − tension the solution is e^(−at)·(cosh st, sinh(st)/s, …). Both are smooth through
/// s = 0, and are computed without cancellation on either side of it:
/// - under-damped (s² < 0): cos wt and sin(wt)/w with w² = −s², which has the limit t;
/// - else by the slow decay e^(−tension/(a+s)·t), the fast one e^(−(a+s)t), and their difference by `expm1`.
///
/// s² itself takes one rounding (a fused multiply-add), so that no digits are lost close to critical damping.
public struct LinearStep: Hashable, Sendable, BitwiseCopyable {
  /// The tension that the step is for, with a mass of 1: in 1/s².
  public let tension: Double

  /// The friction that the step is for, with a mass of 1: in 1/s.
  public let friction: Double

  /// The duration of one step, in seconds.
  public let dt: Double

  /// The longest step, in seconds: about 30 years, beyond any practical use; its square is far from overflow.
  public static let longestStep = 1e9

  /// The coefficients of the displacement from equilibrium: to the displacement, and to the velocity (1/s).
  let displacementToDisplacement: Double
  let displacementToVelocity: Double

  /// The coefficients of the velocity: to the displacement (s), and to the velocity.
  let velocityToDisplacement: Double
  let velocityToVelocity: Double

  /// The coefficient of a constant acceleration to the value (s²) when there is no tension.
  ///
  /// Its coefficient to the velocity is ``velocityToDisplacement``.
  let accelerationToValue: Double

  /// Computes the matrix.
  ///
  /// - Parameters:
  ///   - tension: In 1/s², finite, not negative. See ``ForceSum/stiffness``.
  ///   - friction: In 1/s, finite, not negative. See ``ForceSum/damping``.
  ///   - dt: In seconds, from 0 to ``longestStep``.
  public init(tension: Double, friction: Double, dt: Double) {
    precondition(tension.isFinite && tension >= 0, "a tension of \(tension)/s²")
    precondition(friction.isFinite && friction >= 0, "a friction of \(friction)/s")
    precondition(dt >= 0 && dt <= Self.longestStep, "a step of \(dt) s")
    self.tension = tension
    self.friction = friction
    self.dt = dt

    let a = friction / 2
    let square = tension > 0 ? (-tension).addingProduct(a, a) : a * a
    if square < 0 {
      let w = (-square).squareRoot()
      let decay = ElementaryFunctions.exponential(ofNonpositive: -a * dt)
      let (sine, cosine) = ElementaryFunctions.sineAndCosine(of: w * dt)
      velocityToDisplacement = decay * (sine / w)
      displacementToDisplacement = decay * (cosine + a * (sine / w))
      velocityToVelocity = decay * (cosine - a * (sine / w))
    } else {
      // Without tension s is a: the square root of its square may differ by a bit. So it is where a² overflows.
      let s = tension > 0 && square.isFinite ? square.squareRoot() : a
      let slow = tension > 0 ? tension / (a + s) : 0
      let slowDecay = ElementaryFunctions.exponential(ofNonpositive: -slow * dt)
      let fastDecay = ElementaryFunctions.exponential(ofNonpositive: -(a + s) * dt)
      // (slowDecay − fastDecay) / 2s, with its limit at s = 0.
      let difference = s > 0 ? -ElementaryFunctions.exponentialMinusOne(ofNonpositive: -2 * s * dt) / (2 * s) : dt
      velocityToDisplacement = slowDecay * difference
      displacementToDisplacement = slowDecay + slow * velocityToDisplacement
      velocityToVelocity = fastDecay - slow * velocityToDisplacement
    }
    displacementToVelocity = -tension * velocityToDisplacement
    accelerationToValue = dt * dt * ElementaryFunctions.exponentialTail(ofNonpositive: -friction * dt)
  }

  /// Creates the step for these forces; their drive is not used yet.
  public init(forces: ForceSum, dt: Double) {
    self.init(tension: forces.stiffness, friction: forces.damping, dt: dt)
  }

  /// Returns a displacement from the equilibrium and a velocity after `dt`, with the same matrix for all lanes.
  ///
  /// Without tension any value counts as a displacement: no force pulls, so that the motion only coasts.
  @inline(__always)
  public func advance(
    displacement: SIMD4<Double>, velocity: SIMD4<Double>
  ) -> (displacement: SIMD4<Double>, velocity: SIMD4<Double>) {
    (
      displacementToDisplacement * displacement + velocityToDisplacement * velocity,
      displacementToVelocity * displacement + velocityToVelocity * velocity
    )
  }

  /// Returns a value and its velocity after `dt` under these forces.
  ///
  /// The displacement is computed from the equilibrium, and the equilibrium is added back, so that the result is as
  /// precise as the larger of value and equilibrium. ``SpringBank`` stores the displacement instead, and loses no
  /// precision near its rest.
  ///
  /// - Precondition: The step was made for the forces' tension and friction.
  public func advance(
    value: SIMD4<Double>, velocity: SIMD4<Double>, forces: ForceSum
  ) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    precondition(
      forces.stiffness == tension && forces.damping == friction,
      "a step for tension \(tension), friction \(friction) used for \(forces.stiffness), \(forces.damping)")
    if let equilibrium = forces.equilibrium {
      let next = advance(displacement: value - equilibrium, velocity: velocity)
      return (equilibrium + next.displacement, next.velocity)
    }
    let acceleration = forces.drive
    return (
      value + (velocityToDisplacement * velocity + accelerationToValue * acceleration),
      velocityToVelocity * velocity + velocityToDisplacement * acceleration
    )
  }
}
