/// Makes texts from outside safe to print.
public enum ShownText {
  /// Returns the text with all characters escaped that would control a terminal, change the direction of writing, or be
  /// invisible: `\u{1B}`. Joiners within emoji stay.
  ///
  /// Line feeds stay; the caller breaks a text of several lines. Applying it again changes nothing. Costs a pass over
  /// the text.
  public static func escaping(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { steers($0) || hides($0) }) else { return text }
    var shown = ""
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      if deceives(scalar, after: previous) {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Returns the text, or as much of it as fits into `limit` bytes with an ellipsis; no character is cut in two.
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

  /// Returns whether a text has neither controls (C0, C1) nor characters that change the direction of writing.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } || !text.unicodeScalars.contains { $0 == "\n" || steers($0) }
  }

  /// Returns whether ``escaping(_:)`` escapes a scalar that follows another one.
  static func deceives(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> Bool {
    let joinsEmoji = scalar == "\u{200D}" && (previous == "\u{FE0F}" || previous.properties.isEmojiPresentation)
    return steers(scalar) || hides(scalar) && !joinsEmoji
  }

  /// Returns whether the scalar is a control, a line separator, or marks, embeds, overrides or isolates a direction of
  /// writing (UAX #9).
  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n": false
    case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
      "\u{2066}"..."\u{2069}":
      true
    default: false
    }
  }

  /// Returns whether the scalar has no width: a text with it looks like another one.
  private static func hides(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{AD}", "\u{180E}", "\u{200B}"..."\u{200D}", "\u{2060}"..."\u{2065}", "\u{206A}"..."\u{206F}", "\u{FEFF}",
      "\u{FFF9}"..."\u{FFFB}", "\u{E0000}"..."\u{E007F}":
      true
    default: false
    }
  }
}
