/// When systemd is to be told that the loop still turns, if it wants to know (`WatchdogSec=` of the unit).
///
/// Twice as often as it wants, as `sd_watchdog_enabled(3)` recommends: a word may be late by half the time before we are
/// taken for dead, and an idle loop is woken no more often than it must.
struct Watchdog: Equatable {
  /// From one word to the next.
  let interval: Duration
  /// When the next word is due.
  private(set) var nextDeadline: Duration

  /// What an environment asks of the process with this id; `nil` if nothing, or what is no time.
  ///
  /// The first word is due at once.
  init?(environment: [String: String], processID: Int32, at now: Duration) {
    // The largest is a day: nobody means more, and it can be added to any time.
    guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text),
      (1...86_400_000_000).contains(microseconds)
    else { return nil }
    // Of a process that has started us, and meant itself.
    if let asked = environment["WATCHDOG_PID"], asked != "\(processID)" { return nil }
    interval = .microseconds(microseconds) / 2
    nextDeadline = now
  }

  /// Time has passed: whether a word is due, which then counts as said.
  mutating func deadline(at now: Duration) -> Bool {
    guard now >= nextDeadline else { return false }
    nextDeadline = now + interval
    return true
  }
}
