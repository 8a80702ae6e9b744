import MotionModel

/// How time runs, for people and for programs.
enum ClockText {
  /// Prints what was done and how time runs now.
  static func print(_ clock: ClockState, _ done: String, _ reading: ReadingOptions) {
    let console = Console()
    if reading.json { return console.print(JSONOutput(clock).line) }
    let state = clock.isPaused ? "time is paused" : "time runs at speed \(JSONText.number(clock.speed))"
    console.print("\(done) at \(NumberText.fixed(clock.time, digits: 3)) s; \(state).")
  }
}
