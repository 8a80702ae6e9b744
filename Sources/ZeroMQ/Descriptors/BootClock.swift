import CLinux

/// The clock that counts since boot, suspended time included, and never goes back. It knows no ZeroMQ.
public enum BootClock {
  /// The time since boot.
  public static var now: Duration { .nanoseconds(motion_boot_clock()) }
  /// The time since boot in nanoseconds.
  public static var nanoseconds: Int64 { motion_boot_clock() }
}

extension Duration {
  /// The length in whole nanoseconds.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
