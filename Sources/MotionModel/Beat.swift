/// Words that are sent again and again at moments that all processes of a machine share.
public enum Beat {
  /// The first full multiple of `interval` on the boot clock after `now`: at most one interval later.
  ///
  /// Whoever speaks each second speaks at the full seconds, so that all who hear it, and all who speak themselves, wake up
  /// together and once: an idle machine sleeps longer than if each had a rhythm of its own.
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
