import ArgumentParser
import MotionClient
import MotionFiles
import MotionHistory
import MotionModel

/// `motionctl why`
struct Why: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain why a property has its value: what drives it, for whom, what it took over from, what follows.",
    usage: """
      motionctl why <target.property> [<options>]
      motionctl why <target.property> [--recording <file>] --at <moment>
      """,
    discussion: """
      Shows value and velocity; the driver with its plan, and since when; the transaction, its client and comment; the \
      plan from which it took over; the plans that continue afterwards. It also states whether the worker is late or \
      gone, whether the difference of a hand-over still fades, and which limits hold the property back.

      Without a moment the daemon answers about the present. --at looks back into its last minutes, as far as it keeps \
      them, and --recording into a recording, without a daemon. They are replayed up to the moment; the answer is the one \
      that the daemon would have given then.

      EXAMPLES
        motionctl why ball.position
        motionctl why ball.position --at -30s
        motionctl why ball.position --recording show.mcap --at 01:58:12
        motionctl why ball/position --recording show.mcap --at -30s --json | jq .plan.committed
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions
  @OptionGroup var moment: MomentOptions

  @Argument(
    help: ArgumentHelp("The property to explain.", valueName: "target.property"),
    completion: .custom(Candidates.places), transform: parsedProperty)
  var property: PropertyReference

  func run() throws {
    let console = Console()
    let explanation: Explanation
    var wallTime: Int64?
    if let timeline = try moment.timeline(connection) {
      guard case .why(let answer) = try timeline.answer(.why(property)) else { return }
      explanation = answer
      wallTime = timeline.clocks?.wallTime
    } else {
      let client = try connection.client()
      explanation = try failing { () throws(MotionClientError) in try client.explanation(of: property) }
      wallTime = client.moment?.wallTime
      if !reading.json { try noteStandstill(client, console) }
    }
    if reading.json { return console.print(JSONOutput(explanation, wallTime: wallTime).lines(levels: 1)) }
    console.print(
      ExplanationReport(explanation, wallTime: wallTime, style: console.outputStyle).lines(width: console.width))
  }

  /// Notes that time stands: then nothing moves, whatever drives it.
  private func noteStandstill(_ client: MotionClient, _ console: Console) throws(Failure) {
    let clock = try failing { () throws(MotionClientError) in try client.status() }.clock
    guard clock.stands else { return }
    let state = clock.hold.map { "motion is held, by \($0.by)" } ?? "time is paused"
    console.note(console.errorStyle.yellow("note: ") + "\(state): nothing moves until it goes on".shownOnOneLine)
  }
}

/// Reads `TARGET.PROPERTY` or `TARGET/PROPERTY`.
private func parsedProperty(_ text: String) throws -> PropertyReference {
  do {
    return try ShortForm.property(text)
  } catch {
    throw ValidationError(error.message + (error.remedy.isEmpty ? "" : ": \(error.remedy)"))
  }
}
