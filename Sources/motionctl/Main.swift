import ArgumentParser
import CLinux
import Glibc

/// Parses, runs, and turns what went wrong into a message and an exit code.
@main
enum Main {
  static func main() {
    let console = Console()
    do {
      var command = try parse(Array(CommandLine.arguments.dropFirst()))
      try command.run()
    } catch let failure as Failure {
      console.fail(failure)
    } catch {
      end(error, console)
    }
  }

  /// The command that the arguments mean.
  ///
  /// No option here is a digit, so a negative number is a value, which merely looks like an option: it goes behind `--`,
  /// and the command says what it thinks of it.
  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    do {
      return try Motionctl.parseAsRoot(arguments)
    } catch {
      let numbers = arguments.filter { $0.hasPrefix("-") && Double($0) != nil }
      guard !numbers.isEmpty, !arguments.contains("--") else { throw error }
      return try Motionctl.parseAsRoot(arguments.filter { !numbers.contains($0) } + ["--"] + numbers)
    }
  }

  /// Help, a version or a completion script that was asked for, or arguments that make no sense.
  private static func end(_ error: any Error, _ console: Console) -> Never {
    let isAnswer = Motionctl.exitCode(for: error) == .success
    let columns = console.outputIsTerminal ? min(Console.size.columns, 100) : 80
    let message = Motionctl.fullMessage(for: error, columns: columns)
    if isAnswer {
      if !message.isEmpty { console.print(message) }
      exit(ExitStatus.success.rawValue)
    }
    console.note(message)
    exit(ExitStatus.usage.rawValue)
  }
}
