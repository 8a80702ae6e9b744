/// The three coefficients of a spring: tension, friction and mass.
///
/// The acceleration it causes is −(tension/mass)·(value − anchor) − (friction/mass)·velocity, in value/s². Any numbers
/// can be stored; ``isValid`` is true if they make a spring that can be added to a ``ForceSum``.
public struct SpringCoefficients: Hashable, Sendable {
  /// The spring's stiffness k: force per distance from its anchor.
  public var tension: Double

  /// The spring's damping c: force per velocity.
  public var friction: Double

  /// The mass m that the spring moves; it divides tension and friction.
  public var mass: Double

  /// Creates a spring with these numbers, unchecked.
  @inlinable
  public init(tension: Double, friction: Double, mass: Double = 1) {
    self.tension = tension
    self.friction = friction
    self.mass = mass
  }

  /// The default spring: tension 342, friction 30, mass 1.
  ///
  /// They are Material Motion's defaults, which are pop's bounciness 4 and speed 12 rounded. The overshoot is 1.28 %.
  public static let `default` = SpringCoefficients(tension: 342, friction: 30, mass: 1)

  /// Whether the numbers are finite, tension and friction not negative, and the mass positive.
  public var isValid: Bool {
    tension.isFinite && friction.isFinite && mass.isFinite && tension >= 0 && friction >= 0 && mass > 0
      && (tension / mass).isFinite && (friction / mass).isFinite
  }

  /// The friction as a share of the critical one: below 1 the spring overshoots, from 1 on it does not.
  ///
  /// c / (2·√(k·m)). Infinite without tension.
  public var dampingRatio: Double {
    friction / (2 * (tension * mass).squareRoot())
  }

  /// The angular frequency that the spring would have without friction, √(k/m), in rad/s.
  public var naturalFrequency: Double {
    (tension / mass).squareRoot()
  }
}

/// Another name of ``SpringCoefficients``, used by the documents of 2016.
public typealias SpringConfiguration = SpringCoefficients
