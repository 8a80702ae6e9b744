import ArgumentParser
import MotionModel

/// When to apply a commit, in simulated seconds.
enum CommitTime: Equatable {
  /// At this time since the runtime's start.
  case absolute(Double)
  /// So long after the present time.
  case relative(Double)

  /// Reads `12.5`, `12.5s` or `1min`; with a plus sign before it, relative to the present time.
  init(parsing text: String) throws {
    let isRelative = text.hasPrefix("+")
    let amount = isRelative ? String(text.dropFirst()) : text
    let seconds = DurationText.duration(of: amount)?.inSeconds ?? Double(amount)
    guard let seconds, seconds.isFinite, seconds >= 0 else {
      throw ValidationError("write simulated seconds or a duration, such as 12.5, 90s or 2min, or +2s from now")
    }
    self = isRelative ? .relative(seconds) : .absolute(seconds)
  }
}
