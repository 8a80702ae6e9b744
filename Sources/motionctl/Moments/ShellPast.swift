import MotionCore
import MotionHistory
import MotionModel

/// The moment of a recording, or of the daemon's history, at which a shell stands: commands that ask answer from there.
final class ShellPast {
  /// The recording, or the part of the history around the moment.
  private(set) var timeline: Timeline
  /// Whether it is the daemon's history, of which every moment may be in another part.
  let isInHistory: Bool
  private let connection: ConnectionOptions
  /// The frame after which it stands, and its wall time.
  private var place: (frame: Frame, wallTime: Int64?)

  /// Opens a recording at a moment; at its end without one.
  ///
  /// - Parameter file: its path; `nil` for the history of the shell's daemon.
  init(_ file: String?, at moment: RecordedMoment?, _ connection: ConnectionOptions) throws(Failure) {
    isInHistory = file == nil
    self.connection = connection
    if let file {
      timeline = try Timeline.opened(file, at: moment)
    } else {
      timeline = try DaemonHistory(connection).timeline(at: moment ?? .beforeEnd(0))
    }
    place = (timeline.runtime.frame, timeline.clocks?.wallTime)
  }

  /// Goes to another moment, and stays there.
  func move(to moment: RecordedMoment) throws(Failure) {
    timeline = try visit(moment)
    place = (timeline.runtime.frame, timeline.clocks?.wallTime)
  }

  /// The recording at another moment for one command, or at the moment at which the shell stands.
  func visit(_ moment: RecordedMoment?) throws(Failure) -> Timeline {
    if isInHistory, let moment { return try DaemonHistory(connection).timeline(at: moment) }
    try timeline.seek(toMoment: moment ?? .frame(place.frame.number))
    return timeline
  }

  /// The moment in the prompt: the wall time, or the simulated time if the recording has none.
  var shown: String {
    guard place.frame.number > 0 else { return "frame 0" }
    return place.wallTime.map { String(WallTimeText.text($0).dropFirst(11).dropLast(5)) }
      ?? "\(NumberText.fixed(place.frame.time, digits: 3)) s"
  }
}
