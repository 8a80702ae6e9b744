import CLinux
import Glibc
import LinuxSystem
import MotionModel
import ZeroMQ

/// The output streams of this program, and whether they are terminals.
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
  func print(_ line: String) { Self.write(line + "\n") }
  /// Writes lines to standard output.
  func print(_ lines: [String]) { if !lines.isEmpty { print(lines.joined(separator: "\n")) } }
  /// Writes a remark to standard error, so that it does not mix with output that a program reads.
  func note(_ line: String) {
    // If standard error cannot be written, there is no other place to report that.
    _ = WholeWrite.write(Array((line + "\n").utf8), to: STDERR_FILENO)
  }

  /// The standard streams that were closed when the program started. `main` reads this first, before any file is
  /// opened.
  static let closed = ClosedStreams()

  /// The width of text in columns: that of the terminal, up to 110, because longer lines are hard to read. 100 without
  /// a terminal.
  var width: Int { outputIsTerminal ? min(Self.size.columns, 110) : 100 }

  /// The columns and rows of the terminal; 80 by 24, the traditional size, when it does not report them.
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

  /// Writes a whole text to standard output, or ends the program: a result that could not be written is a failure.
  ///
  /// If the reader has gone (`motionctl list targets | head`), SIGPIPE ends the program, like any other. If that signal
  /// is ignored, it ends just as silently.
  static func write(_ text: String) {
    if closed.output {
      Console().fail(
        Failure(.failure, "standard output is closed", remedy: "redirect it, such as to > /dev/null"))
    }
    let problem = WholeWrite.write(Array(text.utf8), to: STDOUT_FILENO)
    guard problem != 0 else { return }
    if problem != EPIPE {
      let reason = String(cString: strerror(problem))
      let remedy = "free some space there, or redirect it elsewhere"
      Console().fail(Failure(.failure, "cannot write to standard output: \(reason)", remedy: remedy))
    }
    exit(ExitStatus.failure.rawValue)
  }

  /// Ends the program if the reader of standard output has gone, as a write would. For commands that may write nothing
  /// for a long time.
  static func endIfNobodyReads() {
    var stream = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    guard poll(&stream, 1, 0) > 0, stream.revents & Int16(POLLERR | POLLHUP) != 0 else { return }
    raise(SIGPIPE)
    exit(ExitStatus.failure.rawValue)
  }

  /// Writes the problem and its remedy to standard error.
  func report(_ failure: Failure) {
    if let session = ShellSession.current, session.isInterrupted {
      // The terminal has shown ^C on a line of its own.
      note("")
      if failure == .interrupted { return }
    }
    note(errorStyle.red("error: ") + ShownText.escaping(failure.message))
    if !failure.remedy.isEmpty { note(errorStyle.dim("  try: ") + ShownText.escaping(failure.remedy)) }
  }

  /// Writes the problem and its remedy to standard error, and ends the program with the failure's code.
  func fail(_ failure: Failure) -> Never {
    report(failure)
    exit(failure.code.rawValue)
  }
}
