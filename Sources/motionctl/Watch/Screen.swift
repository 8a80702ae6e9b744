/// The terminal as a screen to draw on: the alternate screen, so that the previous contents are restored at the end.
struct Screen {
  /// Switches to the alternate screen and hides the cursor (xterm's private modes 1049 and 25).
  init() {
    Console.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Draws lines from the top, in one write to avoid flicker. Each line is cleared to its end, and the rest of the
  /// screen is cleared.
  func draw(_ lines: [String]) {
    let text = lines.prefix(Console.size.rows).joined(separator: "\u{1B}[K\r\n")
    Console.write("\u{1B}[H" + text + "\u{1B}[K\u{1B}[J")
  }

  /// Shows the cursor and switches to the normal screen.
  func close() {
    Console.write("\u{1B}[?25h\u{1B}[?1049l")
  }
}
