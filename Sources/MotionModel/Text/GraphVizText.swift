/// Writes words of Graphviz's language, in which `dot` reads graphs.
public enum GraphVizText {
  /// How much of a label is written, in Unicode scalars: what nobody reads to its end anyway. Graphviz takes 16384 bytes,
  /// and a scalar is five at most.
  public static let longestLabel = 1024

  /// A text as a label, in quotes, so that it is drawn as it is.
  ///
  /// Graphviz reads escapes there (`\N` is the node's name) and the entities of HTML. It goes by scalars, as it must: a
  /// quote with an accent is a character of its own, but it ends the label all the same. Control characters, which neither
  /// Graphviz nor SVG takes, are drawn as their pictures.
  ///
  /// - Parameters:
  ///   - text: what it says.
  ///   - isFlushLeft: whether the lines of a text that has several stand on the left instead of in the middle.
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
      // A return and a newline are one line's end.
      case "\n" where last == "\r": break
      case "\n", "\r", "\u{2028}", "\u{2029}":
        label += end
        hasLines = true
      default: label.append(drawable(scalar))
      }
      last = scalar
    }
    if text.unicodeScalars.count > longestLabel { label.append("…") }
    // Each line ends with how it stands, the last one too.
    if isFlushLeft && hasLines { label += end }
    return String(label) + "\""
  }

  private static func drawable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    // Unicode's control pictures are in the order of what they stand for.
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0, 0xFFFE, 0xFFFF: "\u{FFFD}"
    default: scalar
    }
  }
}
