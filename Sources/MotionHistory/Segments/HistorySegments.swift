public import MotionModel

/// The segments of a daemon's history, and which of them continue one another.
///
/// A segment continues the one before it if it begins with the state after a frame of that: usually the last or, after a
/// kill of the daemon, an earlier one. It is then right from its beginning on. Segments that continue one another are a
/// stretch; between two stretches the run began again, or nothing was kept for a while.
public struct HistorySegments: Sendable {
  /// The segments, the oldest first.
  public let all: [HistorySegment]
  /// The numbers of segments that do not continue the one before, as only their bytes show.
  private var breaks: Set<UInt64> = []

  /// Takes the segments that a daemon reports, whatever they are.
  public init(_ segments: [HistorySegment]) {
    var all: [HistorySegment] = []
    for segment in segments.sorted(by: { $0.number < $1.number })
    where segment.isPossible && segment.number != all.last?.number { all.append(segment) }
    self.all = all
  }

  /// The stretches, the oldest first, as places in ``all``.
  public var stretches: [Range<Int>] {
    var stretches: [Range<Int>] = []
    for index in all.indices {
      if index > 0, continues(index), let last = stretches.popLast() {
        stretches.append(last.lowerBound..<index + 1)
      } else {
        stretches.append(index..<index + 1)
      }
    }
    return stretches
  }

  /// The seconds between a stretch and the one before it, if the same run went on meanwhile and nothing of it was kept;
  /// `nil` if it is the first, or the run began again.
  func gap(before stretch: Range<Int>) -> Double? {
    guard stretch.lowerBound > 0 else { return nil }
    let (former, next) = (all[stretch.lowerBound - 1].last.frame, all[stretch.lowerBound].first.frame)
    return next.number > former.number && next.time > former.time ? next.time - former.time : nil
  }

  /// Takes note that a segment does not continue the one before it.
  mutating func separate(_ number: UInt64) { breaks.insert(number) }

  /// The segment that has what led to a moment: the last one that begins before it.
  func segment(in stretch: Range<Int>, whoseBeginning isBefore: (HistorySegment.Place) -> Bool) -> Int {
    stretch.last { isBefore(all[$0].first) } ?? stretch.lowerBound
  }

  private func continues(_ index: Int) -> Bool {
    guard !breaks.contains(all[index].number) else { return false }
    let (first, before) = (all[index].first.frame, all[index - 1])
    guard (before.first.frame.number...before.last.frame.number).contains(first.number) else { return false }
    // A run that begins at frame 0 is another one, although all runs do.
    guard first.number > 0 || before.last.frame.number == 0 else { return false }
    if first.number == before.last.frame.number { return first.time == before.last.frame.time }
    if first.number == before.first.frame.number { return first.time == before.first.frame.time }
    return (before.first.frame.time...before.last.frame.time).contains(first.time)
  }
}

extension HistorySegment {
  /// Whether a segment can be like this.
  fileprivate var isPossible: Bool {
    first.frame.number <= last.frame.number && last.frame.number < .max && first.frame.time <= last.frame.time
      && first.frame.time.isFinite && last.frame.time.isFinite
  }

  /// Whether a wall clock may have shown a time of day while it was written, on that day or on any.
  func mayShow(_ seconds: Double, _ day: Int?) -> Bool {
    // The clock may have been set meanwhile: once, as far as its two ends show.
    let (start, end) = (first.clocks, last.clocks)
    let passed = max(0, end.bootTime.subtractingClamped(start.bootTime))
    return RecordedMoment.isShown(seconds, day, after: start.wallTime, through: end.wallTime)
      || RecordedMoment.isShown(
        seconds, day, after: start.wallTime, through: start.wallTime.addingClamped(passed))
      || RecordedMoment.isShown(
        seconds, day, after: end.wallTime.subtractingClamped(passed), through: end.wallTime)
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? other > 0 ? .max : .min : sum
  }

  fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? other > 0 ? .min : .max : difference
  }
}
