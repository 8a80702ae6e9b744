import MotionModel
import MotionPhysics

extension Runtime {
  /// The longest time that a frame can cover, in seconds: thirty years.
  public static let longestFrame = LinearStep.longestStep

  /// Runs the next frame, one period of ``ratePerSecond`` after the last: what a program without a clock calls.
  ///
  /// Runs it whether or not anything moves, so that simulated time goes on.
  public func advance() {
    advance(by: 1 / ratePerSecond)
  }

  /// Runs the next frame, `seconds` of simulated time after the last.
  ///
  /// - Precondition: the time is above 0 and at most ``longestFrame``.
  public func advance(by seconds: Double) {
    precondition(
      seconds > 0 && seconds <= Self.longestFrame, "a frame covers a time above 0 and a limit, not \(seconds) s")
    run(Frame(number: frame.number + 1, time: frame.time + seconds, dt: seconds))
  }

  /// Runs frames of one period as long as they have something to do (``wantsFrames``), at most `limit` of them.
  ///
  /// - Returns: how many frames were run.
  @discardableResult
  public func advanceUntilRest(limit: Int = 100_000) -> Int {
    var frames = 0
    while wantsFrames, frames < limit {
      advance()
      frames += 1
    }
    return frames
  }
}
