import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl describe`
struct Describe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Describe a type of intention: what it does, and its fields.",
    usage: "motionctl describe <type> [<options>]",
    discussion: """
      EXAMPLES
        motionctl describe SpringTo
        motionctl describe Tween --json | jq -r '.fields[].name'
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Argument(
    help: "The type of intention, such as SpringTo.", completion: .custom(Candidates.types), transform: parsedName)
  var type: IntentionType

  func run() throws {
    let client = try connection.client()
    let catalog = try failing { () throws(MotionClientError) in try client.catalog() }
    guard let description = catalog[type]?.description else {
      let refusal = catalog.unknown(type.text)
      throw Failure(.refused, refusal.message, remedy: refusal.remedy)
    }
    let console = Console()
    if reading.json { return console.print(JSONOutput(description).lines) }
    console.print(TypeReport.lines(description, style: console.outputStyle, width: console.width))
  }
}
