/// Writes tokens of Graphviz's language, in which `dot` reads graphs.
public enum GraphVizText {
  /// The most Unicode scalars of a label that are written; longer labels are hardly readable. Graphviz takes 16384
  /// bytes, and a scalar becomes five at most.
  public static let longestLabel = 1024

  /// Returns a text as a quoted label that is drawn literally.
  ///
  /// In labels, Graphviz interprets escapes (`\N` is the node's name) and HTML entities. The text is processed scalar
  /// by scalar: a quote with an accent is one character in Swift, but its quote still ends the label in Graphviz.
  /// Control characters, which neither Graphviz nor SVG accepts, are replaced by their pictures.
  ///
  /// - Parameters:
  ///   - text: the text of the label.
  ///   - isFlushLeft: whether the lines of a text that has several are aligned left instead of centred.
  public static func label(_ text: String, isFlushLeft: Bool = false) -> String {
    let end = (isFlushLeft ? "\\l" : "\\n").unicodeScalars
    var label = "\"".unicodeScalars
    var hasLines = false
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars.prefix(longestLabel) {
      switch scalar {
      case "\"": label += "\\\"".unicodeScalars
      case "\\": label += "\\\\".unicodeScalars
      case "&": label += "&amp;".unicodeScalars
      // A return and a newline together end one line.
      case "\n" where last == "\r": break
      case "\n", "\r", "\u{2028}", "\u{2029}":
        label += end
        hasLines = true
      default: label.append(drawable(scalar))
      }
      last = scalar
    }
    if text.unicodeScalars.count > longestLabel { label.append("…") }
    // Each line ends with its alignment, the last one too.
    if isFlushLeft && hasLines { label += end }
    return String(label) + "\""
  }

  private static func drawable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    // Unicode's control pictures are in the order of the control characters.
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0, 0xFFFE, 0xFFFF: "\u{FFFD}"
    default: scalar
    }
  }
}
