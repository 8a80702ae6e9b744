import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl pause`
struct Pause: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let simulated time stand.",
    usage: "motionctl pause [<options>]",
    discussion: """
      Everything keeps its value and its velocity, and goes on from there. Commits are accepted meanwhile.

      EXAMPLES
        motionctl pause
        motionctl step 10 && motionctl list properties && motionctl resume
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  func run() throws {
    let client = try connection.client()
    let clock = try failing { () throws(MotionClientError) in try client.clock(.pause) }
    ClockText.print(clock, "Paused", at: client.moment, reading)
  }
}
