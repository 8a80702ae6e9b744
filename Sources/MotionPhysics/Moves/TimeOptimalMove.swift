/// The fastest move from any state to a place under limits of velocity, acceleration and jerk.
///
/// It consists of segments of constant jerk: 7 at most, up to 4 more if the initial state exceeds the limits, and up to
/// 6 more with a given duration. It is solved once; a frame costs one polynomial.
///
/// If the initial state exceeds a limit, jerk and acceleration return first. The velocity then decreases monotonically
/// until it is within its limit, and never passes through zero because of the limit.
///
/// Solved again in mid-move to the same place at rest, a move keeps its arrival. A place that is passed with a velocity
/// cannot be reached a little later: solved again on its last ramp, such a move may return to the place, because of the
/// rounding of its state.
///
/// For targets that change in most frames, a spring costs less and has no corners in its behaviour.
public struct TimeOptimalMove: Sendable {
  /// The segments in the order of time, the first of them at 0; empty for a move of duration 0.
  public let segments: [MoveSegment]

  /// The initial state.
  public let from: MoveState

  /// The final state.
  public let to: MoveState

  /// The duration, in seconds.
  public let duration: Double

  init(segments: [MoveSegment], from: MoveState, to: MoveState, duration: Double) {
    self.segments = segments
    self.from = from
    self.to = to
    self.duration = duration
  }

  /// Solves a move: the fastest one, or the fastest one that lasts at least `duration`.
  ///
  /// - Throws: ``MoveError`` for invalid or too large values; see ``MovePlan/init(from:to:velocity:limits:)``.
  public static func solve(
    from: MoveState, to position: Double, velocity: Double = 0, limits: MoveLimits, duration: Double = 0
  ) throws(MoveError) -> TimeOptimalMove {
    let plan = try MovePlan(from: from, to: position, velocity: velocity, limits: limits)
    if !(duration > plan.shortestDuration) { return try plan.move() }
    return try plan.move(lasting: plan.possibleDuration(atLeast: duration))
  }

  /// The state at a time; the initial state before the move, the final one from its end on.
  ///
  /// Cost: about three polynomials, for the search. Frames in succession use a ``MoveCursor``.
  @inlinable
  public func state(at time: Double) -> MoveState {
    if time >= duration { return to }
    var index = segments.count - 1
    while index > 0, segments[index].start > time { index -= 1 }
    return index >= 0 && time >= 0 ? segments[index].state(at: time) : from
  }
}
