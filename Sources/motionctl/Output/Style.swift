/// Emphasis on a terminal, or none.
struct Style {
  /// Whether escape sequences are written.
  let isColoured: Bool

  /// No escape sequences: for pipes, files, and terminals of users who set `NO_COLOR`.
  static let plain = Style(isColoured: false)

  /// The style for an output: coloured on a terminal, unless `NO_COLOR` is set to a value that is not empty
  /// (no-color.org) or `TERM` is `dumb`.
  static func suited(isTerminal: Bool, environment: [String: String]) -> Style {
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Style(isColoured: isTerminal && !isRefused && environment["TERM"] != "dumb")
  }

  /// For headings and less important text.
  func dim(_ text: String) -> String { wrapped(text, "2") }
  /// For the most important text.
  func bold(_ text: String) -> String { wrapped(text, "1") }
  /// For errors.
  func red(_ text: String) -> String { wrapped(text, "31") }
  /// For possible problems.
  func yellow(_ text: String) -> String { wrapped(text, "33") }
  /// For a good state.
  func green(_ text: String) -> String { wrapped(text, "32") }
  /// For curves.
  func cyan(_ text: String) -> String { wrapped(text, "36") }

  // The codes are those of ECMA-48, "select graphic rendition".
  private func wrapped(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
