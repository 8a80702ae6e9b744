import ArgumentParser
import MotionArguments
import MotionModel

/// Parses and runs a command, and converts errors into a message and an exit code.
enum CommandRun {
  /// Runs the command that these arguments name, and prints its error if it fails.
  static func run(_ arguments: [String], _ console: Console) -> ExitStatus {
    do {
      try checkName(arguments.first == "help" ? arguments.dropFirst().first : arguments.first)
      var command = try parse(arguments)
      try Motionctl.checkRepetitions(in: arguments)
      try command.run()
      return .success
    } catch let failure as Failure {
      console.report(failure)
      return failure.code
    } catch let code as ExitCode {
      // The command has printed its errors.
      return ExitStatus(rawValue: code.rawValue) ?? .failure
    } catch {
      return answer(error, console)
    }
  }

  /// Checks that there is a command of this name.
  private static func checkName(_ name: String?) throws(Failure) {
    guard let name, !name.isEmpty, !name.hasPrefix("-"), !name.hasPrefix("_"), name != "help" else { return }
    let names = Motionctl.configuration.subcommands.map { $0._commandName }
    guard !names.contains(name) else { return }
    let suggestion = NearestName.suggestion(for: name, among: names).map { "Did you mean \"\($0)\"? " } ?? ""
    throw Failure(
      .usage, "there is no command \"\("\(name.prefix(64))".shownOnOneLine)\"",
      remedy: suggestion + (ShellSession.current == nil ? "motionctl --help lists them" : "help lists them"))
  }

  /// The command for the arguments.
  ///
  /// No option here is a digit, so a negative number is a value that looks like an option. Directly after an option it
  /// is that option's value, and stays there. Any other one is moved behind `--`, and the command checks it.
  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let numbers = arguments.indices.filter { arguments[$0].hasPrefix("-") && Double(arguments[$0]) != nil }
    let behindNoOption = numbers.filter { $0 == 0 || !arguments[$0 - 1].hasPrefix("--") }
    do {
      return try Motionctl.parseAsRoot(arguments)
    } catch let first {
      guard !arguments.contains("--") else { throw first }
      var error = first
      // The last attempt is for a number after a flag, which takes no value.
      for moved in [behindNoOption, numbers] where !moved.isEmpty && mayBeAboutANumber(error) {
        let kept = arguments.indices.filter { !moved.contains($0) }
        do {
          return try Motionctl.parseAsRoot(kept.map { arguments[$0] } + ["--"] + moved.map { arguments[$0] })
        } catch let next {
          error = next
        }
      }
      throw error
    }
  }

  /// Whether the parser may have taken a negative number for an option, and then missed an argument. The parser reports
  /// that only in its message for people.
  private static func mayBeAboutANumber(_ error: any Error) -> Bool {
    let message = Motionctl.message(for: error)
    return message.hasPrefix("Missing expected argument") || message.hasPrefix("Unknown option")
  }

  /// Prints the help, version or completion script that was requested, or the error for invalid arguments.
  private static func answer(_ error: any Error, _ console: Console) -> ExitStatus {
    let isAnswer = Motionctl.exitCode(for: error) == .success
    let columns = console.outputIsTerminal ? min(Console.size.columns, 100) : 80
    let message = Motionctl.fullMessage(for: error, columns: columns)
    if isAnswer {
      if !message.isEmpty { console.print(message) }
      return .success
    }
    console.note(ShownText.escaping(message))
    return .usage
  }
}
