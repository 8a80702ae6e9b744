/// The offset that is added to a new driver's output so that the property does not jump at the hand-over.
///
/// The difference between the old driver's value and velocity and the new one's first ones is a ``VanishingOffset``.
/// Within 150 ms the property follows the new driver alone. After a gap without values it takes longer. A driver may ask
/// that the difference in velocity fades sooner, by itself: the faster it is, the farther it leads astray.
public struct HandoverFade: Hashable, Sendable {
  /// The longest fade without a gap, in seconds: long enough to hide a correction, short enough not to be perceived as
  /// lag.
  public static let longestDuration = 0.150

  /// Returns the longest fade after so many seconds without a value of the driver.
  ///
  /// One and a half times the gap: a uniform motion catches up at 2.3 times its velocity at most, and never runs
  /// backwards or past its driver.
  public static func longestDuration(afterGap gap: Double) -> Double {
    max(longestDuration, gapFactor * min(gap, longestGap))
  }

  /// How many times a gap the fade after it lasts at most.
  package static let gapFactor = 1.5

  /// What counts of a gap at most, in seconds: 30 years.
  package static let longestGap = 1e9

  /// The difference as it fades: without the velocity, if that fades by itself.
  public let difference: VanishingOffset

  /// The difference in velocity, if it fades by itself.
  public let carried: VanishingOffset?

  /// Creates a fade from an old driver to a new one.
  ///
  /// - Parameters:
  ///   - value: The old driver's value minus the new one's.
  ///   - velocity: The old driver's velocity minus the new one's, in value/s.
  ///   - remaining: The remaining time of the new driver, in seconds, if known: the fade ends no later.
  ///   - longest: The longest duration of the fade, in seconds.
  ///   - carry: The longest time in which the difference in velocity fades, in seconds.
  public init(
    value: SIMD4<Double>, velocity: SIMD4<Double>, remaining: Double = .infinity, longest: Double = longestDuration,
    carry: Double = .infinity
  ) {
    let duration = min(longest, max(0, remaining))
    guard carry < duration else {
      self.init(VanishingOffset(value: value, velocity: velocity, duration: duration))
      return
    }
    self.init(
      VanishingOffset(value: value, velocity: .zero, duration: duration),
      VanishingOffset(value: .zero, velocity: velocity, duration: max(0, carry)))
  }

  /// Creates the sum of differences that fade at the same time.
  public init(_ difference: VanishingOffset, _ carried: VanishingOffset? = nil) {
    (self.difference, self.carried) = (difference, carried)
  }

  /// The duration of the fade, in seconds.
  public var duration: Double { max(difference.duration, carried?.duration ?? 0) }

  /// Returns the offset to add to the new driver's value and velocity, so many seconds after the hand-over.
  public func offset(at elapsed: Double) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    let offset = difference.sample(at: elapsed)
    guard let carried = carried?.sample(at: elapsed) else { return offset }
    return (offset.value + carried.value, offset.velocity + carried.velocity)
  }

  /// Returns the acceleration that the offset adds, so many seconds after the hand-over.
  public func acceleration(at elapsed: Double) -> SIMD4<Double> {
    difference.acceleration(at: elapsed) + (carried?.acceleration(at: elapsed) ?? .zero)
  }

  /// Returns what is left so many seconds after the hand-over, as differences that have yet to fade: the rest of a cubic
  /// that vanishes is such a cubic, too.
  public func left(at elapsed: Double) -> [VanishingOffset] {
    [difference, carried].compactMap(\.self).filter { !$0.isOver(at: elapsed) }.map { part in
      let (value, velocity) = part.sample(at: elapsed)
      return VanishingOffset(value: value, velocity: velocity, duration: part.duration - elapsed)
    }
  }

  /// Returns whether the fade has ended, so that the offset is zero.
  public func isOver(at elapsed: Double) -> Bool {
    elapsed >= duration
  }
}
