/// The columns of a group in which each row has coefficients of its own, after those of the state.
enum OwnLaw: Int {
  // The matrix, in the order in which the loop takes it.
  case displacementToDisplacement, velocityToDisplacement, displacementToVelocity, velocityToVelocity
  // What rest is told by.
  case stiffness, bound, nearBound
  // What the matrix is made of when dt changes, besides the stiffness.
  case damping

  static var count: Int { damping.rawValue + 1 }
}

extension SpringGroup {
  /// A column of the mixed rows' coefficients.
  func own(_ law: OwnLaw) -> UnsafeMutablePointer<Double> { columns + (3 * lanes + law.rawValue) * stride }

  /// Gives a row its coefficients, and its matrix if the length of steps is known.
  func setOwnLaw(row: Int, _ key: SpringGroupKey) {
    own(.stiffness)[row] = key.stiffness
    own(.damping)[row] = key.damping
    own(.bound)[row] = key.rest.bound
    if dt >= 0 { prepareOwnLaw(row: row) }
  }

  /// Makes a row's matrix for steps of the group's length, which takes some 100 ns.
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
  /// So many steps a block is left alone when none of its motions can come to rest within them.
  ///
  /// A test costs four fifths of a step: one step in nine has it then, and a longer look ahead would find more motions
  /// that are near their rest.
  static let quietSteps: UInt8 = 8

  /// So many steps a block is left alone when all of its motions, which share their coefficients, are that far away.
  ///
  /// Then tests are a fortieth of what steps cost instead of a tenth: 1000 springs without friction take 185 ns instead of
  /// 199.
  static let manyQuietSteps: UInt8 = 32

  /// The doubled energy from which on a motion does not come to rest within so many steps; infinite if that cannot be
  /// told.
  ///
  /// Nothing takes energy but damping, and that takes at most the share 2·damping of it per second: all of it is in the
  /// velocity then. So no test is left out that would have found something: rest comes with the very step that a test of
  /// each step would find. A millionth more allows for the rounding of the steps. Beyond e⁵⁰, that of the matrix would
  /// count, too.
  func nearBound(damping: Double, dt: Double, steps: UInt8 = quietSteps) -> Double {
    Self.nearBound(bound, damping: damping, dt: dt, steps: steps)
  }

  static func nearBound(_ bound: Double, damping: Double, dt: Double, steps: UInt8 = quietSteps) -> Double {
    let decay = 2 * damping * dt * Double(steps)
    guard decay <= 50 else { return .infinity }
    return bound * 1.000_001 / ElementaryFunctions.exponential(ofNonpositive: -decay)
  }
}
