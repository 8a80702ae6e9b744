/// Texts from outside, made fit to be shown.
public enum ShownText {
  /// The text with everything in it escaped that would steer a terminal or turn the order of letters around: `\u{1B}`.
  ///
  /// Line feeds stay: whoever shows a text of several lines breaks them. Doing it again changes nothing. Costs a pass
  /// over the text.
  public static func escaping(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: steers) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if steers(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// The text, or as much of it as fits into `limit` bytes with an ellipsis; no character is cut in two.
  public static func cut(_ text: String, toBytes limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let ellipsis = "…"
    var kept = ""
    var bytes = ellipsis.utf8.count
    for character in text {
      bytes += character.utf8.count
      if bytes > limit { break }
      kept.append(character)
    }
    return kept + ellipsis
  }

  /// Controls, separators of lines, and what embeds, overrides or isolates a direction of writing (UAX #9).
  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n": false
    case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
    default: false
    }
  }
}
