import ArgumentParser
import Glibc
import MotionClient
import MotionCore
import MotionFiles
import MotionHistory
import MotionModel

/// Carries out the lines of a shell.
struct ShellInterpreter {
  let session: ShellSession
  /// Runs a command of the program, and prints its error if it fails.
  let run: ([String]) -> ExitStatus
  /// Whether `exit` was read.
  private(set) var isDone = false

  init(_ session: ShellSession, run: @escaping ([String]) -> ExitStatus) {
    (self.session, self.run) = (session, run)
  }

  /// Carries out a line.
  ///
  /// - Parameter number: the number of the line in a script; `nil` at a terminal.
  mutating func perform(_ line: String, number: Int?) -> ExitStatus {
    do {
      switch try ShellLine(line) {
      case .empty: return .success
      case .json: return commit(Array(line.utf8), number: number)
      case .shortForm(let form): return perform(form, number: number)
      case .command(let words): return perform(words.map(\.text))
      }
    } catch {
      return report(error, number: number)
    }
  }

  /// Commits a JSON text, as a transaction file from standard input.
  ///
  /// - Parameter number: the number of its first line in a script.
  mutating func commit(_ text: [UInt8], number: Int?) -> ExitStatus {
    // So that errors have the line of the script.
    session.input = [UInt8](repeating: UInt8(ascii: "\n"), count: (number ?? 1) - 1) + text
    defer { session.input = nil }
    return run(["commit", "-"])
  }

  private mutating func perform(_ words: [String]) -> ExitStatus {
    let words = words.first == "motionctl" ? Array(words.dropFirst()) : words
    switch words.first {
    case nil: return .success
    case "exit", "quit":
      guard words.count == 1 else { return fail(Failure(.usage, "exit takes no arguments")) }
      isDone = true
      return .success
    case "help" where words.count == 1 || words == ["help", "at"] || words == ["help", "exit"]:
      Console().print(ShellHelp.text)
      return .success
    case "help" where words == ["help", "motionctl"]: return run(["--help"])
    case "at": return at(Array(words.dropFirst()))
    case "shell" where !words.contains("--help") && !words.contains("-h"):
      return fail(Failure(.usage, "a shell does not start another shell"))
    default: return run(words)
    }
  }

  /// `at FILE [MOMENT]`, `at MOMENT` of that file or of the daemon's history, `at now`, or `at` alone: where commands that ask look.
  private func at(_ words: [String]) -> ExitStatus {
    do throws(Failure) {
      switch (words.count, words.last) {
      case (0, _): break
      case (1, "now"): session.past = nil
      case (1, let text?):
        if let past = session.past, let moment = Self.moment(text) {
          try past.move(to: moment)
        } else if let moment = Self.moment(text) {
          session.past = try ShellPast(nil, at: moment, session.connection)
        } else {
          guard access(text, F_OK) == 0 else {
            throw Failure(
              .usage, "\"\(text)\" is neither a moment nor a file",
              remedy: "write -30s, 12.5s, 01:58:12, frame:7200 or now, or the name of a recording")
          }
          session.past = try ShellPast(text, at: nil, session.connection)
        }
      case (2, let text?):
        guard let moment = Self.moment(text) else {
          throw Failure(
            .usage, "\"\(text)\" is no moment",
            remedy: "write one such as 12.5s, -30s, 01:58:12 or frame:7200, or now alone")
        }
        session.past = try ShellPast(words[0], at: moment, session.connection)
      default: throw Failure(.usage, "at takes a recording and a moment", remedy: "write at show.mcap -30s")
      }
      Console().print(session.past.map { "at \($0.timeline.place)" } ?? "at the present of the daemon")
      return .success
    } catch {
      return fail(error)
    }
  }

  /// Reads a moment, or `frame:7200`.
  private static func moment(_ text: String) -> RecordedMoment? {
    guard text.hasPrefix("frame:") else { return RecordedMoment(parsing: text) }
    return UInt64(text.dropFirst("frame:".count)).map { .frame($0) }
  }

  private func perform(_ form: ShortForm, number: Int?) -> ExitStatus {
    do {
      let options = try SingleCommitOptions.parse([])
      let client = try options.connection.client()
      let catalog = try failing { () throws(MotionClientError) in try client.catalog() }
      try options.commit(try transaction(of: form, knowing: catalog, number: number), client)
      return .success
    } catch let failure as Failure {
      return fail(failure)
    } catch {
      return fail(Failure(.failure, "\(error)"))
    }
  }

  private func transaction(
    of form: ShortForm, knowing catalog: IntentionCatalog, number: Int?
  ) throws(Failure) -> Transaction {
    var fields = [FieldText.Argument(name: "property", json: .text(form.property.text))]
    var spread: [FieldText.Argument] = []
    for field in form.fields {
      guard let argument = FieldText.argument(parsing: "\(field.name)=\(field.text)") else { continue }
      if ShortForm.spreadFields.contains(field.name) { spread.append(argument) } else { fields.append(argument) }
    }
    do {
      return try Transaction.adding(form.type, fields, to: [form.targets], spread: spread, knowing: catalog)
    } catch {
      let first = error.errors[0]
      let field = first.field.map { "field \"\($0)\": " } ?? ""
      throw Failure(
        .usage, place(of: form.column(of: first.field), number) + field + first.message,
        remedy: first.remedy.isEmpty ? "describe \(form.type)" : first.remedy)
    }
  }

  // MARK: Errors

  private func report(_ error: ShellLineError, number: Int?) -> ExitStatus {
    fail(Failure(.usage, place(of: error.column, number) + error.message, remedy: error.remedy))
  }

  private func fail(_ failure: Failure) -> ExitStatus {
    Console().report(failure)
    return failure.code
  }

  private func place(of column: Int, _ number: Int?) -> String {
    number.map { "\(session.source):\($0):\(column): " } ?? "column \(column): "
  }
}
