import ArgumentParser
import MotionCore
import MotionFiles
import MotionHistory
import MotionModel

/// `motionctl replay`
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a recording again: compare every frame, or watch it.",
    usage: """
      motionctl replay <file> [--from <moment>] [--to <moment>] [--json]
      motionctl replay <file> --speed <factor> [--from <moment>] [<options>]
      motionctl replay --last <duration> [--speed <factor>] [<options>]
      """,
    discussion: """
      It needs neither a daemon nor workers: their messages are in the recording. Each frame is computed again and has \
      to give the same bits. If frames differ, the first of them are listed, and the exit code is 1. With --from, --to \
      or --last only the frames of that part are compared. Without a file the part is one of the last minutes, as far \
      as motiond keeps them; of these it keeps no bits to compare.

      --speed plays the part instead, in real time times the factor: at a terminal in a table like that of watch, \
      otherwise as a line of JSON for each frame. Where nothing moved for longer, it waits for two seconds at most. \
      Add --compare to compare, too.

      A moment is a simulated time (12.5s), a time before the end (-30s), or a time of the wall clock in UTC \
      (01:58:12, 2026-11-26T01:58:12).

      EXAMPLES
        motiond --record show.mcap     record, until it is stopped
        motionctl replay show.mcap
        motionctl replay --last 30s --speed 0.25 --target ball
        motionctl replay show.mcap --from 01:57:50 --to 01:58:20 --speed 0.25 --target ball
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var span: SpanOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Play it at this speed: 1 is real time, 0.25 slow motion.", valueName: "factor"),
    transform: parsedFactor)
  var speed: Double?

  @Flag(help: "Compare every frame while it is played (without --speed this is always done).")
  var compare = false

  @Option(
    name: .customLong("target"),
    help: ArgumentHelp(
      "Play only the values of this target or property (default: all). Repeat it for several.",
      valueName: "target[/property]"), transform: WatchedPlace.init(parsing:))
  var places: [WatchedPlace] = []

  @Argument(help: "A recording (default: the daemon's last minutes).", completion: .file())
  var file: String?

  func validate() throws {
    guard file != nil || !span.isWhole || ShellSession.current?.past != nil else {
      throw ValidationError("name a recording, or a part of the daemon's last minutes, such as --last 30s")
    }
    if speed == nil, !places.isEmpty { throw ValidationError("--target concerns what is played: give --speed, too") }
  }

  func run() throws {
    let console = Console()
    guard let report = try replay(console) else { return }
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

  /// - Returns: the comparison, unless none is wanted.
  private func replay(_ console: Console) throws(Failure) -> ReplayReport? {
    if let file, speed == nil, span.isWhole {
      var report = ReplayReport(file: file)
      report.end = try RecordingPlayer(file: file).play { report.take($0.recorded, $0.difference) }
      return report
    }
    let (timeline, before, last) = try span.part(of: file, connection)
    var report = ReplayReport(file: timeline.file)
    try timeline.go(to: before)
    if let speed {
      let asLines = reading.json || !console.outputIsTerminal
      var playback = Playback(timeline, of: places, speed: speed)
      try playback.play(through: last, asLines: asLines, console) {
        report.take($0.recorded, $0.difference)
      }
    } else {
      while timeline.runtime.frame.number < last, let played = try timeline.advance() {
        report.take(played.recorded, played.difference)
      }
    }
    if span.to == nil { try timeline.checkDamage() }
    return speed == nil || compare ? report : nil
  }
}

/// Reads `--speed`.
private func parsedFactor(_ text: String) throws -> Double {
  guard let speed = Double(text), speed >= 0.001, speed <= 1000 else {
    throw ValidationError("write a factor from 0.001 to 1000, such as 1 or 0.25")
  }
  return speed
}
