import ArgumentParser
import Foundation
import MotionArguments
import MotionModel

/// `motion-studio`: parses the command line and runs the server.
@main
struct MotionStudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion-studio",
    abstract: "Show motion in a browser, and in viewers that speak the protocol of Foxglove.",
    discussion: """
      It is a client of motiond like any other: it may end and be started again while motion goes on.

      Viewers such as Foxglove, Lichtblick and PlotJuggler connect to ws://127.0.0.1:8765/live?token=TOKEN. Each has a \
      token of its own, which motion-studio viewer add makes. The page has its token in the printed address.

      Without the name of a subcommand it serves.

      Signals: TERM and INT stop it. Exit codes: 0 stopped as asked, 1 failure, 2 wrong usage.
      """,
    version: Release.version, subcommands: [ServeCommand.self, ViewerCommand.self], defaultSubcommand: ServeCommand.self
  )

  /// Exits with code 2 for wrong usage, as every command of motiond does.
  static func main() {
    do {
      var command = try parseOnce()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      guard code == .success else {
        if !(error is ExitCode) { FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8)) }
        Foundation.exit(code == .failure ? 1 : 2)
      }
      print(fullMessage(for: error))
    }
  }
}
