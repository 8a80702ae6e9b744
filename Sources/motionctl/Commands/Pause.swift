import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl pause`
struct Pause: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pause simulated time.",
    usage: "motionctl pause [<options>]",
    discussion: """
      Every property keeps its value and velocity, and continues with them on resume. Commits are accepted meanwhile.

      EXAMPLES
        motionctl pause
        motionctl step 10 && motionctl list properties && motionctl resume
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  func run() throws {
    let client = try connection.client()
    let clock = try failing { () throws(MotionClientError) in try client.clock(.pause) }
    ClockText.print(clock, "Paused", at: client.moment, unkept: client.unkept, reading)
  }
}
