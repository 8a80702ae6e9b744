/// Where a property goes when the worker that moves it is lost: it died, hangs, or lost its connection.
public enum LossRule: Hashable, Sendable {
  /// It stays: the velocity fades over four frames, under limits it brakes. This holds also without a rule.
  case hold
  /// It goes to a value, one number for all lanes or one for each, in so many seconds, and stays there until its driver
  /// is back. Under limits it takes as long as they need.
  case ramp(Lanes, in: Double)

  /// The seconds in which a property goes to rest where no time is given: those of a hand-over.
  public static let restSeconds = 0.15

  /// It goes to a value in 0.15 s.
  public static func rest(_ value: Lanes) -> LossRule { .ramp(value, in: restSeconds) }

  /// The value to go to; `nil` if it stays.
  public var value: Lanes? { if case .ramp(let value, _) = self { value } else { nil } }

  /// Where a property of so many lanes goes, and in how many seconds; `nil` if it stays.
  package func destination(lanes: Int) -> (value: Lanes, seconds: Double)? {
    guard case .ramp(let value, let seconds) = self else { return nil }
    let places = SIMD4(value.applying(to: 0), value.applying(to: 1), value.applying(to: 2), value.applying(to: 3))
    return (Lanes(places, count: lanes), seconds)
  }

  /// Reads `hold`, `rest 0`, `rest 0,1` or `ramp 0 in 2s`.
  ///
  /// - Throws: the refusal, with the field `onLost`.
  public init(_ text: String) throws(Refusal) {
    let words = text.split(separator: " ")
    let value = words.dropFirst().first.flatMap { Self.lanes($0) }
    switch (words.first, words.count) {
    case ("hold", 1): self = .hold
    case ("rest", 2):
      guard let value else { throw Self.refusal(of: text) }
      self = .rest(value)
    case ("ramp", 4):
      let duration = DurationText.duration(of: String(words[3]))
      guard words[2] == "in", let value, let seconds = duration?.inSeconds else { throw Self.refusal(of: text) }
      self = .ramp(value, in: seconds)
    default: throw Self.refusal(of: text)
    }
  }

  private static func lanes(_ text: Substring) -> Lanes? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.prefix(Limits.lanes + 1).compactMap { Double($0) }
    return numbers.count == parts.count ? Lanes(numbers) : nil
  }

  private static func refusal(of text: String) -> Refusal {
    Refusal(
      .value, field: "onLost", "\(JSONText.string(String(text.prefix(64)))) is no rule for the loss of a worker",
      remedy: "Use \"hold\", \"rest 0\" or \"ramp 0 in 2s\", with one number for all lanes or one for each: 0,1.")
  }

  /// Checks the numbers.
  ///
  /// - Throws: the refusal, with the field `onLost`: a number that is too large, or a time that is negative or too long.
  func check() throws(Refusal) {
    guard case .ramp(let value, let seconds) = self else { return }
    guard value.isWithin(Limits.magnitude) else {
      throw Refusal(
        .value, field: "onLost", "\(value) is beyond ±\(Limits.magnitude)", remedy: "Use numbers within that.")
    }
    guard seconds >= 0, seconds <= Self.longestSeconds else {
      throw Refusal(
        .value, field: "onLost", "\(JSONText.number(seconds)) s is no time for a ramp",
        remedy: "Use a time from 0 s to 1 h.")
    }
  }

  private static let longestSeconds = 3600.0
}

extension LossRule: CustomStringConvertible {
  /// The rule as it is read.
  public var description: String {
    switch self {
    case .hold: return "hold"
    case .ramp(let value, Self.restSeconds): return "rest " + Self.text(value)
    case .ramp(let value, let seconds):
      let time = DurationText.duration(ofSeconds: seconds).map(DurationText.text) ?? "\(seconds)s"
      return "ramp \(Self.text(value)) in \(time)"
    }
  }

  private static func text(_ value: Lanes) -> String { value.array.map(JSONText.number).joined(separator: ",") }
}
