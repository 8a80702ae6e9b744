import ArgumentParser
import Glibc
import MotionClient
import MotionModel

/// `motionctl record`
struct RecordCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the run to a file, from now on.",
    discussion: """
      A recording has the complete state, and then all that happens, frame by frame. It opens in readers of MCAP, and in \
      replay, export, diff, draw and fork.

      EXAMPLES
        motionctl record start show.mcap
        motionctl record stop
        motionctl replay show.mcap
      """,
    subcommands: [Start.self, StopRecording.self, ShowRecording.self])

  /// `motionctl record start`
  struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Begin a recording.",
      usage: "motionctl record start <file> [<options>]",
      discussion: """
        The daemon writes the file, on its machine and with its rights. An existing recording is kept under the next \
        free name (show.mcap.1); any other file is refused. The first frame waits for the copy of the state: some \
        microseconds for each plan and property.
        """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The file, on the daemon's machine.", completion: .file())
    var file: String

    func run() throws {
      let client = try connection.client()
      let path = try Self.absolute(file)
      try failing { () throws(MotionClientError) in try client.startRecording(to: path) }
      Console().print("Recording to \(path)")
    }

    /// The path from the root: the daemon has another working directory.
    private static func absolute(_ file: String) throws(Failure) -> String {
      if file.hasPrefix("/") { return file }
      guard let directory = getcwd(nil, 0) else {
        throw Failure(.failure, "the working directory is gone", remedy: "name the file by its path from the root")
      }
      defer { free(directory) }
      return String(cString: directory) + "/" + file
    }
  }

  /// `motionctl record stop`
  struct StopRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop",
      abstract: "End the recording: its file is complete.",
      usage: "motionctl record stop [<options>]")

    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let client = try connection.client()
      let path = try failing { () throws(MotionClientError) in try client.status() }.recording?.path
      try failing { () throws(MotionClientError) in try client.stopRecording() }
      Console().print(path.map { "Recorded \($0)" } ?? "Recorded")
    }
  }

  /// `motionctl record status`
  struct ShowRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show whether, and where to, the daemon records.",
      usage: "motionctl record status [<options>]")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var reading: ReadingOptions

    func run() throws {
      let client = try connection.client()
      let recording = try failing { () throws(MotionClientError) in try client.status() }.recording
      let console = Console()
      if reading.json {
        let output: JSONOutput = [
          "recording": .flag(recording.map(\.problem.isEmpty) ?? false), "path": .text(recording?.path ?? ""),
          "problem": .text(recording?.problem ?? ""),
        ]
        return console.print(output.line)
      }
      switch recording {
      case let recording? where recording.problem.isEmpty: console.print("Recording to \(recording.path)")
      case let recording?: console.print("Ended: \(recording.path): \(recording.problem)")
      case nil: console.print("Recording nothing")
      }
    }
  }
}
