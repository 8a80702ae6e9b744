/// Durations in the form in which people write them: a decimal number and a unit, `300ms`, `1.5s`, `250us`, `2min`,
/// `1h`.
///
/// A number without a unit is in seconds, the unit of all other times in files and on the command line. The conversion
/// is exact to the attosecond in both directions: ``duration(of:)`` reads the output of ``text(of:)`` back unchanged.
public enum DurationText {
  /// The rule in words, for messages.
  public static let rule = "write seconds, or a number and a unit: ns, us, ms, s, min or h, as in \"300ms\" or \"1.5s\""

  /// The units with their length in attoseconds, the longest first.
  private static let units: [(name: String, attoseconds: UInt128)] = [
    ("h", 3_600_000_000_000_000_000_000), ("min", 60_000_000_000_000_000_000), ("s", 1_000_000_000_000_000_000),
    ("ms", 1_000_000_000_000_000), ("us", 1_000_000_000_000), ("ns", 1_000_000_000),
  ]

  /// Returns the duration in `text`, or `nil` if the text does not follow the ``rule`` or exceeds
  /// ``Limits/durationSeconds``.
  ///
  /// One space between number and unit is allowed, and `µs` for `us`. Digits finer than an attosecond are cut off.
  public static func duration(of text: String) -> Duration? {
    var rest = Substring(text)
    let isNegative = rest.first == "-"
    if isNegative { rest.removeFirst() }
    let whole = rest.prefix { $0.isASCIIDigit }
    rest = rest.dropFirst(whole.count)
    var fraction: Substring = ""
    if rest.first == "." {
      fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    if rest.first == " " {
      rest.removeFirst()
      guard !rest.isEmpty else { return nil }
    }
    let name = rest == "µs" || rest == "μs" ? "us" : rest.isEmpty ? "s" : rest
    // The longest duration has 19 digits in nanoseconds; as many in hours are more than 128 bits hold.
    guard !whole.isEmpty, whole.count <= 19, let count = UInt128(whole),
      let unit = units.first(where: { $0.name == name })
    else { return nil }
    let longest = UInt128(UInt64(Limits.durationSeconds)) * 1_000_000_000_000_000_000
    guard count <= longest / unit.attoseconds else { return nil }
    let attoseconds = count * unit.attoseconds + fractionOf(unit.attoseconds, fraction)
    guard attoseconds <= longest else { return nil }
    return Duration(attoseconds: isNegative ? -Int128(attoseconds) : Int128(attoseconds))
  }

  /// Returns the duration of a number of seconds, to its last decimal: 0.3 is 300 ms exactly, which the nearest
  /// `Double` is not.
  ///
  /// - Returns: `nil` for a number that is not finite or exceeds ``Limits/durationSeconds``.
  public static func duration(ofSeconds seconds: Double) -> Duration? {
    guard seconds.isFinite, abs(seconds) <= Double(Limits.durationSeconds) else { return nil }
    // Very small numbers are written with an exponent, which a duration's text does not have.
    return duration(of: JSONText.number(seconds)) ?? .seconds(seconds)
  }

  /// Returns the text of a duration: hours or minutes if they come out whole, else the unit that leaves a number from 1
  /// on.
  public static func text(of duration: Duration) -> String {
    let total = duration.attoseconds
    guard total != 0 else { return "0s" }
    let size = total.magnitude
    let unit =
      units.first { size >= $0.attoseconds && ($0.attoseconds <= units[2].attoseconds || size % $0.attoseconds == 0) }
      ?? units[units.count - 1]
    var text = (total < 0 ? "-" : "") + String(size / unit.attoseconds)
    var rest = size % unit.attoseconds
    if rest > 0 { text += "." }
    var scale = unit.attoseconds / 10
    while rest > 0 {
      text += String(rest / scale)
      rest %= scale
      scale /= 10
    }
    return text + unit.name
  }

  /// Returns the decimals `digits` of a unit, in attoseconds.
  private static func fractionOf(_ unit: UInt128, _ digits: Substring) -> UInt128 {
    var scale = unit
    var sum: UInt128 = 0
    for digit in digits {
      scale /= 10
      guard scale > 0 else { break }
      sum += UInt128(digit.wholeNumberValue ?? 0) * scale
    }
    return sum
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}

extension Duration {
  /// The duration as a number of seconds, to within the precision of `Double`.
  public var inSeconds: Double {
    // 10¹⁸ is a Double exactly, so that 300 ms becomes the same number as 0.3. Two conversions of 64 bits are many
    // times faster than one of 128.
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
