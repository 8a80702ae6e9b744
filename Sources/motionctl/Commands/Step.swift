import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl step`
struct Step: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run some frames while time is paused.",
    usage: "motionctl step [<frames>] [<options>]",
    discussion: """
      The frames run as fast as the workers answer; then time is paused again. The command ends when the step is done: \
      give it a longer --timeout for very many frames.

      EXAMPLES
        motionctl pause
        motionctl step           one frame
        motionctl step 120       a simulated second at 120 Hz
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Argument(help: "The number of frames (default: 1).", transform: parsedSteps)
  var frames: UInt64 = 1

  func run() throws {
    let client = try connection.client()
    let clock = try failing { () throws(MotionClientError) in
      try client.clock(.step(frames), timeout: connection.timeout)
    }
    ClockText.print(
      clock, frames == 1 ? "Stepped 1 frame" : "Stepped \(frames) frames", at: client.moment, unkept: client.unkept,
      reading)
  }
}

/// Reads a number of frames to step.
private func parsedSteps(_ text: String) throws -> UInt64 {
  guard let frames = UInt64(text), (1...Limits.framesPerStep).contains(frames) else {
    throw ValidationError("write a whole number of at least 1 and at most \(Limits.framesPerStep)")
  }
  return frames
}

/// Reads a number of frames.
func parsedFrames(_ text: String) throws -> UInt64 {
  guard let frames = UInt64(text), frames > 0 else { throw ValidationError("write a whole number of at least 1") }
  return frames
}
