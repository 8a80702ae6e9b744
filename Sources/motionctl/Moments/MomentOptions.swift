import ArgumentParser
import MotionCore
import MotionHistory
import MotionModel

/// The moment that a command asks about, instead of a daemon's present: of a recording, or of the daemon's history.
struct MomentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Ask about a recording, and no daemon.", valueName: "file"), completion: .file())
  var recording: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A moment of the daemon's last minutes, or of the recording (default: its end): 12.5s, -30s, 01:58:12.",
      valueName: "moment"),
    transform: parsedMoment)
  var at: RecordedMoment?

  @Option(help: ArgumentHelp("The moment after this frame.", valueName: "number"))
  var frame: UInt64?

  func validate() throws {
    guard at == nil || frame == nil else { throw ValidationError("name one moment: --at or --frame") }
  }

  /// The moment, if one is named.
  var moment: RecordedMoment? { at ?? frame.map { .frame($0) } }

  /// The recording at the moment, or the daemon's history at it; `nil` if its present is meant. In a shell, that of `at`
  /// is meant without an option.
  func timeline(_ connection: ConnectionOptions) throws(Failure) -> Timeline? {
    guard let timeline = try found(connection) else { return nil }
    if let moment, timeline.stands(at: moment) {
      Console().note(
        "note: nothing moved then: time was paused or held, or motiond did not run. This is the last frame before")
    }
    return timeline
  }

  private func found(_ connection: ConnectionOptions) throws(Failure) -> Timeline? {
    if let recording { return try Timeline.opened(recording, at: moment) }
    if let past = ShellSession.current?.past { return try past.visit(moment) }
    guard let moment else { return nil }
    return try DaemonHistory(connection).timeline(at: moment)
  }
}

/// A part of a recording, or of a daemon's history.
struct SpanOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the part begins: 12.5s, -30s, 01:58:12 (default: at the beginning).", valueName: "moment"),
    transform: parsedMoment)
  var from: RecordedMoment?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it ends (default: at the end).", valueName: "moment"), transform: parsedMoment)
  var to: RecordedMoment?

  @Option(
    help: ArgumentHelp("The last part of this duration: 30s, 5min.", valueName: "duration"), transform: parsedLast)
  var last: RecordedMoment?

  func validate() throws {
    guard last == nil || from == nil else { throw ValidationError("name one beginning: --from or --last") }
    guard case .simulated(let from)? = from, case .simulated(let to)? = to, from > to else { return }
    throw ValidationError("the part begins after its end: --from is later than --to")
  }

  /// Whether it is the whole recording.
  var isWhole: Bool { from == nil && to == nil && last == nil }

  /// Where it begins; `nil` for the beginning.
  var beginning: RecordedMoment? { from ?? last }

  /// The recording with the part, or that of the daemon's history. In a shell, that of `at` is meant without an option.
  func part(
    of recording: String?, _ connection: ConnectionOptions
  ) throws(Failure) -> (timeline: Timeline, before: UInt64, last: UInt64) {
    guard let timeline = try Self.timeline(of: recording) else {
      let part = try DaemonHistory(connection).part(self)
      return (part.timeline, part.before, part.last)
    }
    let (before, last) = try frames(of: timeline)
    return (timeline, before, last)
  }

  /// The recording with the seconds up to a moment, or that of the daemon's history.
  static func part(
    leadingTo moment: RecordedMoment, seconds: Double, of recording: String?, _ connection: ConnectionOptions
  ) throws(Failure) -> (timeline: Timeline, before: UInt64, last: UInt64) {
    guard let timeline = try timeline(of: recording) else {
      let part = try DaemonHistory(connection).part(leadingTo: moment, seconds: seconds)
      return (part.timeline, part.before, part.last)
    }
    return try readingHistory { () throws(HistoryError) in
      try timeline.seek(to: moment, .before)
      let last = timeline.runtime.frame
      let beginning = RecordedMoment.simulated(max(0, last.time - seconds))
      return (timeline, before: try timeline.frame(at: beginning, .after) - 1, last.number)
    }
  }

  /// The recording, in a shell that of `at` if none is named; `nil` if the daemon's history is meant.
  private static func timeline(of recording: String?) throws(Failure) -> Timeline? {
    if let recording { return try Timeline.opened(recording) }
    guard let past = ShellSession.current?.past, !past.isInHistory else { return nil }
    return past.timeline
  }

  /// The frame before the part, and its last frame.
  func frames(of timeline: Timeline) throws(Failure) -> (before: UInt64, last: UInt64) {
    let (from, to) = (beginning, to)
    return try readingHistory { () throws(HistoryError) in
      let frames = try timeline.times.frames
      let (first, last) = (frames.first?.number ?? 1, frames.last?.number ?? 0)
      return (
        before: try from.map { moment throws(HistoryError) in try timeline.frame(at: moment, .after) - 1 } ?? first - 1,
        last: try to.map { moment throws(HistoryError) in try timeline.frame(at: moment, .before) } ?? last
      )
    }
  }
}

/// Reads a moment.
func parsedMoment(_ text: String) throws -> RecordedMoment {
  guard let moment = RecordedMoment(parsing: text) else {
    throw ValidationError("write a moment such as 12.5s, -30s, 01:58:12 or 2026-11-26T01:58:12")
  }
  return moment
}

/// Reads `--last`.
private func parsedLast(_ text: String) throws -> RecordedMoment {
  let minutes = text.hasSuffix("min") ? Double(text.dropLast(3)) : nil
  let seconds = minutes.map { $0 * 60 } ?? Double(text) ?? DurationText.duration(of: text)?.inSeconds
  guard let seconds, seconds > 0, seconds.isFinite else {
    throw ValidationError("write a duration such as 30s or 5min")
  }
  return .beforeEnd(seconds)
}
