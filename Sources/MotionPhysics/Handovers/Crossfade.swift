/// A passage from one motion to another: it begins with the value and velocity of the first and ends as the second.
///
/// The first motion p goes on from where it was, and stops within 150 ms. With s = t/T and the weight w = s²·(3 − 2s), the
/// value is p + w·(q − p), where q is the second motion. So it stays between the two, however fast the second moves: that
/// is why it may last long, other than a ``VanishingOffset``.
public struct Crossfade: Hashable, Sendable {
  /// Where it begins.
  public let value: SIMD4<Double>
  /// The velocity with which it begins, in value/s.
  public let velocity: SIMD4<Double>
  /// How long it lasts, in seconds.
  public let duration: Double
  private let first: VanishingOffset

  /// Creates a passage.
  ///
  /// - Precondition: The duration is finite and above 0.
  public init(value: SIMD4<Double>, velocity: SIMD4<Double>, duration: Double) {
    precondition(duration.isFinite && duration > 0, "a crossfade of \(duration) s")
    self.value = value
    self.velocity = velocity
    self.duration = duration
    first = VanishingOffset(
      value: .zero, velocity: velocity, duration: min(duration, HandoverFade.longestDuration))
  }

  /// Returns the passage so many seconds after its beginning.
  ///
  /// - Parameter second: the motion in which it ends, at that time.
  public func sample(at elapsed: Double, to second: Wave.Sample) -> Wave.Sample {
    guard elapsed < duration else { return second }
    let s = max(elapsed, 0) / duration
    let (weight, rise, bend) = (s * s * (3 - 2 * s), 6 * s * (1 - s) / duration, (6 - 12 * s) / (duration * duration))
    let offset = first.sample(at: elapsed)
    let (gap, closing) = (second.value - value - offset.value, second.velocity - offset.velocity)
    let curve = first.acceleration(at: elapsed)
    return Wave.Sample(
      value: value + offset.value + weight * gap, velocity: offset.velocity + rise * gap + weight * closing,
      acceleration: curve + bend * gap + 2 * rise * closing + weight * (second.acceleration - curve))
  }

  /// Returns whether the second motion is all that is left.
  public func isOver(at elapsed: Double) -> Bool { elapsed >= duration }
}
