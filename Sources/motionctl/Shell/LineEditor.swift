import CEdit
import Glibc
import LinuxSystem
import MotionModel

/// Reads lines from a terminal with libedit: keys of Emacs, history, completion by TAB.
///
/// Belongs to the main thread.
final class LineEditor {
  /// The end of reading a line.
  enum Outcome {
    /// A line, without its end.
    case line(String)
    /// Ctrl-C, or a signal that ends the shell.
    case interrupted
    /// Ctrl-D on an empty line, or a terminal that is closed.
    case end
  }

  /// The candidates for the word before the cursor.
  struct Candidates {
    /// The part of the word that is typed already.
    var prefix: String
    /// The words that begin with it.
    var words: [String]
    /// Whether the word is in quotes.
    var isQuoted = false
  }

  /// How often the prompt is checked while the shell waits for a key.
  private static let promptInterval = Duration.seconds(1)
  /// The most candidates that are shown.
  private static let mostShown = 200

  private let session: ShellSession
  private let editor: OpaquePointer
  private let history: OpaquePointer
  /// Where the line is shown.
  private let output: Int32
  private let complete: (String, Bool) -> Candidates
  private var isJSON = false
  private let prompt: () -> String?
  private let signals: TerminalSignals
  private var isInterrupted = false
  /// The prompt in the form that libedit reads; freed with the next one.
  private var promptText: UnsafeMutablePointer<CChar>?

  /// Prepares the terminal.
  ///
  /// - Parameters:
  ///   - prompt: returns the prompt if it differs from the present one; called each second.
  ///   - complete: returns the candidates for a text before the cursor, and whether it continues a text of JSON.
  init(
    _ session: ShellSession, prompt: @escaping () -> String?, complete: @escaping (String, Bool) -> Candidates
  ) throws(Failure) {
    // libedit converts between the bytes of the terminal and characters.
    if setlocale(LC_CTYPE, "") == nil || String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    // Standard output may be a file; the line is then edited on standard error.
    output = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO
    guard let editor = motion_edit_open("motionctl", output == STDERR_FILENO ? 1 : 0), let history = history_init()
    else {
      throw Failure(.failure, "the terminal cannot be used", remedy: "pipe the commands into motionctl shell")
    }
    signals = try TerminalSignals()
    (self.session, self.editor, self.history) = (session, editor, history)
    (self.prompt, self.complete) = (prompt, complete)
    motion_edit_history_bound(history, Int32(HistoryFile.mostLines))
    motion_edit_prepare(editor)
    motion_edit_set_history(editor, history)
    motion_edit_set_client(editor, Unmanaged.passUnretained(self).toOpaque())
    motion_edit_set_prompt(editor) { LineEditor.of($0)?.promptText }
    motion_edit_set_reader(editor) { editor, result in
      guard let editor, let result else { return -1 }
      return LineEditor.of(editor)?.read(into: result) ?? -1
    }
    _ = motion_edit_bind(editor, "^I", "motion-complete") { editor, _ in
      LineEditor.of(editor)?.completeWord() ?? UInt8(CC_ERROR)
    }
    motion_edit_bind_own(editor, "^R", "em-inc-search-prev")
  }

  deinit {
    el_end(editor)
    history_end(history)
    free(promptText)
  }

  private static func of(_ editor: OpaquePointer?) -> LineEditor? {
    guard let client = motion_edit_client(editor) else { return nil }
    return Unmanaged<LineEditor>.fromOpaque(client).takeUnretainedValue()
  }

  /// Adds a line to the history.
  func remember(_ line: String) { motion_edit_history_add(history, line) }

  /// Reads a line.
  ///
  /// - Parameter isJSON: whether the line continues a text of JSON.
  func line(prompt text: String, isJSON: Bool = false) -> Outcome {
    setPrompt(text)
    (isInterrupted, self.isJSON) = (false, isJSON)
    signals.block(true)
    defer { signals.block(false) }
    // libedit does this only after it has shown the prompt: what is typed in between would be shown twice.
    motion_edit_set_terminal(editor, 1)
    var count: Int32 = 0
    guard let characters = el_gets(editor, &count), count > 0 else { return isInterrupted ? .interrupted : .end }
    let line = String(cString: characters)
    return .line(line.hasSuffix("\n") ? String(line.dropLast()) : line)
  }

  private func setPrompt(_ text: String) {
    free(promptText)
    promptText = strdup(text)
  }

  // MARK: Keys

  /// Reads a character: 1 if there is one, 0 at the end, -1 if a signal arrived.
  private func read(into result: UnsafeMutablePointer<wchar_t>) -> Int32 {
    var bytes: [UInt8] = []
    repeat {
      switch waitForByte() {
      case .interrupted:
        isInterrupted = session.takeSignals()
        errno = EINTR
        return -1
      case .readable, .signalled, .timedOut: break
      }
      var byte: UInt8 = 0
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count == 1 else { return 0 }
      bytes.append(byte)
    } while bytes.isEmpty || bytes.count < Self.length(of: bytes[0])
    let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    result.pointee = wchar_t(scalar.value)
    return 1
  }

  /// Waits for a byte; meanwhile the prompt follows the daemon, and the line the terminal.
  private func waitForByte() -> ShellSession.Wait {
    while true {
      let end = session.wait(for: STDIN_FILENO, or: signals.descriptor, timeout: Self.promptInterval)
      switch end {
      case .readable, .interrupted: return end
      case .signalled: follow(signals.take())
      case .timedOut:
        guard !isJSON, let text = prompt() else { continue }
        setPrompt(text)
        motion_edit_refresh(editor)
      }
    }
  }

  /// Acts on a signal of the terminal.
  private func follow(_ signal: Int32) {
    if signal == SIGTSTP {
      motion_edit_set_terminal(editor, 0)
      signals.stop()
      motion_edit_set_terminal(editor, 1)
    }
    el_resize(editor)
    motion_edit_refresh(editor)
  }

  /// The number of bytes of the character of UTF-8 that begins with this byte.
  private static func length(of first: UInt8) -> Int {
    switch first {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  // MARK: Completion

  private func completeWord() -> UInt8 {
    guard let line = el_line(editor)?.pointee else { return UInt8(CC_ERROR) }
    let before = UnsafeRawBufferPointer(start: line.buffer, count: line.cursor - line.buffer)
    let found = complete(String(decoding: before, as: UTF8.self), isJSON)
    guard let first = found.words.first else { return UInt8(CC_REFRESH_BEEP) }
    let common = found.words.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    var addition = String(common.dropFirst(found.prefix.count))
    if !found.isQuoted { addition = Self.escaping(addition) }
    // A name that goes on, such as that of a folder, is not ended.
    if found.words.count == 1, !found.isQuoted, let last = common.last, !"/=.".contains(last) { addition += " " }
    if !addition.isEmpty {
      return el_insertstr(editor, addition) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
    }
    guard found.words.count > 1 else { return UInt8(CC_REFRESH) }
    show(found.words)
    return UInt8(CC_REDISPLAY)
  }

  /// Shows candidates below the line, in columns.
  private func show(_ words: [String]) {
    let shown = words.prefix(Self.mostShown).map { ShownText.escaping($0) }
    let width = (shown.map(\.count).max() ?? 0) + 2
    let perLine = max(1, Console.size.columns / width)
    var text = "\n"
    for (index, word) in shown.enumerated() {
      let isLast = (index + 1) % perLine == 0 || index == shown.count - 1
      text += isLast ? word + "\n" : word + String(repeating: " ", count: width - word.count)
    }
    if words.count > shown.count { text += "… and \(words.count - shown.count) more\n" }
    _ = WholeWrite.write(Array(text.utf8), to: output)
  }

  private static func escaping(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if " '\"\\#".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
