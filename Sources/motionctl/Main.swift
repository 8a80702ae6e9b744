import ArgumentParser
import Glibc

/// Parses, runs, and turns what went wrong into a message and an exit code.
@main
enum Main {
  static func main() {
    let console = Console()
    do {
      var command = try Motionctl.parseAsRoot()
      try command.run()
    } catch let failure as Failure {
      end(failure, console)
    } catch {
      end(error, console)
    }
  }

  private static func end(_ failure: Failure, _ console: Console) -> Never {
    console.note(console.errorStyle.red("error: ") + failure.message)
    if !failure.remedy.isEmpty { console.note(console.errorStyle.dim("  try: ") + failure.remedy) }
    exit(failure.code.rawValue)
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
