import Glibc

/// The streams that this program writes to, and what they lead to.
struct Console {
  /// Whether standard output is a terminal.
  let outputIsTerminal: Bool
  /// The style of standard output.
  let outputStyle: Style
  /// The style of standard error.
  let errorStyle: Style

  /// The streams of this process.
  init(environment: [String: String] = Console.environment) {
    outputIsTerminal = isatty(STDOUT_FILENO) == 1
    outputStyle = .suited(isTerminal: outputIsTerminal, environment: environment)
    errorStyle = .suited(isTerminal: isatty(STDERR_FILENO) == 1, environment: environment)
  }

  /// Writes a line to standard output.
  func print(_ line: String) { Self.write(line + "\n", to: STDOUT_FILENO) }
  /// Writes lines to standard output.
  func print(_ lines: [String]) { if !lines.isEmpty { print(lines.joined(separator: "\n")) } }
  /// Writes a remark to standard error, so that it does not get between what a program reads.
  func note(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

  /// How wide text is set: as the terminal, up to 110 columns, beyond which lines are hard to read; 100 elsewhere.
  var width: Int { outputIsTerminal ? min(Self.size.columns, 110) : 100 }

  /// How many columns and rows the terminal has; 80 by 24, as ever, when it does not say.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The environment of this process.
  static var environment: [String: String] {
    var entries: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { entries[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    return entries
  }

  /// Writes all of a text. A reader that went away (`motionctl list targets | head`) ends the program as it ends any
  /// other: by SIGPIPE.
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        bytes.removeFirst(written)
      } else if written < 0 && errno != EINTR {
        return
      }
    }
  }
}
