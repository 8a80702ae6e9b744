import Glibc
import MotionFiles
import MotionModel

/// The shell for a script.
struct ScriptShell {
  private let session: ShellSession
  private let keepsGoing: Bool
  private var interpreter: ShellInterpreter
  private var reader: ScriptReader
  private var number = 0

  init(_ session: ShellSession, _ interpreter: ShellInterpreter, _ reader: ScriptReader, keepsGoing: Bool) {
    (self.session, self.interpreter, self.reader, self.keepsGoing) = (session, interpreter, reader, keepsGoing)
  }

  /// Carries out the lines until one fails, or all of them.
  ///
  /// - Returns: the code of the first failure.
  mutating func run() throws(Failure) -> ExitStatus {
    var status = ExitStatus.success
    while !interpreter.isDone, let line = try nextLine() {
      let first = number
      let failed: ExitStatus
      if JSONBalance.begins(line) {
        failed = interpreter.commit(try text(from: line), number: first)
      } else {
        failed = interpreter.perform(String(decoding: line, as: UTF8.self), number: first)
      }
      if session.takeSignals() || session.endSignal != nil { throw .interrupted }
      guard failed != .success else { continue }
      if status == .success { status = failed }
      Console().note("\(session.source):\(first): \(keepsGoing ? "failed" : "failed, and the script ends here")")
      if !keepsGoing { break }
    }
    return status
  }

  private mutating func nextLine() throws(Failure) -> [UInt8]? {
    let line = try reader.line()
    if line != nil { number += 1 }
    return line
  }

  /// The JSON text that begins with this line.
  private mutating func text(from first: [UInt8]) throws(Failure) -> [UInt8] {
    var balance = JSONBalance()
    balance.take(line: first)
    var text = first
    // A text beyond the limit is refused by the reader, with its size.
    while !balance.isComplete, text.count <= Limits.transactionFileBytes, let line = try nextLine() {
      balance.take(line: line)
      text.append(UInt8(ascii: "\n"))
      text += line
    }
    return text
  }
}
