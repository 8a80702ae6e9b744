import ArgumentParser
import MotionClient
import MotionFiles

/// `motionctl status`
struct ShowStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of the daemon and its plugins.",
    usage: "motionctl status [<options>]",
    discussion: """
      For a plugin that failed it shows the reason, the last lines of its output, and the remedy. "late" is the delay \
      of frames after their timer. "usage" is the processor time, memory and wake-ups of the process, without its \
      workers; only messages of workers and clients wake an idle daemon. The time of motiond's wall clock follows the \
      simulated time.

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
