import MotionModel

/// Converts simulated times to the daemon's wall clock, provided that its clocks continue to run as they do now.
struct DueTimes {
  /// Both clocks at one time, and the simulated seconds per second; `nil` while no conversion is possible.
  private let now: (moment: Moment, speed: Double)?
  /// The simulated time of the last frame.
  private let time: Double

  /// - Parameters:
  ///   - moment: both clocks at one time; `nil` from a daemon that does not send them.
  ///   - clock: the state of the clock at that time; while it is paused nothing is due.
  init(_ moment: Moment?, _ clock: ClockState) {
    time = clock.time
    now = clock.stands || clock.speed <= 0 ? nil : moment.map { ($0, clock.speed) }
  }

  /// Whether this simulated time has come, so that the next frame applies what waits for it. While time is paused, frames
  /// run only with `step`.
  func hasCome(_ time: Double) -> Bool { time <= self.time }

  /// The wall-clock time of a simulated time, as text; `nil` if it is unknown.
  func text(at time: Double) -> String? {
    guard let now, let rest = Int64(exactly: ((time - now.moment.time) / now.speed * 1e9).rounded()) else { return nil }
    let (due, overflows) = now.moment.wallTime.addingReportingOverflow(rest)
    return overflows ? nil : WallTimeText.text(due)
  }
}
