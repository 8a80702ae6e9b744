/// The columns of a group in which each row has coefficients of its own, after those of the state.
enum OwnLaw: Int {
  // The matrix, in the order in which the loop reads it.
  case displacementToDisplacement, velocityToDisplacement, displacementToVelocity, velocityToVelocity
  // The values by which rest is detected.
  case stiffness, bound, nearBound
  // The input of the matrix when dt changes, besides the stiffness.
  case damping

  static var count: Int { damping.rawValue + 1 }
}

extension SpringGroup {
  /// Returns a column of the mixed rows' coefficients.
  func own(_ law: OwnLaw) -> UnsafeMutablePointer<Double> { columns + (3 * lanes + law.rawValue) * stride }

  /// Sets a row's coefficients, and its matrix if the length of steps is known.
  func setOwnLaw(row: Int, _ key: SpringGroupKey) {
    own(.stiffness)[row] = key.stiffness
    own(.damping)[row] = key.damping
    own(.bound)[row] = key.rest.bound
    if dt >= 0 { prepareOwnLaw(row: row) }
  }

  /// Computes a row's matrix for steps of the group's length, which takes some 100 ns.
  func prepareOwnLaw(row: Int) {
    let damping = own(.damping)[row]
    let step = LinearStep(tension: own(.stiffness)[row], friction: damping, dt: dt)
    own(.displacementToDisplacement)[row] = step.displacementToDisplacement
    own(.velocityToDisplacement)[row] = step.velocityToDisplacement
    own(.displacementToVelocity)[row] = step.displacementToVelocity
    own(.velocityToVelocity)[row] = step.velocityToVelocity
    own(.nearBound)[row] = RestCriterion.nearBound(own(.bound)[row], damping: damping, dt: dt)
  }
}

extension RestCriterion {
  /// The number of steps for which a block is not tested when none of its motions can come to rest within them.
  ///
  /// A test costs four fifths of a step. With this value one step in nine is tested. A longer look ahead would find
  /// more motions that are near their rest.
  static let quietSteps: UInt8 = 8

  /// The number of steps for which a block is not tested when all of its motions, which share their coefficients, are
  /// that far from rest.
  ///
  /// Tests then cost a fortieth of the steps instead of a tenth: 1000 springs without friction take 185 ns instead of
  /// 199.
  static let manyQuietSteps: UInt8 = 32

  /// Returns the doubled energy from which on a motion does not come to rest within so many steps; infinite if that
  /// cannot be determined.
  ///
  /// Only damping removes energy, at most the share 2·damping of it per second, reached when all of it is in the
  /// velocity. So every skipped test would have found nothing: rest is detected in the same step in which testing every
  /// step would detect it. A millionth more allows for the rounding of the steps. Beyond e⁵⁰, the rounding of the
  /// matrix would count, too.
  func nearBound(damping: Double, dt: Double, steps: UInt8 = quietSteps) -> Double {
    Self.nearBound(bound, damping: damping, dt: dt, steps: steps)
  }

  static func nearBound(_ bound: Double, damping: Double, dt: Double, steps: UInt8 = quietSteps) -> Double {
    let decay = 2 * damping * dt * Double(steps)
    guard decay <= 50 else { return .infinity }
    return bound * 1.000_001 / ElementaryFunctions.exponential(ofNonpositive: -decay)
  }
}
