/// Writes texts and numbers as JSON tokens: in this package's files, and numbers in messages for people.
public enum JSONText {
  /// Returns a text in quotes, with those characters escaped that JSON requires; the others are unchanged.
  public static func string(_ text: String) -> String {
    if !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      return "\"\(text)\""
    }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{00}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Returns the shortest text that reads back as the same number, whole numbers without a point.
  ///
  /// JSON has no infinity and no NaN: these become `null`, which no field accepts.
  public static func number(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    // −0 keeps its sign.
    if let whole = wholeNumber(number), whole != 0 || number.sign == .plus { return String(whole) }
    return "\(number)"
  }

  /// Returns `number` as an integer if it is one of at most 2⁵³, beyond which a `Double` skips integers; else `nil`.
  ///
  /// Unlike `Int(exactly:)` it needs no function of the mathematics library, which this module does not link.
  package static func wholeNumber(_ number: Double) -> Int? {
    guard number.magnitude <= 0x1p53 else { return nil }
    let whole = Int(number)
    return Double(whole) == number ? whole : nil
  }
}
