/// What is added to a new driver's output so that the property does not jump when it takes over.
///
/// The difference between the old driver's value and velocity and the new one's first ones is a ``VanishingOffset``:
/// within 150 ms the property follows the new driver alone. After a gap without values it takes longer.
public struct HandoverFade: Hashable, Sendable {
  /// The longest fade without a gap, in seconds: long enough to hide a correction, short enough not to be felt as lag.
  public static let longestDuration = 0.150

  /// The longest fade after so many seconds without a value of the driver.
  ///
  /// One and a half times the gap: what moved evenly is made good at 2.3 times its velocity at most, and never runs backwards
  /// or past its driver.
  public static func longestDuration(afterGap gap: Double) -> Double { max(longestDuration, 1.5 * gap) }

  /// The difference as it dies away.
  public let difference: VanishingOffset

  /// A fade from an old driver to a new one.
  ///
  /// - Parameters:
  ///   - value: The old driver's value minus the new one's.
  ///   - velocity: The old driver's velocity minus the new one's, in value/s.
  ///   - remaining: How long the new driver still goes, in seconds, if it knows: the fade ends no later.
  ///   - longest: The longest that it may take, in seconds.
  public init(
    value: SIMD4<Double>, velocity: SIMD4<Double>, remaining: Double = .infinity, longest: Double = longestDuration
  ) {
    difference = VanishingOffset(value: value, velocity: velocity, duration: min(longest, max(0, remaining)))
  }

  /// How long it lasts, in seconds.
  public var duration: Double { difference.duration }

  /// What to add to the new driver's value and velocity, so many seconds after the hand-over.
  public func offset(at elapsed: Double) -> (value: SIMD4<Double>, velocity: SIMD4<Double>) {
    difference.sample(at: elapsed)
  }

  /// Whether there is nothing to add any more.
  public func isOver(at elapsed: Double) -> Bool {
    difference.isOver(at: elapsed)
  }
}
