import MotionFiles
import MotionModel

/// The state of the clock, for people and for programs.
enum ClockText {
  /// Prints a description of the action, and the state of the clock.
  ///
  /// - Parameters:
  ///   - moment: when the daemon answered; `nil` from one that does not send it.
  ///   - targets: how many targets a selector stands for; `nil` without one.
  ///   - unkept: why a restart would undo the action; empty if it is kept. People read it on standard error.
  static func print(
    _ clock: ClockState, _ done: String, at moment: Moment?, unkept: String = "", targets: Int? = nil,
    _ reading: ReadingOptions
  ) {
    let console = Console()
    if reading.json {
      let answer = JSONOutput(clock, at: moment, unkept: unkept)
      return console.print(targets.map { answer.joined(with: ["targets": .count($0)]) }?.line ?? answer.line)
    }
    defer {
      if !unkept.isEmpty {
        console.note(
          "warning: it is not stored, and a restart of motiond before it can be stored undoes it: \(unkept)")
      }
    }
    let state =
      clock.hold != nil
      ? "motion is held" : clock.isPaused ? "time is paused" : "time runs at speed \(JSONText.number(clock.speed))"
    let wall = moment.map { " (\(WallTimeText.text($0.wallTime)))" } ?? ""
    console.print("\(done) at \(NumberText.fixed(clock.time, digits: 3)) s\(wall); \(state).")
  }
}
