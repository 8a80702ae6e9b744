import ArgumentParser
import Foundation
import Logging
import MotionArguments
import MotionGateway
import MotionLog
import MotionModel

/// `motion-gateway`: parses the command line and runs a gateway.
@main
struct MotionGatewayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion-gateway",
    abstract:
      "Connects untrusted clients and workers to motiond through a separate process that fails in its place.",
    discussion: """
      Every message is decoded, checked and encoded again. Memory, connections and allowed requests are limited. If a \
      peer still exhausts them, the gateway exits and motiond continues: let a service manager restart the gateway.

      Without the name of a subcommand it is a gateway for clients.

      Signals: TERM and INT stop it, HUP reads the files of --admit again. Exit codes: 0 stopped as asked, 1 failure, 2 wrong usage.
      """,
    version: Release.version, subcommands: [ClientsCommand.self, WorkerCommand.self],
    defaultSubcommand: ClientsCommand.self)

  /// Exits with code 2 for wrong usage, as every command of motiond does.
  static func main() {
    do {
      var command = try parseOnce()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      guard code == .success else {
        // Any other error was already written to the log, which does not wait for its reader.
        if !(error is ExitCode) { FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8)) }
        Foundation.exit(code == .failure ? 1 : 2)
      }
      print(fullMessage(for: error))
    }
  }
}

/// The options of a gateway's log.
struct LogOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The lowest level to log: trace, debug, info, notice, warning, error, critical.", valueName: "level"))
  var logLevel = "info"

  func validate() throws {
    guard Logger.Level(rawValue: logLevel) == nil else { return }
    let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("\"\(logLevel)\" is not a log level; give one of \(known)")
  }

  /// Runs a gateway with this log. An error of the gateway is logged and makes the command fail.
  func run(_ gateway: (Logger) throws -> Void) throws {
    GatewayProcess.prepare()
    let label = "motion-gateway"
    // A log without a reader, or whose reader closes it, must not stop the gateway.
    let lines = try LineWriter { lost in
      LineLogHandler.note("\(lost) lines before this one could not be written in time, and are lost", label: label)
    }
    defer { lines.finish() }
    var logger = Logger(label: label) { LineLogHandler(label: $0, writer: lines) }
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
    do {
      try gateway(logger)
    } catch {
      lines.write("motion-gateway: \(error)\n")
      throw ExitCode((error as? GatewayError)?.isUsage == true ? 2 : 1)
    }
  }
}
