/// When systemd has to be notified that the loop still turns, if it requires that (`WatchdogSec=` of the unit).
///
/// The heartbeat is sent twice as often as required, as `sd_watchdog_enabled(3)` recommends. It may be late by half the
/// timeout before systemd takes motiond for dead, and an idle loop is woken no more often than necessary.
struct Watchdog: Equatable {
  /// The time from one heartbeat to the next.
  let interval: Duration
  /// When the next heartbeat is due.
  private(set) var nextDeadline: Duration

  /// The watchdog that an environment requests of the process with this id; `nil` if it requests none, or the time is
  /// invalid.
  ///
  /// The first heartbeat is due at once.
  init?(environment: [String: String], processID: Int32, at now: Duration) {
    // The largest interval is a day: no unit needs more, and it can be added to any time.
    guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text),
      (1...86_400_000_000).contains(microseconds)
    else { return nil }
    // The variable may be meant for the process that has started this one.
    if let asked = environment["WATCHDOG_PID"], asked != "\(processID)" { return nil }
    interval = .microseconds(microseconds) / 2
    nextDeadline = now
  }

  /// Returns whether a heartbeat is due, and schedules the next if so.
  mutating func deadline(at now: Duration) -> Bool {
    guard now >= nextDeadline else { return false }
    nextDeadline = now + interval
    return true
  }
}
