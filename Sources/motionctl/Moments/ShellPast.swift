import MotionCore
import MotionHistory
import MotionModel

/// The moment of a recording at which a shell stands: commands that ask answer from there.
final class ShellPast {
  /// The recording.
  let timeline: Timeline
  private var frame: UInt64

  /// Opens a recording at a moment; at its end without one.
  init(_ file: String, at moment: RecordedMoment?) throws(Failure) {
    timeline = try Timeline.opened(file)
    try timeline.seek(toMoment: moment)
    frame = timeline.runtime.frame.number
  }

  /// Goes to another moment, and stays there.
  func move(to moment: RecordedMoment) throws(Failure) {
    try timeline.seek(toMoment: moment)
    frame = timeline.runtime.frame.number
  }

  /// Goes back to the moment at which the shell stands.
  func visit() throws(Failure) { try visit(.frame(frame)) }

  /// Goes to another moment for one command.
  func visit(_ moment: RecordedMoment) throws(Failure) { try timeline.seek(toMoment: moment) }

  /// The moment in the prompt: the wall time, or the simulated time if the recording has none.
  var shown: String {
    timeline.times.entry(of: frame).map { entry in
      entry.wallTime.map { String(WallTimeText.text($0).dropFirst(11).dropLast(5)) }
        ?? "\(NumberText.fixed(entry.time, digits: 3)) s"
    } ?? "frame \(frame)"
  }
}
