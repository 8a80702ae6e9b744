/// Writes texts and numbers as JSON tokens: in this package's files, and numbers in messages for people.
public enum JSONText {
  /// Returns a text in quotes, with those characters escaped that JSON requires, and those that ``ShownText`` escapes:
  /// they would control a terminal, change the direction of writing, or be invisible. The others are unchanged.
  public static func string(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return "\"\(text)\"" }
    var quoted = "\""
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where ShownText.deceives(scalar, after: previous):
        // Characters beyond the 16 bits of an escape are two surrogates.
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
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
