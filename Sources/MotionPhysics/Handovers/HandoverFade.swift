/// The offset that is added to a new driver's output so that the property does not jump at the hand-over.
///
/// The difference between the old driver's value and velocity and the new one's first ones is a ``VanishingOffset``.
/// Within 150 ms the property follows the new driver alone. After a gap without values it takes longer.
public struct HandoverFade: Hashable, Sendable {
  /// The longest fade without a gap, in seconds: long enough to hide a correction, short enough not to be perceived as
  /// lag.
  public static let longestDuration = 0.150

  /// Returns the longest fade after so many seconds without a value of the driver.
  ///
  /// One and a half times the gap: a uniform motion catches up at 2.3 times its velocity at most, and never runs
  /// backwards or past its driver.
  public static func longestDuration(afterGap gap: Double) -> Double { max(longestDuration, 1.5 * gap) }

  /// The difference as it fades.
  public let difference: VanishingOffset

  /// Creates a fade from an old driver to a new one.
  ///
  /// - Parameters:
  ///   - value: The old driver's value minus the new one's.
  ///   - velocity: The old driver's velocity minus the new one's, in value/s.
  ///   - remaining: The remaining time of the new driver, in seconds, if known: the fade ends no later.
  ///   - longest: The longest duration of the fade, in seconds.
  public init(
    value: SIMD4<Double>, velocity: SIMD4<Double>, remaining: Double = .infinity, longest: Double = longestDuration
  ) {
    difference = VanishingOffset(value: value, velocity: velocity, duration: min(longest, max(0, remaining)))
  }

  /// The duration of the fade, in seconds.
  public var duration: Double { difference.duration }

  /// Returns the offset to add to the new driver's value and velocity, so many seconds after the hand-over.
  public func offset(at elapsed: Double) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    difference.sample(at: elapsed)
  }

  /// Returns whether the fade has ended, so that the offset is zero.
  public func isOver(at elapsed: Double) -> Bool {
    difference.isOver(at: elapsed)
  }
}
