/// The forces on one property, summed to one linear law of motion.
///
/// Each force counts as the acceleration that it causes, so that any number of them still makes a single `acceleration
/// = drive − stiffness·value − damping·velocity`, which ``LinearStep`` solves exactly. Lanes that a value does not have
/// are zero. The order of adding determines the last bit of the sums: add in a reproducible order.
public struct ForceSum: Hashable, Sendable {
  /// The sum of tension/mass over the springs, in 1/s².
  public private(set) var stiffness: Double = 0

  /// The sum of friction/mass over the springs and of the plain frictions, in 1/s.
  public private(set) var damping: Double = 0

  /// The anchor of the first spring.
  ///
  /// The sums are relative to it, so that a lone spring's equilibrium is its anchor to the last bit.
  /// (tension·anchor)/tension often is not.
  private var origin: SIMD4<Double> = .zero

  /// The acceleration at the origin and velocity 0.
  private var accelerationAtOrigin: SIMD4<Double> = .zero

  /// Creates a sum without forces: a motion continues unchanged.
  public init() {}

  /// Creates the sum of a single spring that pulls towards an anchor.
  public init(spring: SpringCoefficients, anchor: SIMD4<Double>) {
    add(spring: spring, anchor: anchor)
  }

  /// Adds a spring that pulls towards `anchor`; its mass divides its own tension and friction only.
  ///
  /// - Precondition: The spring is valid and the anchor finite: see ``SpringCoefficients/isValid``.
  public mutating func add(spring: SpringCoefficients, anchor: SIMD4<Double>) {
    precondition(
      spring.isValid, "a spring of tension \(spring.tension), friction \(spring.friction), mass \(spring.mass)")
    precondition(anchor.isFinite, "an anchor that is not finite: \(anchor)")
    damping += spring.friction / spring.mass
    let pull = spring.tension / spring.mass
    guard pull > 0 else { return }
    if stiffness == 0 {
      origin = anchor
    } else {
      accelerationAtOrigin += pull * (anchor - origin)
    }
    stiffness += pull
  }

  /// Adds a friction that decelerates any motion by the share `coefficient` of its velocity, in 1/s.
  ///
  /// - Precondition: The coefficient is finite and not negative.
  public mutating func add(frictionPerSecond coefficient: Double) {
    precondition(coefficient.isFinite && coefficient >= 0, "a friction of \(coefficient)/s")
    damping += coefficient
  }

  /// Adds a constant force, given as the acceleration it causes, per lane in value/s².
  ///
  /// - Precondition: The acceleration is finite.
  public mutating func add(acceleration: SIMD4<Double>) {
    precondition(acceleration.isFinite, "an acceleration that is not finite: \(acceleration)")
    accelerationAtOrigin += acceleration
  }

  /// The acceleration at value 0 and velocity 0, per lane in value/s²: Σ(tension/mass)·anchor + Σacceleration.
  public var drive: SIMD4<Double> {
    stiffness * origin + accelerationAtOrigin
  }

  /// The point where all forces cancel out, at which the motion comes to rest; nil without stiffness.
  ///
  /// With springs of one common anchor and no constant force this is exactly that anchor.
  public var equilibrium: SIMD4<Double>? {
    stiffness > 0 ? origin + accelerationAtOrigin / stiffness : nil
  }
}

extension SIMD4<Double> {
  /// Whether every lane is a finite number.
  var isFinite: Bool {
    // An infinite lane, or one that is NaN, gives a nonzero difference.
    all((self - self) .== 0)
  }

  /// Returns the value with zeros in the lanes beyond the given number of lanes.
  func keeping(lanes: Int) -> SIMD4<Double> {
    var kept = SIMD4<Double>.zero
    for lane in 0..<lanes { kept[lane] = self[lane] }
    return kept
  }
}
