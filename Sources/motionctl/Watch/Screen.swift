/// The terminal as a screen to draw on: the alternate one, so that what was there before comes back.
struct Screen {
  /// Switches to the alternate screen and hides the cursor (xterm's private modes 1049 and 25).
  init() {
    Console.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Draws lines from the top, in one write, so that nothing flickers; each line is cleared to its end, and the rest
  /// of the screen.
  func draw(_ lines: [String]) {
    let text = lines.prefix(Console.size.rows).joined(separator: "\u{1B}[K\r\n")
    Console.write("\u{1B}[H" + text + "\u{1B}[K\u{1B}[J")
  }

  /// Shows the cursor and switches back.
  func close() {
    Console.write("\u{1B}[?25h\u{1B}[?1049l")
  }
}
