import ArgumentParser
import MotionCore
import MotionDrawing
import MotionFiles
import MotionHistory
import MotionModel

/// `motionctl diff`
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare the motion of two recordings.",
    usage: "motionctl diff <first> <second> [--tolerance <number>] [--svg <file>] [--json]",
    discussion: """
      Replays both recordings side by side and compares all properties in each frame: the first frame that differs, the \
      largest difference of each property in value and velocity, and the plans that only one of the recordings has. \
      Frames are compared by their numbers. Where one recording is longer, the other counts as standing still. If \
      something differs, the exit code is 1; if they cannot be compared, as one is damaged or missing, it is 2.

      For a test in CI, record a show that is stepped while time is paused: its frames do not depend on the machine's \
      speed. Between different processors or versions, allow for rounding: --tolerance 1e-9.

      EXAMPLES
        motionctl diff golden.mcap today.mcap
        motionctl diff golden.mcap today.mcap --tolerance 1e-9 --svg difference.svg
        motionctl diff golden.mcap today.mcap --json | jq '.properties[0]'
      """)

  @OptionGroup var reading: ReadingOptions

  @Option(
    help: ArgumentHelp("How far values may differ, in units of the property (default: 0).", valueName: "number"),
    transform: parsedTolerance)
  var tolerance: Double = 0

  @Option(
    help: ArgumentHelp(
      "How far velocities may differ, in units per second (default: 100 times the tolerance of values).",
      valueName: "number"), transform: parsedTolerance)
  var velocityTolerance: Double?

  @Option(
    help: ArgumentHelp(
      "Write an SVG picture of the properties that differ most, both courses over each other.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Argument(help: "A recording that motiond --record wrote.", completion: .file())
  var first: String

  @Argument(help: "Another one.", completion: .file())
  var second: String

  func run() throws {
    let console = Console()
    if let svg { try FileBytes.checkWritable(svg) }
    let tolerance = RecordingComparison.Tolerance(
      value: tolerance, velocity: velocityTolerance ?? 100 * tolerance)
    let comparison = try compare(tolerance, console)
    let report = ComparisonReport(comparison, files: [first, second])
    if reading.json {
      console.print(JSONOutput(report).line)
    } else {
      console.print(report.lines(style: console.outputStyle))
    }
    guard comparison.isDifferent else { return }
    if let svg, !comparison.differing.isEmpty {
      let picture = try ComparisonPicture(of: comparison.differing, in: [first, second])
      try FileBytes.write(picture.svg, to: svg)
      if !reading.json { console.note("Drawn into \(svg).") }
    }
    throw Failure(.failure, "the recordings differ")
  }

  /// Compares them, and notes which of them was interrupted. A file that cannot be read is no difference.
  private func compare(
    _ tolerance: RecordingComparison.Tolerance, _ console: Console
  ) throws(Failure) -> RecordingComparison {
    do throws(Failure) {
      let cursors = [try RecordingCursor.opened(first), try RecordingCursor.opened(second)]
      let comparison = try RecordingComparison.compare(cursors[0], cursors[1], tolerance)
      for (cursor, file) in zip(cursors, [first, second]) {
        if let text = ReplayReport.text(of: cursor.end) { console.note("note: \(file): \(text)") }
      }
      return comparison
    } catch {
      var failure = error
      if failure.code == .failure { failure.code = .usage }
      throw failure
    }
  }
}

/// Reads a tolerance.
private func parsedTolerance(_ text: String) throws -> Double {
  guard let number = Double(text), number >= 0, number.isFinite else {
    throw ValidationError("write a number that is not negative, such as 1e-9")
  }
  return number
}
