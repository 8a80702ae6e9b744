/// A part of a move with constant jerk.
public struct MoveSegment: Hashable, Sendable {
  /// The time of its beginning, in seconds from the beginning of the move.
  public let start: Double

  /// The jerk, in units per second cubed.
  public let jerk: Double

  /// The state at its beginning.
  public let state: MoveState

  /// The state `time` seconds after the beginning of the move. 9 multiplications and additions.
  @inlinable
  public func state(at time: Double) -> MoveState {
    let t = time - start
    let half = 0.5 * t
    let gain = jerk * t
    return MoveState(
      position: state.position + t * (state.velocity + half * (state.acceleration + gain * (1.0 / 3.0))),
      velocity: state.velocity + t * (state.acceleration + 0.5 * gain),
      acceleration: state.acceleration + gain)
  }
}
