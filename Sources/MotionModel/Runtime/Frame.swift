/// One step of the runtime's clock.
///
/// A frame covers the simulated time from ``start`` to ``time``. Changes applied in it take effect at ``start``, and
/// the values published with it are those at ``time``. Numbers have no gaps.
public struct Frame: Hashable, Sendable {
  /// Its number, from 1.
  public var number: UInt64
  /// The simulated time at its end, in seconds since the runtime's start.
  public var time: Double
  /// The simulated time it covers, in seconds: speed ÷ rate.
  public var dt: Double

  /// Creates the frame `number`, which ends at `time` and covers `dt` seconds.
  public init(number: UInt64, time: Double, dt: Double) {
    self.number = number
    self.time = time
    self.dt = dt
  }

  /// The simulated time at its beginning, in seconds.
  public var start: Double { time - dt }
}
