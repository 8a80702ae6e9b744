import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl release`
struct ReleaseHold: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "End a hold.",
    usage: "motionctl release [<options>]",
    discussion: """
      Simulated time speeds up again as it was slowed down, and everything continues on its path from rest. What was \
      committed meanwhile takes effect with the first frame. Time that is paused stays paused. Without a hold nothing \
      changes.

      EXAMPLES
        motionctl release
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  func run() throws {
    let client = try connection.client()
    let clock = try failing { () throws(MotionClientError) in try client.clock(.release) }
    ClockText.print(clock, "Released", at: client.moment, unkept: client.unkept, reading)
  }
}
