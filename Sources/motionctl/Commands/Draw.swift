import ArgumentParser
import MotionClient
import MotionDrawing
import MotionFiles
import MotionHistory
import MotionModel

/// `motionctl draw`
struct Draw: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw values and velocities as curves.",
    usage: """
      motionctl draw [<target[/property]> ...] [--seconds <n>] [--svg <file>]
      motionctl draw [<target[/property]> ...] --last <duration> [<options>]
      motionctl draw [<target[/property]> ...] --at <moment> [<options>]
      motionctl draw [<target[/property]> ...] --recording <file> [<options>]
      """,
    discussion: """
      Follows the given properties for some seconds, then draws the value and the velocity of each lane over simulated \
      time. A vertical line marks each hand-over, where another intention took over the property, with its type. \
      Ctrl-C stops following early.

      --svg writes a self-contained picture that is readable on light and on dark backgrounds. --last, --from and --to \
      draw a part of the last minutes, as far as motiond keeps them, and --at the ten seconds up to a moment. --recording \
      draws a recording, or such a part of it; it needs no daemon. A moment is a simulated time (12.5s), a time before the end \
      (-30s), or a time of the wall clock in UTC (01:58:12).

      EXAMPLES
        motionctl draw ball
        motionctl draw ball/position lamp --seconds 5 --svg motion.svg
        motionctl draw ball --last 30s
        motionctl draw ball --at 01:58:12
        motionctl draw ball --recording show.mcap --svg show.svg
        motionctl draw ball --recording show.mcap --from 01:57:50 --to 01:58:20
        motionctl draw ball --json | jq '.tracks[].handOvers'
      """)

  /// The default time of following, in seconds: most movements are over by then.
  private static let usual = 3.0
  /// The longest time of following, in seconds: an hour, so that a mistyped number does not wait for ever. The stored
  /// samples are bounded separately.
  fileprivate static let longest = 3600.0

  /// How many seconds up to a moment are drawn.
  private static let leading = 10.0

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many seconds to follow (default: 3).", valueName: "n"),
    transform: parsedSeconds)
  var seconds: Double?

  @Option(
    help: ArgumentHelp("Also write an SVG picture into this file.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(help: ArgumentHelp("Draw a recording instead of live values.", valueName: "file"), completion: .file())
  var recording: String?

  @OptionGroup var span: SpanOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Draw the ten seconds up to this moment: 12.5s, -30s, 01:58:12.", valueName: "moment"),
    transform: parsedMoment)
  var at: RecordedMoment?

  @OptionGroup var options: PlaceOption

  @Argument(
    help: ArgumentHelp("A target or property to draw (default: all).", valueName: "target[/property]"),
    completion: .custom(Candidates.places), transform: WatchedPlace.init(parsing:))
  var places: [WatchedPlace] = []

  func validate() throws {
    if recording != nil, seconds != nil {
      throw ValidationError("--seconds does not apply to a recording: name a part with --at, --from, --to or --last")
    }
    if at != nil, !span.isWhole {
      throw ValidationError("--at names a part by itself: omit --from, --to and --last")
    }
    if seconds != nil, !span.isWhole || at != nil {
      throw ValidationError(
        "--seconds follows live values: name a part of the past with --at, --from, --to or --last alone")
    }
  }

  func run() throws {
    let console = Console()
    let named = self.places + options.named
    let places = named.isEmpty ? [.everything] : named
    // Before following, not after an hour of it.
    if let svg { try FileBytes.checkWritable(svg) }
    if let at {
      let part = try SpanOptions.part(leadingTo: at, seconds: Self.leading, of: recording, connection)
      try show(try RecordedTracks.read(part.timeline, part.before, part.last, places), missed: 0, console)
    } else if let recording, span.isWhole {
      try show(try RecordedTracks.read(recording, places), missed: 0, console)
    } else if recording != nil || !span.isWhole || seconds == nil && ShellSession.current?.past != nil {
      // In a shell, that of `at` unless --seconds asks for live values.
      let part = try span.part(of: recording, connection)
      try show(try RecordedTracks.read(part.timeline, part.before, part.last, places), missed: 0, console)
    } else {
      try follow(places, console)
    }
  }

  private func follow(_ places: [WatchedPlace], _ console: Console) throws {
    let client = try connection.client()
    // Before the first output, so that a signal from then on ends the following early.
    let interruption = Interruption()
    let scopes = try WatchedPlace.scopes(places, of: client)
    var live = try failing { () throws(MotionClientError) in
      try LiveTracks(scopes, of: client, timeout: connection.timeout)
    }
    let seconds = self.seconds ?? Self.usual
    console.note("Following for \(JSONText.number(seconds)) s (Ctrl-C ends it earlier).")
    let tracks = try live.follow(for: .seconds(seconds), until: interruption)
    try show(tracks, missed: live.missed, console)
  }

  private func show(_ tracks: MotionTracks, missed: UInt64, _ console: Console) throws(Failure) {
    if missed > 0 { console.note("note: \(missed) messages were missed; the curves are straight lines there") }
    if tracks.leftOut > 0 {
      console.note("note: \(tracks.leftOut) more properties are not drawn: name the properties to draw")
    }
    if tracks.isFull { console.note("note: the limit of samples is reached; the end is missing") }
    if reading.json {
      console.print(JSONOutput(tracks, missed: missed).line)
    } else {
      let style = console.outputStyle
      let lines = TerminalDrawing(tracks.tracks, width: console.width) { style.paint($1, as: $0) }.lines
      console.print(Array(lines.dropLast()))
    }
    if tracks.tracks.isEmpty {
      throw Failure(
        .failure, "nothing to draw: no such property had a value",
        remedy: "list the properties: motionctl list properties")
    }
    guard let svg else { return }
    try FileBytes.write(SVGDrawing(tracks.tracks).text, to: svg)
    if !reading.json { console.note("Drawn into \(svg).") }
  }
}

extension Style {
  /// A piece of a drawing in its colour.
  func paint(_ text: String, as part: TerminalDrawing.Part) -> String {
    switch part {
    case .title: bold(text)
    case .axis: dim(text)
    case .value: cyan(text)
    case .velocity: green(text)
    case .mark: yellow(text)
    }
  }
}

/// Reads `--seconds`.
private func parsedSeconds(_ text: String) throws -> Double {
  guard let seconds = Double(text), seconds > 0, seconds <= Draw.longest else {
    throw ValidationError("write a number of seconds above 0 and at most 3600")
  }
  return seconds
}
