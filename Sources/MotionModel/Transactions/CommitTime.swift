/// The time at which to apply a commit, in simulated seconds.
public enum CommitTime: Hashable, Sendable {
  /// At this time since the runtime's start.
  case absolute(Double)
  /// This long after the time at which it is committed.
  case relative(Double)

  /// Reads `12.5`, `12.5s` or `1min`; with a leading plus sign, relative to the present time.
  ///
  /// - Returns: `nil` for a text that is no time, or a negative one.
  public init?(_ text: String) {
    let isRelative = text.hasPrefix("+")
    let amount = isRelative ? String(text.dropFirst()) : text
    let seconds = DurationText.duration(of: amount)?.inSeconds ?? Double(amount)
    guard let seconds, seconds.isFinite, seconds >= 0 else { return nil }
    self = isRelative ? .relative(seconds) : .absolute(seconds)
  }

  /// Returns the time since the runtime's start, given the present time.
  public func seconds(from now: Double) -> Double {
    switch self {
    case .absolute(let seconds): seconds
    case .relative(let seconds): now + seconds
    }
  }

  /// Whether the present time is needed to resolve this time.
  public var isRelative: Bool { if case .relative = self { true } else { false } }
}

extension CommitTime: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Creates a time since the runtime's start.
  public init(floatLiteral seconds: Double) { self = .absolute(seconds) }
  /// Creates a time since the runtime's start.
  public init(integerLiteral seconds: Int) { self = .absolute(Double(seconds)) }
}
