import Glibc
public import MotionModel

/// One way to move, interrupted by another: what is said before each frame.
///
/// It says, and plays nothing: the same drama is played in one process and by a daemon with its workers.
public struct Drama: Sendable {
  /// What is said before a frame.
  public enum Cue: Sendable {
    /// A plan for the target; the first and the second have names.
    case commit(Intention, name: IntentionName?)
    /// What a finger does, so far to the right of where it came down.
    case touch(PointerEvent.Phase, x: Double)
  }

  /// Frames for which the second way is followed: three quarters of a second at 120 Hz.
  public static let aftermath = 90
  /// The frame of the second way in which its hand lets go.
  private static let release = 40
  /// How long a toss is let fly before the next thing happens, in frames.
  private static let flight = 10

  /// Which way is interrupted by which.
  public let pair: Pair
  /// The cues before each frame, from the first to the last.
  public private(set) var frames: [[Cue]] = [[]]

  /// A drama in which the second way begins when the first has lasted `interruption` frames.
  public init(_ pair: Pair, interruption: Int) {
    self.pair = pair
    let (first, second) = (pair.first, pair.second)
    // Friction needs something to brake.
    if first == .friction { say(.commit(.springTo("position", [0, 0], initialVelocity: [400, 0]), name: nil)) }
    say(.commit(first.intention(to: [100, 0]), name: "first"))
    if first.needsHand { say(.touch(.down, x: 0)) }
    advance()
    for frame in 1...interruption {
      if first.needsHand { say(.touch(.move, x: Self.way(frame))) }
      advance()
    }
    // A finger lifts where it is going, not where it was.
    if first.needsHand { say(.touch(.up, x: Self.way(interruption + 1))) }
    if first == .tossable { advance(Self.flight) }
    interrupt(with: second)
    for frame in 1...Self.aftermath {
      if second.needsHand, frame <= Self.release {
        say(.touch(frame < Self.release ? .move : .up, x: Self.way(frame)))
      }
      advance()
    }
  }

  private mutating func interrupt(with second: Way) {
    say(.commit(second.intention(to: [-20, 0]), name: "second"))
    guard second.needsHand else { return }
    // What is to be dragged has to be there first.
    advance(second == .tossable ? Self.flight : 1)
    say(.touch(.down, x: 0))
    advance()
  }

  /// Where the hand is after so many frames: it sways.
  private static func way(_ frame: Int) -> Double { 60 * sin(Double(frame) / 25) }

  private mutating func say(_ cue: Cue) { frames[frames.count - 1].append(cue) }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count { frames.append([]) }
  }
}
