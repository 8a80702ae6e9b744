import LinuxSystem
import MotionModel
import ZeroMQ

/// The lateness of frames: since the start, and in the last minute.
///
/// Adding is O(1); in each sixth of a minute one histogram is also cleared. All of it takes 60 KB.
struct FrameLateness {
  /// The last minute is kept in this many slices, so that "the last minute" is 50 to 60 s.
  private static let slices: Int64 = 6
  private static let sliceNanoseconds: Int64 = 10_000_000_000

  /// The lateness of all frames.
  private(set) var sinceStart = TimeHistogram()
  private var recent = [TimeHistogram](repeating: TimeHistogram(), count: Int(slices))
  /// The sixth of a minute since boot that each of these covers.
  private var numbers = [Int64](repeating: .min, count: Int(slices))

  /// Adds the lateness of a frame that was run at `now`.
  mutating func add(_ lateness: Duration, at now: Duration) {
    let nanoseconds = lateness.wholeNanoseconds
    sinceStart.add(nanoseconds: nanoseconds)
    let number = Self.number(at: now)
    let slice = Int(number % Self.slices)
    if numbers[slice] != number {
      numbers[slice] = number
      recent[slice].clear()
    }
    recent[slice].add(nanoseconds: nanoseconds)
  }

  /// The lateness of the frames of the last minute.
  func lastMinute(at now: Duration) -> TimeHistogram {
    let number = Self.number(at: now)
    var sum = TimeHistogram()
    for (slice, histogram) in zip(numbers, recent) where slice > number - Self.slices && slice <= number {
      sum.add(histogram)
    }
    return sum
  }

  private static func number(at now: Duration) -> Int64 { max(0, now.wholeNanoseconds) / sliceNanoseconds }
}

extension Status.Lateness {
  /// The percentiles that the status shows.
  init(_ histogram: TimeHistogram) {
    func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) * 1e-9 }
    self.init()
    frames = histogram.count
    p50 = seconds(histogram.length(notExceededBy: 500))
    p99 = seconds(histogram.length(notExceededBy: 990))
    p999 = seconds(histogram.length(notExceededBy: 999))
    max = seconds(histogram.longest)
  }
}
