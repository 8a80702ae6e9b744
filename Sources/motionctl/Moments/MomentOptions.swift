import ArgumentParser
import MotionCore
import MotionHistory
import MotionModel

/// The moment of a recording that a command asks about, instead of a daemon's present.
struct MomentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Ask about a recording, and no daemon.", valueName: "file"), completion: .file())
  var recording: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A moment of the recording: 12.5s, -30s, 01:58:12 (default: its end).", valueName: "moment"),
    transform: parsedMoment)
  var at: RecordedMoment?

  @Option(help: ArgumentHelp("The moment after this frame.", valueName: "number"))
  var frame: UInt64?

  func validate() throws {
    guard at == nil || frame == nil else { throw ValidationError("name one moment: --at or --frame") }
    guard at == nil && frame == nil || recording != nil || ShellSession.current?.past != nil else {
      throw ValidationError("--at and --frame are moments of a recording: name it with --recording FILE")
    }
  }

  /// The moment, if one is named.
  var moment: RecordedMoment? { at ?? frame.map { .frame($0) } }

  /// The recording at the moment; `nil` if the daemon is meant. In a shell, that of `at` is meant without an option.
  func timeline() throws(Failure) -> Timeline? {
    guard let recording else {
      guard let past = ShellSession.current?.past else { return nil }
      if let moment { try past.visit(moment) } else { try past.visit() }
      return past.timeline
    }
    let timeline = try Timeline.opened(recording)
    try timeline.seek(toMoment: moment)
    return timeline
  }
}

/// A part of a recording.
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

  /// The frame before the part, and its last frame.
  func frames(of timeline: Timeline) throws(Failure) -> (before: UInt64, last: UInt64) {
    let first = timeline.times.frames.first?.number ?? 1
    let last = timeline.times.frames.last?.number ?? 0
    let (from, to) = (from ?? self.last, to)
    return try readingHistory { () throws(HistoryError) in
      (
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
