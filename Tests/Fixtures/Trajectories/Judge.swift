public import MotionModel

/// Judges the course of a drama frame by frame: each state has to follow from the one before, by what moves the property.
///
/// Where and how fast the property is after a frame is computed from where it was before it, by the acceleration of that
/// frame's forces, by the tween's curve, or by where the hand is; what is left is a jump. No frame is left out: where a hand
/// takes hold, the hand's velocity is expected; where a tween without carry begins, its own; and at rest, no more than what
/// rest may snap by.
public struct Judge: Sendable {
  /// Where a drama is played.
  public enum Stage: Sendable {
    /// Every executor in one process.
    case oneProcess
    /// Across processes, frame by frame: a worker's first word follows a frame after what it was told.
    case stepByStep
    /// Across processes, while time runs: a worker's first word comes when it can.
    case running

    var latency: Int { if case .oneProcess = self { 0 } else { 1 } }
  }

  /// How many readings of a course are followed at most: when a tween takes over without any change, the frame of that is
  /// known from what comes after it.
  private static let readingsKept = 6

  private var readings: [Reading]
  let dt: Double

  /// Judges a drama.
  ///
  /// - Parameter frames: in which frame, counted from the first, what is said before each frame of the drama was applied.
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

  /// What was found, by the reading that leaves least unexplained.
  public var verdict: Verdict { readings[0].closed }

  /// Whether anything has jumped so far.
  var hasJumped: Bool { readings[0].hasJumped }

  /// What a whole course is judged to be.
  public static func judge(_ course: Course) -> Verdict {
    var judge = course.judge
    for state in course.states { judge.see(state) }
    var verdict = judge.verdict
    verdict.astray = course.astray
    if !course.astray.isWithin(Verdict.limit) { verdict.places.append("the second lane is astray by \(course.astray)") }
    return verdict
  }
}

/// What was seen of a drama: a state at the end of each frame, from its first on.
public struct Course: Sendable {
  let judge: Judge
  /// The states along the drama's line, by their first lanes.
  public private(set) var states: [Motion] = []
  /// The farthest that the second lane was from that line, and its velocity.
  public private(set) var astray = Motion()

  /// Nothing seen yet of what `judge` is to judge.
  public init(for judge: Judge) { self.judge = judge }

  /// Takes the state at the end of the next frame; without one it is what it was.
  public mutating func append(_ state: PropertyState?) {
    guard let state else { return states.append(states.last ?? Motion()) }
    states.append(Motion(state.value[0], state.velocity[0]))
    astray = astray.widened(by: Self.way(of: state))
  }

  /// How far the second lane of a state is from the line of all dramas.
  public static func way(of state: PropertyState) -> Motion {
    Motion(state.value[1] - state.value[0] * Drama.slant, state.velocity[1] - state.velocity[0] * Drama.slant).magnitude
  }
}
