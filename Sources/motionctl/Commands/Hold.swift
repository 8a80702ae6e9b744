import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl hold`
struct Hold: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Slow all motion down to rest, and hold it until a release.",
    usage: "motionctl hold [<options>]",
    discussion: """
      Simulated time slows down in half a second, or more slowly for properties that limits let brake more slowly, and \
      then stands. Every property stays on its path, and all plans are kept. The hold outlasts every restart of motiond. \
      Transactions are accepted and wait; with --refuse they are refused. Pointers that are down are cancelled, and \
      pointer input has no effect; input values are taken over at the release. A stop removes plans also during a hold. A second hold only changes whether transactions are refused.

      A hold is not a safety function: what can hurt a person needs a stop that does not depend on motiond.

      EXAMPLES
        motionctl hold
        motionctl hold --refuse
        motionctl release
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Refuse transactions until the release.")
  var refuse = false

  func run() throws {
    let client = try connection.client()
    let clock = try failing { () throws(MotionClientError) in
      try client.clock(.hold(ClockHold(refuses: refuse, by: Committer(name: "motionctl"))))
    }
    ClockText.print(clock, "Held", at: client.moment, unkept: client.unkept, reading)
  }
}
