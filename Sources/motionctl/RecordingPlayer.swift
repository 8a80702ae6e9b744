import MotionCore
import MotionHistory
import MotionModel
import MotionWire

/// Replays the frames of a recording, one after the other.
struct RecordingPlayer {
  /// The recording.
  let file: String

  /// Replays all frames.
  ///
  /// - Parameters:
  ///   - prepare: prepares the runtime before the first frame.
  ///   - hear: called after each frame.
  /// - Returns: the place at which the recording stops.
  func play(
    prepare: (RecordingHeader, Runtime) -> Void = { _, _ in }, _ hear: (RecordingCursor.Played) -> Void
  ) throws(Failure) -> RecordingReader.End {
    let cursor = try RecordingCursor.opened(file)
    prepare(cursor.header, cursor.runtime)
    while let played = try readingHistory({ () throws(HistoryError) in try cursor.next() }) { hear(played) }
    return cursor.end
  }
}

extension RecordingCursor {
  /// Opens a recording; in a shell, Ctrl-C ends the reading.
  static func opened(_ file: String) throws(Failure) -> RecordingCursor {
    try checkRecording(file)
    return try readingHistory { () throws(HistoryError) in
      try RecordingCursor(file) { ShellSession.current?.isInterrupted ?? false }
    }
  }
}

extension Timeline {
  /// Opens a recording at a moment, or at its end; in a shell, Ctrl-C ends the reading.
  static func opened(_ file: String, at moment: RecordedMoment?) throws(Failure) -> Timeline {
    try checkRecording(file)
    return try readingHistory { () throws(HistoryError) in
      try Timeline(file, at: moment ?? .beforeEnd(0), .before) { ShellSession.current?.isInterrupted ?? false }
    }
  }

  /// Opens a recording; in a shell, Ctrl-C ends the reading.
  static func opened(_ file: String) throws(Failure) -> Timeline {
    try checkRecording(file)
    return try readingHistory { () throws(HistoryError) in
      try Timeline(file) { ShellSession.current?.isInterrupted ?? false }
    }
  }
}

/// Checks that the name is not that of standard input: reading a recording starts at its end, and jumps.
private func checkRecording(_ file: String) throws(Failure) {
  guard file != "-" else {
    throw Failure(
      .usage, "a recording is not read from standard input", remedy: "write it to a file first, and name that")
  }
}

/// Reads from a recording, and converts its error into a failure of the command.
func readingHistory<Value>(_ body: () throws(HistoryError) -> Value) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(error)
  }
}
