public import MotionModel

/// Judges the course of a drama frame by frame: each state has to follow from the one before, by the property's driver.
///
/// The expected place and velocity of the property after a frame are computed from those before it, by the acceleration
/// of that frame's forces, by the tween's curve, or by the place of the hand; the remaining difference is a jump. No
/// frame is left out: where a hand takes hold, the hand's velocity is expected; where a tween without carry begins, its
/// own; and at rest, no more than the distance by which rest may snap.
public struct Judge: Sendable {
  /// Where a drama is played.
  public enum Stage: Sendable {
    /// Every executor in one process.
    case oneProcess
    /// Across processes, frame by frame: a worker's first sample follows a frame after its plan.
    case stepByStep
    /// Across processes, while time runs: a worker's first sample arrives when it can.
    case running

    var latency: Int { if case .oneProcess = self { 0 } else { 1 } }
  }

  /// The maximum number of readings of a course that are followed: when a tween takes over without any change, its
  /// frame is determined by later frames.
  private static let readingsKept = 6

  private var readings: [Reading]
  let dt: Double

  /// Judges a drama.
  ///
  /// - Parameter frames: the frame, counted from the first, in which the cues before each frame of the drama were
  ///   applied.
  public init(_ drama: Drama, on stage: Stage, ratePerSecond: Double, frames: [Int]? = nil) {
    let frames = frames ?? Array(drama.frames.indices)
    dt = 1 / ratePerSecond
    readings = [Reading(legs: drama.legs, stage: stage, dt: dt, frames: frames)]
  }

  /// Takes the state at the end of the next frame.
  public mutating func see(_ now: Motion) {
    let next = readings.flatMap { $0.followed(by: now) }.sorted { $0.jumps < $1.jumps }
    guard let best = next.first else { preconditionFailure("nothing explains \(now)") }
    readings = [best] + next.dropFirst().filter { $0.jumps <= best.jumps + 1 }.prefix(Self.readingsKept - 1)
  }

  /// The findings, by the reading that leaves least unexplained.
  public var verdict: Verdict { readings[0].closed }

  /// Whether anything has jumped so far.
  var hasJumped: Bool { readings[0].hasJumped }

  /// The verdict on a whole course.
  public static func judge(_ course: Course) -> Verdict {
    var judge = course.judge
    for state in course.states { judge.see(state) }
    var verdict = judge.verdict
    verdict.astray = course.astray
    if !course.astray.isWithin(Verdict.limit) { verdict.places.append("the second lane is astray by \(course.astray)") }
    return verdict
  }
}

/// The observed states of a drama: one at the end of each frame, from its first on.
public struct Course: Sendable {
  let judge: Judge
  /// The states along the drama's line, by their first lanes.
  public private(set) var states: [Motion] = []
  /// The farthest that the second lane was from that line, and its velocity.
  public private(set) var astray = Motion()

  /// An empty course that `judge` is to judge.
  public init(for judge: Judge) { self.judge = judge }

  /// Takes the state at the end of the next frame; without one it is unchanged.
  public mutating func append(_ state: PropertyState?) {
    guard let state else { return states.append(states.last ?? Motion()) }
    states.append(Motion(state.value[0], state.velocity[0]))
    astray = astray.widened(by: Self.way(of: state))
  }

  /// The distance of a state's second lane from the line of all dramas.
  public static func way(of state: PropertyState) -> Motion {
    Motion(state.value[1] - state.value[0] * Drama.slant, state.velocity[1] - state.velocity[0] * Drama.slant).magnitude
  }
}
