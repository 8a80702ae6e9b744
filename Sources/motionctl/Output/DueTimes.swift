import MotionModel

/// When simulated times come by the daemon's wall clock, if its clocks run on as they do now.
struct DueTimes {
  /// What both clocks said, and how many simulated seconds pass in a second; `nil` while that cannot be told.
  private let now: (moment: Moment, speed: Double)?

  /// - Parameters:
  ///   - moment: both clocks at one time; `nil` from a daemon that does not send them.
  ///   - clock: how simulated time runs then; while it is paused nothing is due.
  init(_ moment: Moment?, _ clock: ClockState) {
    now = clock.isPaused || clock.speed <= 0 ? nil : moment.map { ($0, clock.speed) }
  }

  /// The wall clock at a simulated time, as text; `nil` if that cannot be told.
  func text(at time: Double) -> String? {
    guard let now, let rest = Int64(exactly: ((time - now.moment.time) / now.speed * 1e9).rounded()) else { return nil }
    let (due, overflows) = now.moment.wallTime.addingReportingOverflow(rest)
    return overflows ? nil : WallTimeText.text(due)
  }
}
