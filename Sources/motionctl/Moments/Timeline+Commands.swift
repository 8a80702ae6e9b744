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
      throw Failure(.refused, "\(place): \(error.message)", remedy: error.remedy)
    }
    throw Failure(.usage, "a recording does not contain that", remedy: "ask the daemon: omit --recording")
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
