import MotionCore
import MotionHistory
import MotionModel

extension Timeline {
  /// Goes to a moment, or to the end.
  func seek(toMoment moment: RecordedMoment?) throws(Failure) {
    try readingHistory { () throws(HistoryError) in try seek(to: moment ?? .beforeEnd(0), .before) }
  }

  /// The present place, for people.
  var place: String {
    let frame = runtime.frame
    let wall = clocks.map { " (\(WallTimeText.text($0.wallTime)))" } ?? ""
    return "\(file) at frame \(frame.number), \(NumberText.fixed(frame.time, digits: 3)) s\(wall)"
  }

  /// The answer to a query at the present place.
  func answer(_ query: Query) throws(Failure) -> Answer {
    do {
      if let answer = try runtime.answer(query) { return answer }
    } catch {
      // The runtime of a recording gives the remedies of a library.
      let isForPrograms = error.code == .notFound && error.remedy.hasPrefix("Runtime.")
      throw Failure(.refused, "\(place): \(error.message)", remedy: isForPrograms ? listing : error.remedy)
    }
    throw Failure(
      .usage, "\(isInHistory ? "the history" : "a recording") does not contain that",
      remedy: "ask the daemon about its present: omit \(isInHistory ? "--at and --frame" : "--recording")")
  }

  /// Whether it is a part of a daemon's history.
  private var isInHistory: Bool { if case .bytes = source { true } else { false } }

  /// The command that lists the targets at the present place.
  private var listing: String {
    let recording = isInHistory ? "" : " --recording \(file)"
    return "list the targets: motionctl list targets\(recording) --frame \(runtime.frame.number)"
  }

  /// The times of all frames; it fails if the recording is damaged.
  func wholeTimes() throws(Failure) -> RecordedTimes {
    try checkDamage()
    return try readingHistory { () throws(HistoryError) in try times }
  }

  /// Fails if the recording is damaged.
  func checkDamage() throws(Failure) {
    if let damage = try readingHistory({ () throws(HistoryError) in try damage }) { throw Failure(damage) }
  }

  /// Goes to the state after a frame.
  func go(to number: UInt64) throws(Failure) {
    try readingHistory { () throws(HistoryError) in try seek(to: number) }
  }

  /// Replays the next frame; `nil` after the last one.
  func advance() throws(Failure) -> RecordingCursor.Played? {
    try readingHistory { () throws(HistoryError) in try next() }
  }
}
