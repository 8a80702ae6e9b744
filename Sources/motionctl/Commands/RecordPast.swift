import ArgumentParser
import MotionFiles
import MotionHistory
import MotionModel

/// `motionctl record --last DURATION FILE`
struct RecordPast: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "last",
    abstract: "Write a recording of the last minutes.",
    usage: """
      motionctl record --last <duration> <file> [<options>]
      motionctl record --from <moment> [--to <moment>] <file> [<options>]
      """,
    discussion: """
      The recording is made of what motiond keeps. It begins at the nearest moment before at which a replay can begin.

      EXAMPLES
        motionctl record --last 5min show.mcap
        motionctl record --from 01:57:50 --to 01:58:20 show.mcap
      """,
    shouldDisplay: false)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var span: SpanOptions

  @Argument(help: "The file to write, or - for standard output.", completion: .file())
  var file: String

  func validate() throws {
    guard !span.isWhole else {
      throw ValidationError("name a part, such as --last 5min; motionctl record start FILE records from now on")
    }
  }

  func run() throws {
    let console = Console()
    if file != "-" { try FileBytes.checkWritable(file) }
    var output = OutputFile(file)
    let extent = try DaemonHistory(connection).write(span) {
      output = OutputFile(file)
    } to: {
      try output.write($0)
    }
    try output.finish()
    if reading.json { return console.print(JSONOutput(extent, file: file).line) }
    let frames = extent.frames == 1 ? "1 frame" : "\(extent.frames) frames"
    let length = NumberText.seconds(extent.end.time - extent.beginning.frame.time)
    let text = "Recorded \(frames), \(length), from \(Console.text(of: extent.beginning)) on, to \(file)"
    // The file may be standard output.
    file == "-" ? console.note(text) : console.print(text)
  }
}

extension JSONOutput {
  fileprivate init(_ extent: HistoryReader.Extent, file: String) {
    self = [
      "path": .text(file), "frames": .count(extent.frames), "frame": .unsigned(extent.end.number),
      "time": .number(extent.end.time), "beginning": .number(extent.beginning.frame.time),
      "complete": .flag(!extent.isShort),
    ]
  }
}
