import ArgumentParser
import MotionCore
import MotionModel

/// `motionctl replay`
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a recording again and compare every frame.",
    usage: "motionctl replay <file> [--json]",
    discussion: """
      It needs neither a daemon nor workers: their messages are in the recording. Each frame is computed again and has \
      to give the same bits. If frames differ, the first of them are listed, and the exit code is 1.

      EXAMPLES
        motiond --record show.mcap     record, until it is stopped
        motionctl replay show.mcap
      """)

  @OptionGroup var reading: ReadingOptions

  @Argument(help: "A recording that motiond --record wrote.", completion: .file())
  var file: String

  func run() throws {
    let console = Console()
    let report = try replay()
    if reading.json {
      console.print(JSONOutput(report).line)
    } else {
      console.print(report.lines(style: console.outputStyle))
    }
    if !report.differences.isEmpty {
      throw Failure(
        .failure, "the replay differs from the recording",
        remedy: "use the motionctl version and the kind of processor with which it was recorded")
    }
  }

  private func replay() throws(Failure) -> ReplayReport {
    var report = ReplayReport(file: file)
    report.end = try RecordingPlayer(file: file).play { report.take($0.recorded, $0.difference) }
    return report
  }
}
