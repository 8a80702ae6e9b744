/// When a motion counts as over: it can no longer carry the value a tenth of its threshold away.
///
/// With a spring that is a matter of energy: ½·velocity² + ½·stiffness·displacement² < ½·stiffness·(threshold/10)²,
/// summed over the lanes. Without one, the travel that friction leaves, |velocity|/damping, is below threshold/10. A
/// constant force alone never rests, nor does a motion that nothing brakes. Never merely "near and slow", which would
/// end an overshooting spring at its first crossing.
///
/// The snap to the equilibrium at rest is therefore below threshold/10, which nobody sees who chose the threshold.
public struct RestCriterion: Hashable, Sendable, BitwiseCopyable {
  /// The energy, doubled, below which every motion counts as over.
  ///
  /// It keeps a threshold of almost nothing from waiting for denormal numbers, which cost 60 times a step: a
  /// velocity of 10⁻¹⁴⁵ moves nothing.
  static let leastEnergy = 1e-290

  /// The change of a value that matters, in the value's unit; the motion rests a tenth of it before its end.
  public let threshold: Double

  /// The weight of a squared displacement against a squared velocity, in 1/s².
  let stiffness: Double

  /// Doubled energy below which the motion is over; 0 if it never is.
  let bound: Double

  /// The criterion for a motion under these forces.
  ///
  /// - Precondition: The threshold is finite and positive.
  public init(forces: ForceSum, threshold: Double) {
    self.init(
      stiffness: forces.stiffness, damping: forces.damping,
      isDriven: forces.stiffness == 0 && forces.drive != .zero, threshold: threshold)
  }

  /// The criterion for a motion of this stiffness and damping.
  ///
  /// - Parameters:
  ///   - stiffness: In 1/s², not negative.
  ///   - damping: In 1/s, not negative.
  ///   - isDriven: Whether a constant force acts that no spring holds: then nothing ever rests.
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

  /// Whether the motion is over.
  ///
  /// - Parameters:
  ///   - displacement: The distance from the equilibrium, per lane; without stiffness it does not matter.
  ///   - velocity: Per lane, in value/s. Lanes that the value does not have are zero.
  public func isAtRest(displacement: SIMD4<Double>, velocity: SIMD4<Double>) -> Bool {
    let energy = velocity * velocity + stiffness * (displacement * displacement)
    return energy[0] + energy[1] + energy[2] + energy[3] < bound
  }
}
