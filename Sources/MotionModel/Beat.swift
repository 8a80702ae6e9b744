/// Heartbeat times that all processes of a machine share.
public enum Beat {
  /// Returns the first full multiple of `interval` on the boot clock after `now`: at most one interval later.
  ///
  /// A sender with an interval of one second sends at the full seconds. So all senders and receivers of a machine wake
  /// up together and once, and an idle machine sleeps longer than if each process had its own phase.
  ///
  /// - Precondition: the interval is longer than a nanosecond; the clock does not go back before its beginning.
  public static func next(after now: Duration, every interval: Duration) -> Duration {
    let (step, time) = (nanoseconds(interval), nanoseconds(now))
    precondition(step > 0, "a beat of \(interval)")
    return .nanoseconds((time / step + 1) * step)
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
