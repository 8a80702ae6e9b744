import ArgumentParser
import MotionCore
import MotionDrawing
import MotionFiles
import MotionHistory
import MotionModel

/// `motionctl fork`
struct ForkRecording: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fork",
    abstract: "Show what would have happened without some transactions, or with others.",
    usage: """
      motionctl fork [<recording>] --at <moment> [--without <sequence> ...] [--with <file> ...] [--until <seconds>|rest]
      """,
    discussion: """
      Replays a recording up to a moment, and continues from there in this process: without the given transactions, \
      with the given files, and with everything else that clients did. What was and what would have been are compared. \
      Nothing moves. Without a recording it begins at a moment of the last minutes, as far as motiond keeps them.

      Springs, moves, tweens and compositions move as in production. A plan that needs a device, a hand or the worker \
      of another plugin is held: its property keeps its place, and the report names the plan.

      A moment is a simulated time (12.5s), a time before the end (-30s), a time of the wall clock in UTC (01:58:12, \
      2026-11-26T01:58:12), or --frame. Sequences are those of receipts and of "motionctl journal show"; without one, \
      and without a file, the report shows only what would have followed by itself.

      EXAMPLES
        motionctl fork --at -30s --without 41
        motionctl fork show.mcap --at 01:58:12 --without 41
        motionctl fork show.mcap --at -30s --with softer.json --draw
        motionctl fork show.mcap --frame 7200 --without 41 --svg fork.svg
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Argument(help: "A recording (default: the daemon's last minutes).", completion: .file())
  var recording: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The moment at which the other course begins.", valueName: "moment"),
    transform: parsedMoment)
  var at: RecordedMoment?

  @Option(help: ArgumentHelp("The frame after which the other course begins.", valueName: "number"))
  var frame: UInt64?

  @Option(help: ArgumentHelp("A transaction that does not happen; may be repeated.", valueName: "sequence"))
  var without: [UInt64] = []

  @Option(
    help: ArgumentHelp("A transaction file that is committed at that moment; may be repeated.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var with: [String] = []

  @Option(
    help: ArgumentHelp(
      "How many seconds later the course ends; at rest, but at most a minute after the recording.",
      valueName: "seconds|rest"), transform: parsedLength)
  var until: CourseEnd = .rest

  @Flag(help: "Draw both courses over each other.")
  var draw = false

  @Option(
    help: ArgumentHelp("Also draw them into this SVG file.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  func validate() throws {
    guard (at == nil) != (frame == nil) else {
      throw ValidationError("name one moment: --at or --frame")
    }
    if with.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
  }

  func run() throws {
    let console = Console()
    if let svg { try FileBytes.checkWritable(svg) }
    let moment = at ?? .frame(frame ?? 0)
    let timeline = try timeline(from: moment)
    let sequences = try timeline.wholeTimes().sequences
    if let sequence = without.first(where: { !sequences.contains($0) }) {
      throw Failure(
        .failure, "\(timeline.file) contains no transaction \(sequence)",
        remedy: "receipts and motionctl journal show state the sequences")
    }
    var course = try ForkedCourse(of: timeline, at: moment, lastSequence: sequences.max() ?? 0)
    try course.change(without: without, with: with)
    try course.run(until: until.seconds)
    let report = ForkReport(course)
    if reading.json {
      console.print(JSONOutput(report).line)
    } else {
      console.print(report.lines(style: console.outputStyle))
    }
    let tracks = course.overlays
    if draw, !reading.json {
      let style = console.outputStyle
      console.print(TerminalDrawing(tracks, width: console.width) { style.paint($1, as: $0) }.lines)
    }
    guard let svg else { return }
    try FileBytes.write(SVGDrawing(tracks, title: "\(timeline.file) (a), and what would have been (b)").text, to: svg)
    if !reading.json { console.note("Drawn into \(svg).") }
  }

  /// The recording, or the daemon's history from the moment on. In a shell, that of `at` is meant without a file.
  private func timeline(from moment: RecordedMoment) throws(Failure) -> Timeline {
    if let recording { return try Timeline.opened(recording) }
    if let past = ShellSession.current?.past, !past.isInHistory { return past.timeline }
    return try DaemonHistory(connection).timeline(from: moment)
  }
}

/// When the other course ends.
enum CourseEnd {
  /// When everything is at rest.
  case rest
  /// So many seconds after its beginning.
  case after(Double)

  fileprivate var seconds: Double? { if case .after(let seconds) = self { seconds } else { nil } }
}

/// Reads `--until`.
private func parsedLength(_ text: String) throws -> CourseEnd {
  if text == "rest" { return .rest }
  let text = text.hasSuffix("s") ? String(text.dropLast()) : text
  guard let seconds = Double(text), seconds > 0, seconds <= 3600 else {
    throw ValidationError("write a number of seconds above 0 and at most 3600, or rest")
  }
  return .after(seconds)
}
