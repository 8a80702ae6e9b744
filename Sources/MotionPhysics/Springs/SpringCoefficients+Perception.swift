extension SpringCoefficients {
  /// Creates the spring with about this perceived duration and bounce.
  ///
  /// `duration` is the period of the same spring without friction: the length of the motion as a viewer perceives it,
  /// not the time to rest. `bounce` 0 is critical damping, positive values overshoot (1 oscillates for ever), negative
  /// ones creep. The formulas are those of Apple's `Spring(duration:bounce:)`, solved for a mass m:
  ///
  ///     ζ = 1 − bounce         for bounce ≥ 0
  ///     ζ = 1 / (1 + bounce)   for bounce < 0
  ///     k = (2π / duration)²·m
  ///     c = 2·ζ·√(k·m) = 4π·ζ·m / duration
  ///
  /// Convert before any velocity is applied: the result does not depend on where the motion starts.
  ///
  /// - Parameters:
  ///   - duration: The perceived duration in seconds, above 0. Other values give a spring that is not ``isValid``.
  ///   - bounce: Above −1, at most 1. Other values give a spring that is not ``isValid``.
  ///   - mass: The mass to solve for; it changes the numbers, not the motion.
  public init(duration: Double, bounce: Double, mass: Double = 1) {
    let dampingRatio = bounce >= 0 ? 1 - bounce : 1 / (1 + bounce)
    let frequency = 2 * Double.pi / duration
    self.init(tension: frequency * frequency * mass, friction: 2 * dampingRatio * frequency * mass, mass: mass)
  }

  /// Creates the spring that pop and Origami derive from a bounciness and a speed.
  ///
  /// Both run from 0 to 20 there; pop's defaults are bounciness 4 and speed 12. The mass is 1. The conversion has two
  /// steps. First, rebound's `BouncyConversion`: fitted cubics give the friction that just does not bounce, and
  /// bounciness interpolates from there towards none. Then, `OrigamiValueConverter` converts Quartz Composer's units to
  /// tension and friction. Source: pop's `POPSpringAnimation`, rebound-js `BouncyConversion.js`,
  /// `OrigamiValueConverter.js`.
  public init(bounciness: Double, speed: Double) {
    // 1.7 and 20 map the user's range to 0…1; 0.8 keeps the bounciest spring from oscillating for ever.
    let bounce = bounciness / 1.7 / 20 * 0.8
    let tension = 0.5 + speed / 1.7 / 20 * (200 - 0.5)
    let eased = 2 * bounce - bounce * bounce
    let friction = eased * 0.01 + (1 - eased) * Self.frictionWithoutBounce(tension: tension)
    self.init(tension: (tension - 30) * 3.62 + 194, friction: (friction - 8) * 3 + 25, mass: 1)
  }

  /// Returns the friction, in Origami's units, at which a spring of this tension just does not bounce: rebound's three
  /// fits.
  private static func frictionWithoutBounce(tension x: Double) -> Double {
    if x <= 18 { return ((0.0007 * x - 0.031) * x + 0.64) * x + 1.28 }
    if x <= 44 { return ((0.000044 * x - 0.006) * x + 0.36) * x + 2 }
    return ((0.000_000_45 * x - 0.000332) * x + 0.1078) * x + 5.84
  }
}
