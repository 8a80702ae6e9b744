/// A difference in value and velocity that fades to zero: the cubic that starts with both and ends with neither.
///
/// With s = t/T it is Hermite's cubic for δ(0) = Δx, δ′(0) = Δv, δ(T) = 0, δ′(T) = 0:
///
///     δ(t) = Δx·(1 + 2s)·(1 − s)² + Δv·T·s·(1 − s)²
///
/// Added to a motion, it makes one that begins with another's value and velocity and ends as its own. A Δv alone
/// deviates by at most 4/27·T·Δv, at T/3.
public struct VanishingOffset: Hashable, Sendable {
  /// The difference in value at the beginning.
  public let value: SIMD4<Double>

  /// The difference in velocity at the beginning, in value/s.
  public let velocity: SIMD4<Double>

  /// The time after which the offset is zero, in seconds; 0 means no offset.
  public let duration: Double

  /// Creates an offset with this initial difference.
  ///
  /// - Precondition: The duration is finite and not negative.
  public init(value: SIMD4<Double>, velocity: SIMD4<Double>, duration: Double) {
    precondition(duration.isFinite && duration >= 0, "an offset of \(duration) s")
    self.value = value
    self.velocity = velocity
    self.duration = duration
  }

  /// Returns how long an offset from a motion need last at most, in seconds. The lane that needs the most time determines it;
  /// 0 without an offset, and infinite if nothing bounds it.
  ///
  /// - With Δv against Δx, the offset does not change its sign: the cubic has another zero before T if T > 3·|Δx|/|Δv|.
  /// - Ahead of a motion with velocity v, the sum only slows down until the motion is there: at T = 3·|Δx|/|v| the offset
  ///   returns at half of v at most. A Δv that takes it farther ahead, and that of a motion that stands, must fade sooner
  ///   if it is large: it would come back at Δv/3, the farther the longer T is.
  public static func longestUseful(
    value: SIMD4<Double>, velocity: SIMD4<Double>, ofMotionWith motion: SIMD4<Double>
  ) -> Double {
    (0..<4).map { lane in
      let (value, velocity, motion) = (value[lane], velocity[lane], motion[lane])
      if value == 0, velocity == 0 { return 0 }
      if value * velocity < 0 { return 3 * abs(value / (value * motion > 0 ? motion : velocity)) }
      let isBehind = value * motion < 0 || velocity * motion < 0
      return isBehind || velocity == 0 && motion == 0 ? .infinity : 3 * abs(value) / max(abs(motion), abs(velocity) / 3)
    }.max() ?? 0
  }

  /// Returns the remaining difference, in value and in velocity, so many seconds after its beginning.
  public func sample(at elapsed: Double) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    guard elapsed < duration else { return (.zero, .zero) }
    let s = max(elapsed, 0) / duration
    let left = 1 - s
    let valueLeft = (1 + 2 * s) * left * left * value + (duration * s * left * left) * velocity
    let velocityLeft = (-6 * s * left / duration) * value + left * (1 - 3 * s) * velocity
    return (valueLeft, velocityLeft)
  }

  /// Returns the second derivative of the remaining difference, so many seconds after its beginning.
  public func acceleration(at elapsed: Double) -> SIMD4<Double> {
    guard elapsed < duration else { return .zero }
    let s = max(elapsed, 0) / duration
    return ((12 * s - 6) / (duration * duration)) * value + ((6 * s - 4) / duration) * velocity
  }

  /// Returns whether the remaining difference is zero.
  public func isOver(at elapsed: Double) -> Bool {
    elapsed >= duration
  }
}
