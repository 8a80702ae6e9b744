import ArgumentParser
import MotionClient

/// `motionctl status`
struct ShowStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show how the daemon and its plugins are.",
    usage: "motionctl status [<options>]",
    discussion: """
      Of a plugin that failed it shows how, the last lines that it printed, and what to do. Late is how much later than \
      their timer frames were run. Takes is what the kernel says of the process, without its workers: an idle daemon is \
      not woken at all, but for what its workers and clients say. Beside the simulated time stands that of motiond's wall \
      clock.

      EXAMPLES
        motionctl status
        motionctl status --json | jq .clock.time
        motionctl status --json | jq '.latenessInLastMinute["p99Microseconds"]'
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  func run() throws {
    let client = try connection.client()
    let status = try failing { () throws(MotionClientError) in try client.status() }
    let console = Console()
    if reading.json { return console.print(JSONOutput(status, at: client.moment).lines) }
    console.print(
      StatusReport.lines(status, at: client.moment, style: console.outputStyle, width: console.width))
  }
}
