/// A phase of a move before its place in time and space is known.
struct MovePhase {
  var duration: Double
  var acceleration: Double
  var jerk: Double

  func segment(at time: Double, position: Double, velocity: Double) -> MoveSegment {
    MoveSegment(
      start: time, jerk: jerk,
      state: MoveState(position: position, velocity: velocity, acceleration: acceleration))
  }

  func after(_ position: Double, _ velocity: Double) -> (position: Double, velocity: Double) {
    let t = duration
    return (
      position + t * (velocity + t * (0.5 * acceleration + t * jerk * (1.0 / 6.0))),
      velocity + t * (acceleration + 0.5 * t * jerk)
    )
  }

  func before(_ position: Double, _ velocity: Double) -> (position: Double, velocity: Double) {
    let t = duration
    let start = velocity - t * (acceleration + 0.5 * t * jerk)
    return (position - t * (start + t * (0.5 * acceleration + t * jerk * (1.0 / 6.0))), start)
  }
}

extension [MovePhase] {
  /// Appends a phase; one that takes no time has no effect.
  mutating func append(lasting duration: Double, acceleration: Double, jerk: Double) {
    if duration > 0 { append(MovePhase(duration: duration, acceleration: acceleration, jerk: jerk)) }
  }

  /// Creates the list for a whole move, that begins with a braking.
  ///
  /// Without a braking, a move has 7 phases, and the mean of two moves with 6 changes of jerk each has 13.
  init(_ braking: Braking, capacity: Int) {
    self = []
    reserveCapacity(capacity + braking.phases.count)
    for phase in braking.phases { append(phase) }
  }
}
