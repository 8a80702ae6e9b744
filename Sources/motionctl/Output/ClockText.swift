import MotionModel

/// The state of the clock, for people and for programs.
enum ClockText {
  /// Prints a description of the action, and the state of the clock.
  ///
  /// - Parameter moment: when the daemon answered; `nil` from one that does not send it.
  static func print(_ clock: ClockState, _ done: String, at moment: Moment?, _ reading: ReadingOptions) {
    let console = Console()
    if reading.json { return console.print(JSONOutput(clock, at: moment).line) }
    let state = clock.isPaused ? "time is paused" : "time runs at speed \(JSONText.number(clock.speed))"
    let wall = moment.map { " (\(WallTimeText.text($0.wallTime)))" } ?? ""
    console.print("\(done) at \(NumberText.fixed(clock.time, digits: 3)) s\(wall); \(state).")
  }
}
