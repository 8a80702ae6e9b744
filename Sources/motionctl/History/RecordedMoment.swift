import Glibc
import MotionModel

/// A moment of a recording, as people state it: `12.5s` of simulated time, `-30s` before the end, `01:58:12` or
/// `2026-11-26T01:58:12` on the wall clock in UTC, or the number of a frame.
enum RecordedMoment: Equatable, CustomStringConvertible {
  case frame(UInt64)
  case simulated(Double)
  case beforeEnd(Double)
  /// Seconds since midnight, and the day in days since 1970 if it was stated.
  case wall(Double, day: Int?)

  /// Reads a moment; `nil` if the text is none.
  init?(parsing text: String) {
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

  var description: String {
    switch self {
    case .frame(let number): "frame \(number)"
    case .simulated(let seconds): "\(NumberText.fixed(seconds, digits: 3)) s"
    case .beforeEnd(let seconds): "\(NumberText.fixed(seconds, digits: 3)) s before the end"
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
    let numbers = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (year - 1900, month - 1, day)
    return .wall(ofDay, day: Int(timegm(&date) / 86_400))
  }

  /// Finds the frame: the first one at that moment or after it.
  ///
  /// - Throws: when the recording has no such moment, or the wall clock showed it more than once.
  func frame(in times: RecordedTimes) throws(Failure) -> UInt64 {
    guard let last = times.frames.last else {
      throw Failure(.failure, "\(times.file) has no frame", remedy: "record while something moves")
    }
    var found: [RecordedTimes.Entry]
    switch self {
    case .frame(let number): found = times.frames.filter { $0.number == number }
    case .simulated(let seconds): found = times.frames.first { $0.time >= seconds }.map { [$0] } ?? []
    case .beforeEnd(let seconds): found = times.frames.first { $0.time >= last.time - seconds }.map { [$0] } ?? []
    case .wall(let seconds, let day): found = Self.crossings(of: seconds, day, in: times.frames)
    }
    if case .wall = self, times.frames.allSatisfy({ $0.wallTime == nil }) {
      throw Failure(
        .failure, "\(times.file) has no wall times: it is of format 1", remedy: "give the simulated time: --at 12.5s")
    }
    guard let first = found.first else {
      throw Failure(
        .failure, "\(times.file) does not contain \(self)",
        remedy: "it has the frames \(times.frames[0].number) to \(last.number), \(times.span)")
    }
    guard found.count == 1 else {
      let candidates = found.prefix(8).map { "frame \($0.number) at \($0.wallTime.map(WallTimeText.text) ?? "-")" }
      throw Failure(
        .failure, "the wall clock showed \(self) more than once: \(candidates.joined(separator: ", "))",
        remedy: "give the frame: --frame \(first.number)")
    }
    return first.number
  }

  /// The frames at which the wall clock reached a time of day, on that day or on any.
  private static func crossings(
    of seconds: Double, _ day: Int?, in frames: [RecordedTimes.Entry]
  ) -> [RecordedTimes.Entry] {
    var found: [RecordedTimes.Entry] = []
    for (index, frame) in frames.enumerated() {
      guard let wall = frame.wallTime else { continue }
      let before = index > 0 ? frames[index - 1].wallTime ?? wall : wall - 1_000_000_000
      let present = Double(wall) / 1e9
      let days = day.map { Double($0) } ?? (present / 86_400).rounded(.down)
      let time = days * 86_400 + seconds
      if Double(before) / 1e9 < time, time <= present { found.append(frame) }
    }
    return found
  }
}

/// The times of all frames of a recording, and the transactions in it; nothing is replayed for them.
struct RecordedTimes {
  struct Entry {
    let number: UInt64
    let time: Double
    let wallTime: Int64?
  }

  let file: String
  private(set) var frames: [Entry] = []
  /// The transactions that were applied, and those of the plans with which it begins.
  private(set) var sequences: Set<UInt64> = []

  /// The times of these frames.
  init(_ file: String, _ frames: [Entry]) { (self.file, self.frames) = (file, frames) }

  /// Reads a recording to its end.
  init(of cursor: RecordingCursor) throws(Failure) {
    file = cursor.file
    sequences = Set(cursor.header.checkpoint?.plans.map(\.identity.sequence) ?? [])
    while let recorded = try cursor.skip() {
      frames.append(
        Entry(number: recorded.frame.number, time: recorded.frame.time, wallTime: recorded.clocks?.wallTime))
      for case .commit(let sequence, _) in recorded.betweenFrames + recorded.events {
        sequences.insert(sequence)
      }
    }
  }

  /// The first and the last time, for people.
  fileprivate var span: String {
    guard let first = frames.first, let last = frames.last else { return "no time" }
    let walls = [first, last].compactMap(\.wallTime).map(WallTimeText.text)
    let seconds = "\(NumberText.fixed(first.time, digits: 3)) s to \(NumberText.fixed(last.time, digits: 3)) s"
    return walls.count == 2 ? "\(seconds), \(walls[0]) to \(walls[1])" : seconds
  }
}
