import Glibc

/// The clock that this module reads: since boot, suspended time included, as `Envelope.sent` wants it.
enum BootClock {
  /// The time since boot. The corresponding C function is `clock_gettime`.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The same in nanoseconds.
  static var nanoseconds: UInt64 {
    let (seconds, attoseconds) = now.components
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
