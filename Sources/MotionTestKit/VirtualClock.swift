/// A boot clock that advances only by explicit calls, for code that takes the time as an argument.
public struct VirtualClock: Sendable {
  /// The time since boot.
  public private(set) var now: Duration

  /// Creates a clock at `now`: by default long after boot, so that subtracting from it does not pass zero.
  public init(at now: Duration = .seconds(1000)) { self.now = now }

  /// Advances the clock by `time`; a negative one has no effect.
  public mutating func advance(by time: Duration) { now += max(time, .zero) }

  /// Advances the clock to `time`, if that is later.
  public mutating func advance(to time: Duration) { now = max(now, time) }
}
