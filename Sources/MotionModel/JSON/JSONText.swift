/// Writes JSON tokens: what the files of this package are printed with.
public enum JSONText {
  /// A text in quotes, with everything escaped that JSON requires to be; the rest stays as it is.
  public static func string(_ text: String) -> String {
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

  /// The shortest text that reads back as the same number, whole numbers without a point.
  ///
  /// JSON has no infinity and no NaN: these become `null`, which no field accepts.
  public static func number(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    // 2⁵³ is where whole numbers end to be exact; −0 keeps its sign.
    if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53, number != 0 || number.sign == .plus {
      return String(whole)
    }
    return "\(number)"
  }
}
