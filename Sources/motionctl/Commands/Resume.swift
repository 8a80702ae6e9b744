import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl resume`
struct Resume: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Resume simulated time.",
    usage: "motionctl resume [<options>]",
    discussion: """
      EXAMPLES
        motionctl resume
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  func run() throws {
    let client = try connection.client()
    let clock = try failing { () throws(MotionClientError) in try client.clock(.resume) }
    ClockText.print(clock, "Resumed", at: client.moment, unkept: client.unkept, reading)
  }
}
