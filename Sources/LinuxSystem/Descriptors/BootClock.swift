import CLinux

/// The clock that counts since boot, suspended time included, and never goes back.
public enum BootClock {
  /// The time since boot.
  public static var now: Duration { .nanoseconds(motion_boot_clock()) }
  /// The time since boot in nanoseconds.
  public static var nanoseconds: Int64 { motion_boot_clock() }
}

extension Duration {
  /// The length in whole nanoseconds, clamped to 64 bits: 292 years.
  ///
  /// A longer one, such as a far `at` at a low speed, is equivalent to never, and must not trap.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isStillTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLong || isStillTooLong ? (seconds < 0 ? .min : .max) : sum
  }

  /// Milliseconds, rounded up so that a wait is never too short, and clamped to a C `int`.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
    guard seconds > Int64(Int32.min) / 1000 else { return Int(Int32.min) }
    // Division rounds towards zero, which already rounds up the rest of a negative length.
    let rest = attoseconds > 0 ? attoseconds + 999_999_999_999_999 : attoseconds
    return Int(seconds) * 1000 + Int(rest / 1_000_000_000_000_000)
  }
}
