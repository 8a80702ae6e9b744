import ArgumentParser
import MotionClient
import MotionCore
import MotionFiles
import MotionHistory
import MotionModel

/// `motionctl describe`
struct Describe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Describe a type of intention: what it does, and its fields.",
    usage: "motionctl describe <type> [--recording <file>] [--at <moment>]",
    discussion: """
      With --recording or --at the type is described as it was then.

      EXAMPLES
        motionctl describe SpringTo
        motionctl describe Tween --json | jq -r '.fields[].name'
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @OptionGroup var moment: MomentOptions

  @Argument(
    help: "The type of intention, such as SpringTo.", completion: .custom(Candidates.types), transform: parsedName)
  var type: IntentionType

  func run() throws {
    let catalog = try catalog()
    guard let description = catalog[type]?.description else {
      let refusal = catalog.unknown(type.text)
      throw Failure(.refused, refusal.message, remedy: refusal.remedy)
    }
    let console = Console()
    if reading.json { return console.print(JSONOutput(description).lines) }
    console.print(TypeReport.lines(description, style: console.outputStyle, width: console.width))
  }

  private func catalog() throws(Failure) -> IntentionCatalog {
    // All moments of a recording have the same.
    if let recording = moment.recording { return try RecordingCursor.opened(recording).runtime.registry.catalog }
    if let timeline = try moment.timeline(connection) { return timeline.runtime.registry.catalog }
    let client = try connection.client()
    return try failing { () throws(MotionClientError) in try client.catalog() }
  }
}
