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

  /// Finds the frame at that moment. After the last frame, as long as nothing has moved since, its state is that of the
  /// moment, and the first frame after it is the next, which is not there.
  ///
  /// - Throws: when the recording has no such moment, or the wall clock showed it more than once.
  public func frame(in times: RecordedTimes, _ side: Side = .after) throws(HistoryError) -> UInt64 {
    let end = max(times.last?.time ?? 0, times.now?.time ?? 0)
    if let end = atEnd(end) { return try end.frame(in: times, side) }
    if side == .before, let beginning = times.beginning, isInBeginning(of: times, beginning) { return beginning.number }
    guard let last = times.last else {
      throw HistoryError("\(times.file) has no frame", remedy: "record while something moves")
    }
    if case .wall = self, last.wallTime == nil, times.frames.allSatisfy({ $0.wallTime == nil }) {
      throw HistoryError(
        "\(times.file) has no wall times: it is of format 1", remedy: "give the simulated time: --at 12.5s")
    }
    let found = candidates(in: times)
    guard let first = found.first, side == .after || !isBeforeBeginning(of: times, last) else {
      throw HistoryError(
        "\(times.file) does not contain \(self)",
        remedy: "it has the frames \((times.frames.first ?? last).number) to \(last.number), \(times.span)")
    }
    guard found.count == 1 else { throw ambiguity(found) }
    return side == .before ? first.before : first.after
  }

  /// The end, if the moment is after it by less than times are rounded by where they are shown.
  func atEnd(_ end: Double) -> RecordedMoment? {
    guard case .simulated(let seconds) = self, seconds > end, seconds - end < 0.0006 else { return nil }
    return .simulated(end)
  }

  /// A place that the moment may mean.
  struct Candidate {
    /// The last frame whose state is that of the moment.
    let before: UInt64
    /// The first frame then or later.
    let after: UInt64
    /// The wall clock at the frame, if it is known.
    let wallTime: Int64?
  }

  /// The places that the moment may mean: several if the wall clock showed it repeatedly.
  func candidates(in times: RecordedTimes) -> [Candidate] {
    guard let last = times.last else { return [] }
    var found = places(in: times).map { index in
      let frame = times.frames[index]
      let previous = index > 0 ? times.frames[index - 1] : times.beginning?.wallTime == nil ? nil : times.beginning
      return Candidate(
        before: isBefore(frame, last) ? previous?.number ?? frame.number : frame.number, after: frame.number,
        wallTime: frame.wallTime)
    }
    if let now = times.now, isBetween(last, now) {
      found.append(Candidate(before: last.number, after: last.number + 1, wallTime: last.wallTime))
    }
    return found
  }

  /// The error when the wall clock showed the moment at several places.
  func ambiguity(_ found: [Candidate]) -> HistoryError {
    let candidates = found.prefix(8).map { "frame \($0.after) at \($0.wallTime.map(WallTimeText.text) ?? "-")" }
    return HistoryError(
      "the wall clock showed \(self) more than once: \(candidates.joined(separator: ", "))",
      remedy: found.first.map { "give the frame: --frame \($0.after)" } ?? "")
  }

  /// Whether the moment lies before the first frame, or there is none, and not before the state of the beginning.
  private func isInBeginning(of times: RecordedTimes, _ beginning: RecordedTimes.Entry) -> Bool {
    let first = times.frames.first
    switch self {
    case .frame(let number): return number == beginning.number && first.map { $0.number == number + 1 } ?? true
    case .simulated(let seconds):
      let end = first?.time.nextDown ?? times.now.map { max($0.time, beginning.time) } ?? .infinity
      return seconds >= beginning.time && seconds <= end
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
      frame.wallTime.map { Self.time(of: seconds, day, until: $0) < Double($0) / 1e9 } ?? false
    }
  }

  /// Whether the moment lies after the last frame, and not after the present.
  private func isBetween(_ last: RecordedTimes.Entry, _ now: Moment) -> Bool {
    switch self {
    case .frame, .beforeEnd: false
    case .simulated(let seconds): seconds > last.time && seconds <= now.time
    case .wall(let seconds, let day):
      last.wallTime.map { Self.isShown(seconds, day, after: $0, through: now.wallTime) } ?? false
    }
  }

  /// Whether a wall clock that runs from one time to another shows a time of day, on that day or on any.
  static func isShown(_ seconds: Double, _ day: Int?, after first: Int64, through last: Int64) -> Bool {
    let time = time(of: seconds, day, until: last)
    return Double(first) / 1e9 < time && time <= Double(last) / 1e9
  }

  /// The first frames at that moment or after it: several if the wall clock showed it repeatedly.
  private func places(in times: RecordedTimes) -> [Int] {
    let frames = times.frames
    return switch self {
    case .frame(let number): frames.firstIndex { $0.number == number }.map { [$0] } ?? []
    case .simulated(let seconds): frames.firstIndex { $0.time >= seconds }.map { [$0] } ?? []
    case .beforeEnd(let seconds):
      frames.firstIndex { $0.time >= (frames.last?.time ?? 0) - seconds }.map { [$0] } ?? []
    case .wall(let seconds, let day): Self.crossings(of: seconds, day, in: times)
    }
  }

  /// The frames at which the wall clock reached a time of day, on that day or on any.
  private static func crossings(of seconds: Double, _ day: Int?, in times: RecordedTimes) -> [Int] {
    var found: [Int] = []
    var before = times.beginning?.wallTime
    for (index, frame) in times.frames.enumerated() {
      guard let wall = frame.wallTime else {
        before = nil
        continue
      }
      if isShown(seconds, day, after: before ?? (index > 0 ? wall : wall - 1_000_000_000), through: wall) {
        found.append(index)
      }
      before = wall
    }
    return found
  }

  /// A time of day in seconds since 1970: on a day, or when it came last until a wall time.
  private static func time(of seconds: Double, _ day: Int?, until wall: Int64) -> Double {
    (day.map { Double($0) } ?? ((Double(wall) / 1e9 - seconds) / 86_400).rounded(.down)) * 86_400 + seconds
  }
}
