import MotionModel

/// A moment of a recording, as people state it: `12.5s` of simulated time, `-30s` before the end, `01:58:12` or
/// `2026-11-26T01:58:12` on the wall clock in UTC, or the number of a frame.
public enum RecordedMoment: Hashable, Sendable, CustomStringConvertible {
  /// The frame of this number.
  case frame(UInt64)
  /// A simulated time, in seconds.
  case simulated(Double)
  /// So many seconds of simulated time before the last frame.
  case beforeEnd(Double)
  /// Seconds since midnight, and the day in days since 1970 if it was stated.
  case wall(Double, day: Int?)

  /// Which frame is meant when a moment lies between two.
  public enum Side: Sendable {
    /// The last one before it: its state is that of the moment.
    case before
    /// The first one after it.
    case after
  }

  /// Reads a moment; `nil` if the text is none.
  public init?(parsing text: String) {
    if text.contains(":") {
      guard let wall = Self.wall(text) else { return nil }
      self = wall
      return
    }
    let isBeforeEnd = text.hasPrefix("-")
    let amount = isBeforeEnd ? String(text.dropFirst()) : text
    guard let seconds = Double(amount) ?? DurationText.duration(of: amount)?.inSeconds, seconds >= 0, seconds.isFinite
    else { return nil }
    self = isBeforeEnd ? .beforeEnd(seconds) : .simulated(seconds)
  }

  /// The moment, for people.
  public var description: String {
    switch self {
    case .frame(let number): "frame \(number)"
    case .simulated(let seconds): "\(RecordedTimes.text(seconds))"
    case .beforeEnd(let seconds): "\(RecordedTimes.text(seconds)) before the end"
    case .wall(let seconds, _): Self.clock(seconds)
    }
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    let parts = [whole / 3600, whole / 60 % 60, whole % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return parts.joined(separator: ":") + " UTC"
  }

  private static func wall(_ text: String) -> RecordedMoment? {
    var text = Substring(text)
    if text.hasSuffix("Z") { text = text.dropLast() }
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count), let last = halves.last else { return nil }
    let parts = last.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hours = Int(parts[0]), let minutes = Int(parts[1]),
      let seconds = parts.count == 3 ? Double(parts[2]) : 0, (0..<24).contains(hours), (0..<60).contains(minutes),
      seconds >= 0, seconds < 61
    else { return nil }
    let ofDay = Double(hours * 3600 + minutes * 60) + seconds
    guard halves.count == 2 else { return .wall(ofDay, day: nil) }
    let numbers = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      let days = WallTimeText.days(toYear: year, month: month, day: day)
    else { return nil }
    return .wall(ofDay, day: Int(days))
  }

  /// Finds the frame at that moment.
  ///
  /// - Throws: when the recording has no such moment, or the wall clock showed it more than once.
  public func frame(in times: RecordedTimes, _ side: Side = .after) throws(HistoryError) -> UInt64 {
    if side == .before, let beginning = times.beginning, isInBeginning(of: times, beginning) { return beginning.number }
    guard let last = times.frames.last else {
      throw HistoryError("\(times.file) has no frame", remedy: "record while something moves")
    }
    if case .wall = self, times.frames.allSatisfy({ $0.wallTime == nil }) {
      throw HistoryError(
        "\(times.file) has no wall times: it is of format 1", remedy: "give the simulated time: --at 12.5s")
    }
    let found = places(in: times.frames)
    guard let first = found.first, side == .after || !isBeforeBeginning(of: times, last) else {
      throw HistoryError(
        "\(times.file) does not contain \(self)",
        remedy: "it has the frames \(times.frames[0].number) to \(last.number), \(times.span)")
    }
    guard found.count == 1 else {
      let candidates = found.prefix(8).map { place in
        "frame \(times.frames[place].number) at \(times.frames[place].wallTime.map(WallTimeText.text) ?? "-")"
      }
      throw HistoryError(
        "the wall clock showed \(self) more than once: \(candidates.joined(separator: ", "))",
        remedy: "give the frame: --frame \(times.frames[first].number)")
    }
    return times.frames[side == .before && first > 0 && isBefore(times.frames[first], last) ? first - 1 : first].number
  }

  /// Whether the moment lies before the first frame, or there is none, and not before the state of the beginning.
  private func isInBeginning(of times: RecordedTimes, _ beginning: RecordedTimes.Entry) -> Bool {
    let first = times.frames.first
    switch self {
    case .frame(let number): return number == beginning.number && first?.number == number + 1
    case .simulated(let seconds): return seconds >= beginning.time && first.map { seconds < $0.time } ?? true
    case .beforeEnd(let seconds):
      guard let first, let last = times.frames.last else { return seconds == 0 }
      return last.time - seconds >= beginning.time && last.time - seconds < first.time
    case .wall: return false
    }
  }

  /// Whether a simulated time lies before the state with which the recording begins.
  private func isBeforeBeginning(of times: RecordedTimes, _ last: RecordedTimes.Entry) -> Bool {
    guard let beginning = times.beginning else { return false }
    switch self {
    case .simulated(let seconds): return seconds < beginning.time
    case .beforeEnd(let seconds): return last.time - seconds < beginning.time
    case .frame, .wall: return false
    }
  }

  /// Whether the moment lies before a frame, and is not just that of the frame.
  private func isBefore(_ frame: RecordedTimes.Entry, _ last: RecordedTimes.Entry) -> Bool {
    switch self {
    case .frame: false
    case .simulated(let seconds): seconds < frame.time
    case .beforeEnd(let seconds): last.time - seconds < frame.time
    case .wall(let seconds, let day):
      frame.wallTime.map { Self.time(of: seconds, day, on: $0) < Double($0) / 1e9 } ?? false
    }
  }

  /// The first frames at that moment or after it: several if the wall clock showed it repeatedly.
  private func places(in frames: [RecordedTimes.Entry]) -> [Int] {
    switch self {
    case .frame(let number): frames.firstIndex { $0.number == number }.map { [$0] } ?? []
    case .simulated(let seconds): frames.firstIndex { $0.time >= seconds }.map { [$0] } ?? []
    case .beforeEnd(let seconds):
      frames.firstIndex { $0.time >= (frames.last?.time ?? 0) - seconds }.map { [$0] } ?? []
    case .wall(let seconds, let day): Self.crossings(of: seconds, day, in: frames)
    }
  }

  /// The frames at which the wall clock reached a time of day, on that day or on any.
  private static func crossings(of seconds: Double, _ day: Int?, in frames: [RecordedTimes.Entry]) -> [Int] {
    var found: [Int] = []
    for (index, frame) in frames.enumerated() {
      guard let wall = frame.wallTime else { continue }
      let before = index > 0 ? frames[index - 1].wallTime ?? wall : wall - 1_000_000_000
      let time = time(of: seconds, day, on: wall)
      if Double(before) / 1e9 < time, time <= Double(wall) / 1e9 { found.append(index) }
    }
    return found
  }

  /// A time of day in seconds since 1970: on a day, or on that of a wall time.
  private static func time(of seconds: Double, _ day: Int?, on wall: Int64) -> Double {
    (day.map { Double($0) } ?? (Double(wall) / 1e9 / 86_400).rounded(.down)) * 86_400 + seconds
  }
}
