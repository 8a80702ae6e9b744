import Glibc
import MotionArguments
import MotionFiles
import MotionModel

/// The shell at a terminal.
struct InteractiveShell {
  private let session: ShellSession
  private let editor: LineEditor
  private let prompt: Prompt
  private let history: HistoryFile?
  private var interpreter: ShellInterpreter

  /// Prepares the terminal, and reads the history.
  init(_ session: ShellSession, _ interpreter: ShellInterpreter, completion: @escaping () -> Completion?)
    throws(Failure)
  {
    self.session = session
    self.interpreter = interpreter
    let prompt = Prompt(session.connection)
    self.prompt = prompt
    var known: Completion?
    editor = try LineEditor(session, prompt: { prompt.changed() }) { text, isJSON in
      // The description of the commands is made for the first TAB.
      known = known ?? completion()
      return (isJSON ? known?.json(text) : known?.candidates(for: text)) ?? LineEditor.Candidates(prefix: "", words: [])
    }
    history = HistoryFile(environment: Console.environment)
    for line in history?.read() ?? [] { editor.remember(line) }
  }

  /// Reads and carries out lines until the user ends the shell.
  mutating func interact() {
    while !interpreter.isDone, session.endSignal == nil {
      switch editor.line(prompt: prompt.present()) {
      case .end:
        Console().note("")
        return
      case .interrupted: Console().note("")
      case .line(let line) where JSONBalance.begins(line.utf8): readJSON(line)
      case .line(let line):
        remember(line)
        _ = interpreter.perform(line, number: nil)
      }
      // What ended a command must not end the next.
      _ = session.takeSignals()
    }
  }

  private mutating func readJSON(_ first: String) {
    var balance = JSONBalance()
    balance.take(line: first.utf8)
    var lines = [first]
    var size = first.utf8.count
    // A text beyond the limit is refused by the reader, with its size.
    while !balance.isComplete, size <= Limits.transactionFileBytes {
      switch editor.line(prompt: "… ", isJSON: true) {
      case .interrupted: return Console().note("")
      case .end:
        Console().note("")
        balance = JSONBalance()
        size = .max
      case .line(let line):
        balance.take(line: line.utf8)
        lines.append(line)
        size += line.utf8.count + 1
      }
    }
    // Line ends stand between the tokens of JSON only, so that one line is the same text.
    remember(lines.joined(separator: " "))
    _ = interpreter.commit(Array(lines.joined(separator: "\n").utf8), number: nil)
  }

  /// Keeps a line, unless it begins with a space.
  private func remember(_ line: String) {
    guard let first = line.first, first != " ", line.utf8.count <= 1 << 16 else { return }
    editor.remember(line)
    history?.add(line)
  }
}
