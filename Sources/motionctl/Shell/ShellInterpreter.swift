import ArgumentParser
import MotionClient
import MotionCore
import MotionFiles
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
    case "help" where words.count == 1:
      Console().print(ShellHelp.text)
      return .success
    case "help" where words == ["help", "motionctl"]: return run(["--help"])
    case "shell" where !words.contains("--help") && !words.contains("-h"):
      return fail(Failure(.usage, "a shell does not start another shell"))
    default: return run(words)
    }
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
    var fields = [FieldText.Argument(name: "property", json: .text(form.place.property.text))]
    for field in form.fields {
      guard let argument = FieldText.argument(parsing: "\(field.name)=\(field.text)") else { continue }
      fields.append(argument)
    }
    do {
      return try Transaction.adding(form.type, fields, to: [form.place.target], knowing: catalog)
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
