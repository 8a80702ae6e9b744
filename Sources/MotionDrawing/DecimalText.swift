/// Decimal numbers as text, the same on every machine.
enum DecimalText {
  /// The most decimals: a `Double` has about fifteen digits in all.
  private static let mostDigits = 12

  /// Returns a number with this many decimals; `-0` is `0`.
  static func fixed(_ number: Double, digits: Int) -> String {
    let digits = min(max(digits, 0), mostDigits)
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (abs(number) * scale).rounded()
    // Beyond 2⁵³ a Double has no fraction, and the scaled number exceeds the integers.
    guard scaled < 0x1p53 else { return "\(number)" }
    let sign = number < 0 && scaled > 0 ? "-" : ""
    let whole = UInt64(scaled) / UInt64(scale)
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(UInt64(scaled) % UInt64(scale))
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// Returns a coordinate in a picture. A tenth of a unit is finer than a screen; a zero decimal is left out.
  static func place(_ number: Double) -> String {
    let text = fixed(number, digits: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
