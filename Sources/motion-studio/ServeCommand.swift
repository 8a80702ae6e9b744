import ArgumentParser
import Foundation
import LinuxSystem
import Logging
import MotionClient
import MotionLog
import MotionStudio
import MotionWire

/// `motion-studio serve`, also the command without a subcommand.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the page and viewers, until a signal ends it.",
    discussion: """
      It prints the address of the page, with the page's token, and keeps it in a file for motionctl open.

      It listens at addresses of this machine only. From another machine, come through a tunnel: \
      ssh -L 8765:127.0.0.1:8765 MACHINE
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("motiond's directory, or a gateway's (default: as for motionctl).", valueName: "dir"),
    completion: .directory)
  var runtimeDir: String?

  @Option(
    name: .long,
    help: ArgumentHelp("A motiond on another machine; needs --key and --server-key.", valueName: "tcp://host:port"))
  var connect: String?

  @Option(
    name: .long, help: ArgumentHelp("Your own pair of keys, for --connect.", valueName: "file"), completion: .file())
  var key: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The public key of that motiond, or its file.", valueName: "key|file"), completion: .file())
  var serverKey: String?

  @Option(name: .long, help: ArgumentHelp("The address to listen at, one of this machine.", valueName: "address"))
  var listen = "127.0.0.1"

  @Option(name: .long, help: ArgumentHelp("The port; 0 for any.", valueName: "port"))
  var port = 8765

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A further name of this server, such as that of a tunnel's other end. Repeat it for several.", valueName: "name"))
  var host: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The site of a viewer that may connect from a browser, such as https://app.foxglove.dev. Repeat it for several.",
      valueName: "origin"))
  var allowOrigin: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The targets with channels: names and patterns, such as lamp*, separated by commas (default: the first 1000 targets).",
      valueName: "pattern"))
  var channels: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder of the page's files (default: the page that came with motion-studio).", valueName: "dir"),
    completion: .directory)
  var page: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The folder of the recordings that viewers may play at /recording/NAME.", valueName: "dir"),
    completion: .directory)
  var recordings: String?

  @OptionGroup var places: StudioPlaces

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The lowest level to log: trace, debug, info, notice, warning, error, critical.", valueName: "level"))
  var logLevel = "info"

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is \(port); give 0 to 65535") }
    if let origin = allowOrigin.first(where: { !Access.isOrigin($0) }) {
      throw ValidationError(
        "--allow-origin \"\(origin)\" is not an origin; give a scheme and a host, such as https://app.foxglove.dev")
    }
    if connect == nil, key != nil || serverKey != nil {
      throw ValidationError("--key and --server-key are for --connect")
    }
    if connect != nil {
      guard runtimeDir == nil else { throw ValidationError("give either --runtime-dir or --connect") }
      guard key != nil, serverKey != nil else {
        throw ValidationError("--connect needs --key FILE and --server-key KEY")
      }
    }
    guard Logger.Level(rawValue: logLevel) != nil else {
      let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\"\(logLevel)\" is not a log level; give one of \(known)")
    }
  }

  func run() throws {
    StudioProcess.prepare()
    let label = "motion-studio"
    // A log without a reader, or whose reader closes it, must not stop the server.
    let lines = try LineWriter { lost in
      LineLogHandler.note("\(lost) lines before this one could not be written in time, and are lost", label: label)
    }
    defer { lines.finish() }
    var logger = Logger(label: label) { LineLogHandler(label: $0, writer: lines) }
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
    do {
      let server = try StudioServer(settings(), logger: logger)
      let addressFile = AddressFile(StudioPage.file(environment: ProcessInfo.processInfo.environment))
      do {
        try addressFile.write(server.pageAddress)
      } catch {
        logger.warning("motionctl open cannot find this server: \(error)")
      }
      FileHandle.standardOutput.write(Data((server.pageAddress + "\n").utf8))
      StudioProcess.awaitEnd()
      addressFile.remove()
      server.stop()
    } catch {
      lines.write("motion-studio: \(error)\n")
      throw ExitCode((error as? StudioError)?.isUsage == true ? 2 : 1)
    }
  }

  private func settings() throws -> StudioSettings {
    var settings = StudioSettings(motiond: try motiond())
    (settings.host, settings.port) = (listen, port)
    (settings.hosts, settings.origins, settings.channels) = (host, allowOrigin, channels)
    settings.page = page ?? StudioPlaces.page
    settings.recordings = recordings
    settings.viewersFile = places.viewersFile
    return settings
  }

  private func motiond() throws -> MotiondAddress {
    if let connect, let key, let serverKey {
      return .remote(try RemoteDaemon(connect, keyFile: key, serverKey: serverKey))
    }
    return .directories(RuntimePaths.candidates(flag: runtimeDir, environment: ProcessInfo.processInfo.environment))
  }
}
