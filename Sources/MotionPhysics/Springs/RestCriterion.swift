/// The criterion by which a motion counts as over: it can no longer move the value by a tenth of its threshold.
///
/// With a spring the criterion is an energy: ½·velocity² + ½·stiffness·displacement² < ½·stiffness·(threshold/10)²,
/// summed over the lanes. Without a spring, the travel that friction leaves, |velocity|/damping, must be below
/// threshold/10. A motion under a constant force alone never rests, nor does a motion without friction. "Near and slow"
/// is not enough: it would end an overshooting spring at its first crossing.
///
/// The snap to the equilibrium at rest is therefore below threshold/10, which is invisible by the choice of the
/// threshold.
public struct RestCriterion: Hashable, Sendable, BitwiseCopyable {
  /// The doubled energy below which every motion counts as over.
  ///
  /// Without it, a motion with an extremely small threshold would decay into denormal numbers, which cost 60 times a
  /// step. A velocity of 10⁻¹⁴⁵ has no visible effect.
  static let leastEnergy = 1e-290

  /// The change of a value that matters, in the value's unit; the motion rests a tenth of it before its end.
  public let threshold: Double

  /// The weight of a squared displacement against a squared velocity, in 1/s².
  let stiffness: Double

  /// Doubled energy below which the motion is over; 0 if it never is.
  let bound: Double

  /// Creates the criterion for a motion under these forces.
  ///
  /// - Precondition: The threshold is finite and positive.
  public init(forces: ForceSum, threshold: Double) {
    self.init(
      stiffness: forces.stiffness, damping: forces.damping,
      isDriven: forces.stiffness == 0 && forces.drive != .zero, threshold: threshold)
  }

  /// Creates the criterion for a motion of this stiffness and damping.
  ///
  /// - Parameters:
  ///   - stiffness: In 1/s², not negative.
  ///   - damping: In 1/s, not negative.
  ///   - isDriven: Whether a constant force acts without a spring: then the motion never rests.
  ///   - threshold: The change that matters, in the value's unit, above 0.
  public init(stiffness: Double, damping: Double, isDriven: Bool, threshold: Double) {
    precondition(threshold.isFinite && threshold > 0, "a threshold of \(threshold)")
    self.threshold = threshold
    self.stiffness = stiffness
    let reach = threshold / 10
    if isDriven {
      bound = 0
    } else if stiffness > 0 {
      bound = max(stiffness * (reach * reach), Self.leastEnergy)
    } else {
      bound = max((damping * reach) * (damping * reach), Self.leastEnergy)
    }
  }

  /// Returns whether the motion is over.
  ///
  /// - Parameters:
  ///   - displacement: The distance from the equilibrium, per lane; without stiffness it does not matter.
  ///   - velocity: Per lane, in value/s. Lanes that the value does not have are zero.
  public func isAtRest(displacement: SIMD4<Double>, velocity: SIMD4<Double>) -> Bool {
    let energy = velocity * velocity + stiffness * (displacement * displacement)
    return energy[0] + energy[1] + energy[2] + energy[3] < bound
  }
}
