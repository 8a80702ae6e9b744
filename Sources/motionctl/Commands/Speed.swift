import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl speed`
struct Speed: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set the speed of simulated time.",
    usage: "motionctl speed <speed> [<options>]",
    discussion: """
      The frame rate stays the same, and each frame covers more or less simulated time. The frame that is already \
      announced keeps its length.

      EXAMPLES
        motionctl speed 0.1     ten times slower
        motionctl speed 1       real time
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Argument(help: "Simulated seconds per second, above 0.", transform: parsedSpeed)
  var speed: Double

  func run() throws {
    let client = try connection.client()
    let clock = try failing { () throws(MotionClientError) in try client.clock(.speed(speed)) }
    ClockText.print(clock, "Speed \(JSONText.number(speed))", at: client.moment, unkept: client.unkept, reading)
  }
}

/// Reads the argument of `motionctl speed`.
func parsedSpeed(_ text: String) throws -> Double {
  guard let speed = Double(text), Limits.speed.contains(speed) else {
    let (least, most) = (JSONText.number(Limits.speed.lowerBound), JSONText.number(Limits.speed.upperBound))
    throw ValidationError(
      "write a speed of at least \(least) and at most \(most); to stop simulated time: motionctl pause")
  }
  return speed
}
