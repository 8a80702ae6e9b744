@testable import MotionPhysics

/// What a move violates.
///
/// The tolerances: 1e-9 relative at the target and between segments, and for the limits.
func violations(of move: TimeOptimalMove, limits: MoveLimits, bounds: MoveBounds? = nil, points: Int = 1_000)
  -> [String]
{
  var found: [String] = []
  let bounds = bounds ?? MoveBounds(limits: limits)
  // A move from rest may have a single segment, and its speed only at the target.
  var speed = abs(move.to.velocity)
  var acceleration = 0.0
  for segment in move.segments {
    speed = max(speed, abs(segment.state.velocity))
    acceleration = max(acceleration, abs(segment.state.acceleration))
    if !(abs(segment.jerk) <= limits.maxJerk * (1 + 1e-9)) { found.append("jerk \(segment.jerk)") }
  }
  let scale = max(abs(move.from.position), abs(move.to.position), speed * move.duration)
  // The times of the segments are rounded, relative to the duration.
  let tick = 2 * move.duration.ulp
  for (index, segment) in move.segments.enumerated() {
    let next = index + 1 < move.segments.count ? move.segments[index + 1] : nil
    let end = segment.state(at: next?.start ?? move.duration)
    let expected = next?.state ?? move.to
    if !(abs(end.position - expected.position) <= 1e-9 * scale) {
      found.append("position gap \(index): \(end) \(expected)")
    }
    if limits.isVelocityOnly { continue }
    if !(abs(end.velocity - expected.velocity) <= 1e-9 * speed + tick * acceleration) {
      found.append("velocity gap \(index): \(end) \(expected)")
    }
    if limits.maxJerk.isFinite,
      !(abs(end.acceleration - expected.acceleration) <= 1e-9 * acceleration + tick * abs(segment.jerk))
    {
      found.append("acceleration gap \(index): \(end) \(expected)")
    }
  }
  let slack = (velocity: tick * acceleration, acceleration: limits.maxJerk.isFinite ? tick * limits.maxJerk : 0)
  if let first = move.segments.first {
    if first.state.position != move.from.position { found.append("another initial position") }
    if first.start != 0 { found.append("a late beginning") }
    if !limits.isVelocityOnly, first.state.velocity != move.from.velocity { found.append("another initial velocity") }
    if limits.maxJerk.isFinite, abs(first.state.acceleration - move.from.acceleration) > 1e-9 * acceleration {
      found.append("another initial acceleration")
    }
  }
  // The points are computed here: a call for each of 1,000 points takes long in a debug build.
  let tickOfPoints = move.duration / Double(points)
  let (lowest, highest) = (bounds.lowest - slack.velocity, bounds.highest + slack.velocity)
  let steepest = bounds.acceleration + slack.acceleration
  var time = 0.0
  var point = 0
  for (index, segment) in move.segments.enumerated() {
    let end = index + 1 < move.segments.count ? move.segments[index + 1].start : move.duration
    let (start, jerk, a0, v0) = (segment.start, segment.jerk, segment.state.acceleration, segment.state.velocity)
    while time < end, point < points {
      let t = time - start
      let a = a0 + jerk * t
      let v = v0 + t * 0.5 * (a0 + a)
      if !(v <= highest && v >= lowest && a <= steepest && a >= -steepest) {
        found.append("velocity \(v), acceleration \(a) at \(time)")
        if found.count > 3 { return found }
      }
      point += 1
      time = tickOfPoints * Double(point)
    }
  }
  return found
}

/// The range that velocity and acceleration keep.
struct MoveBounds {
  var lowest: Double
  var highest: Double
  var acceleration: Double

  init(limits: MoveLimits) {
    highest = limits.maxVelocity * (1 + 1e-9)
    lowest = -highest
    acceleration = limits.maxAcceleration * (1 + 1e-9)
  }

  /// The range for an initial state that may exceed the limits: where it goes if the jerk is applied at once.
  init(from: MoveState, limits: MoveLimits) {
    self.init(limits: limits)
    acceleration = max(acceleration, abs(from.acceleration) * (1 + 1e-9))
    guard limits.maxJerk.isFinite else {
      highest = max(highest, from.velocity)
      lowest = min(lowest, from.velocity)
      return
    }
    let stopping = from.velocity + from.acceleration * abs(from.acceleration) / (2 * limits.maxJerk)
    highest = max(highest, max(from.velocity, stopping) * (1 + 1e-9))
    lowest = min(lowest, min(from.velocity, stopping) * (1 + 1e-9))
  }
}
