import ArgumentParser
import MotionModel
import MotionWire

/// `motionctl export`
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a recording with the values of properties, for other programs.",
    usage: "motionctl export <recording> <output> [--values | --csv] [--rate <hz>] [--target <target[/property]> ...]",
    discussion: """
      Runs the recording again, without a daemon, and writes a file in the format MCAP that viewers and Python open: \
      the recording itself and, with --values, a channel for each property with value and velocity, one with the \
      drivers, and one with events. --csv writes a table of values with commas instead. docs/recording.md describes \
      the channels and columns.

      Without --values a recording is copied; one of an older format is converted.

      EXAMPLES
        motionctl export show.mcap values.mcap --values
        motionctl export show.mcap ball.csv --csv --rate 30 --target ball
      """)

  @Argument(help: "A recording that motiond --record wrote.", completion: .file())
  var recording: String

  @Argument(help: "The file to write, or - for standard output.", completion: .file())
  var output: String

  @Flag(help: "Add the values, drivers and events to the recording.")
  var values = false

  @Flag(help: "Write a table of values with commas, and no recording.")
  var csv = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The most samples of a property in a second of simulated time (default: each change).", valueName: "hz"))
  var rate: Double?

  @Option(
    name: .targets,
    help: ArgumentHelp(
      "Only the values of this target or property (default: all). Repeat it for several.",
      valueName: "target[/property]"), transform: WatchedPlace.init(parsing:))
  var places: [WatchedPlace] = []

  func validate() throws {
    if values && csv { throw ValidationError("--values and --csv exclude each other: give one of them") }
    if !values && !csv && (rate != nil || !places.isEmpty) {
      throw ValidationError("--rate and --target concern values: give --values or --csv, too")
    }
    if let rate, !(rate > 0 && rate <= Limits.rate.upperBound) {
      throw ValidationError("write a rate above 0 and at most \(Int(Limits.rate.upperBound))")
    }
  }

  func run() throws {
    let console = Console()
    let file = try OutputFile(output, from: recording)
    let asTable = csv
    let exported = values || csv ? WatchedPlace.distinct(places) : []
    var export = RecordingExport(exported, rate: rate) { header, time in
      if asTable { return ValueTable() }
      return ExportEncoder(header, at: time)
    }
    var problem: Failure?
    var end = RecordingReader.End.complete
    do {
      end = try RecordingPlayer(file: recording).play(prepare: { export.begin($0, $1) }) { played in
        guard problem == nil else { return }
        export.take(played)
        do throws(Failure) { try file.write(export.bytes()) } catch { problem = error }
      }
      if let problem { throw problem }
    } catch {
      // A recording that is damaged is exported up to there.
      if problem == nil { try Self.finish(&export, file) }
      throw error
    }
    try Self.finish(&export, file)
    console.note("Exported \(export.frames == 1 ? "1 frame" : "\(export.frames) frames") to \(output).")
    for place in export.missing { console.note("note: the recording has no values of \(place)") }
    if end != .complete {
      console.note("note: the recording has no end: it was interrupted, or is still being written")
    }
    if export.isFull {
      throw Failure(
        .failure, "there are more properties than channels in a file: the values of some are missing",
        remedy: "name the targets to export: --target NAME")
    }
    if let frame = export.difference {
      throw Failure(
        .failure, "the replay differs from the recording from frame \(frame) on, and so do the values",
        remedy: "use the motionctl version and the kind of processor with which it was recorded")
    }
  }

  private static func finish(_ export: inout RecordingExport, _ file: OutputFile) throws(Failure) {
    export.finish()
    try file.write(export.bytes())
    try file.finish()
  }
}
