/// When to apply a commit, in simulated seconds.
public enum CommitTime: Hashable, Sendable {
  /// At this time since the runtime's start.
  case absolute(Double)
  /// So long after the time at which it is committed.
  case relative(Double)

  /// Reads `12.5`, `12.5s` or `1min`; with a plus sign before it, relative to the present time.
  ///
  /// - Returns: `nil` for what is no time, or a negative one.
  public init?(_ text: String) {
    let isRelative = text.hasPrefix("+")
    let amount = isRelative ? String(text.dropFirst()) : text
    let seconds = DurationText.duration(of: amount)?.inSeconds ?? Double(amount)
    guard let seconds, seconds.isFinite, seconds >= 0 else { return nil }
    self = isRelative ? .relative(seconds) : .absolute(seconds)
  }

  /// The time since the runtime's start, if this is the present time.
  public func seconds(from now: Double) -> Double {
    switch self {
    case .absolute(let seconds): seconds
    case .relative(let seconds): now + seconds
    }
  }

  /// Whether the present time is needed to say when this is.
  public var isRelative: Bool { if case .relative = self { true } else { false } }

  /// The time as transaction files have it.
  var layout: String {
    switch self {
    case .absolute(let seconds): JSONText.number(seconds)
    case .relative(let seconds): "\"+\(JSONText.number(seconds))s\""
    }
  }
}

extension CommitTime: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A time since the runtime's start.
  public init(floatLiteral seconds: Double) { self = .absolute(seconds) }
  /// A time since the runtime's start.
  public init(integerLiteral seconds: Int) { self = .absolute(Double(seconds)) }
}
