import ArgumentParser
import Glibc
import MotionClient
import MotionFiles
import MotionModel

/// `motionctl record`
struct RecordCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the run to a file: from now on, or the last minutes.",
    usage: """
      motionctl record start <file>
      motionctl record stop
      motionctl record status
      motionctl record --last <duration> <file>
      motionctl record --from <moment> [--to <moment>] <file>
      """,
    discussion: """
      A recording has the complete state, and then all that happens, frame by frame. It opens in readers of MCAP, and in \
      replay, export, diff, draw and fork.

      --last, --from and --to write a recording of what has happened already, as far as motiond keeps it (see its \
      setting history). This program writes the file then, and an existing one is replaced. It begins up to a minute \
      or so earlier, at the nearest moment at which a replay can begin.

      EXAMPLES
        motionctl record start show.mcap
        motionctl record stop
        motionctl record --last 5min show.mcap
        motionctl replay show.mcap
      """,
    subcommands: [Start.self, StopRecording.self, ShowRecording.self, RecordPast.self],
    defaultSubcommand: RecordPast.self)

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

    func validate() throws {
      guard !file.isEmpty, file != "-" else {
        throw ValidationError(
          "motiond writes the file: give its name (motionctl record --last 5min - writes to standard output)")
      }
    }

    func run() throws {
      let client = try connection.client()
      let path = try Self.absolute(file)
      _ = try failing { () throws(MotionClientError) in try client.startRecording(to: path) }
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
      _ = try failing { () throws(MotionClientError) in try client.stopRecording() }
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
