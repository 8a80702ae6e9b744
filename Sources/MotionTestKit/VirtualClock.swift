/// A boot clock that stands until it is told to go on, for code that takes the time as an argument.
public struct VirtualClock: Sendable {
  /// The time since boot.
  public private(set) var now: Duration

  /// A clock that stands at `now`: by default long after boot, so that subtracting from it does not pass zero.
  public init(at now: Duration = .seconds(1000)) { self.now = now }

  /// Goes on.
  public mutating func advance(by time: Duration) { now += max(time, .zero) }

  /// Goes on to `time`, if that is still ahead.
  public mutating func advance(to time: Duration) { now = max(now, time) }
}
