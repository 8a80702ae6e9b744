import ArgumentParser
import MotionClient

/// `motionctl status`
struct ShowStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show how the daemon and its plugins are.",
    usage: "motionctl status [<options>]",
    discussion: """
      Of a plugin that failed it shows how, the last lines that it printed, and what to do.

      EXAMPLES
        motionctl status
        motionctl status --json | jq .clock.time
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  func run() throws {
    let client = try connection.connect()
    let status = try failing { () throws(MotionClientError) in try client.status() }
    let console = Console()
    if reading.json { return console.print(JSONOutput(status).lines) }
    console.print(StatusReport.lines(status, style: console.outputStyle, width: console.width))
  }
}
