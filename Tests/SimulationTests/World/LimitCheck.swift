import MotionModel
import MotionPhysics

@testable import MotionCore

/// Checks after each frame that no property passes its limits.
///
/// It judges the states at the ends of a frame, and shares no code with the governors that it checks. Where the limits
/// could not all hold because they were set or lowered in mid-move, jerk and acceleration hold, the velocity comes down,
/// and the range is overrun by the braking distance.
struct LimitCheck {
  /// A property under limits, or one that may get some.
  private struct State {
    var value: Lanes
    var velocity: Lanes
    /// Not known of a property without limits.
    var acceleration: Lanes?
  }

  private static let tolerance = 1 + 1e-9

  private var states: [PropertyHandle: State] = [:]

  /// A runtime was started.
  mutating func started(_ runtime: Runtime) { states = Self.states(in: runtime) }

  /// The violations of a frame.
  ///
  /// - Parameter follows: whether it follows the frame that was checked last.
  mutating func problems(of runtime: Runtime, follows: Bool) -> [String] {
    let before = states
    states = Self.states(in: runtime)
    guard follows else { return [] }
    var problems: [String] = []
    for slot in runtime.movement.properties.occupied {
      let handle = runtime.movement.properties.handle(at: slot)
      guard let limits = runtime.movement.properties.governors.limits(of: slot), let last = before[handle],
        let now = states[handle], limits.count == last.value.count
      else { continue }
      for lane in limits.indices {
        guard let problem = Self.problem(from: last, to: now, lane, limits[lane], runtime.frame.dt) else { continue }
        let reference = runtime.movement.properties[slot].reference
        problems.append("\(reference) passed its limit of \(problem): \(last) to \(now), limits \(limits[lane])")
      }
    }
    return problems
  }

  private static func states(in runtime: Runtime) -> [PropertyHandle: State] {
    let properties = runtime.movement.properties
    guard !properties.limits.isEmpty || !properties.governors.isEmpty else { return [:] }
    let states = properties.occupied.map { slot in
      let state = properties.state(at: slot)
      return (
        properties.handle(at: slot),
        State(
          value: state.value, velocity: state.velocity, acceleration: properties.governors.acceleration(of: slot))
      )
    }
    return Dictionary(uniqueKeysWithValues: states)
  }

  private static func problem(
    from last: State, to now: State, _ lane: Int, _ limits: GovernorLimits, _ dt: Double
  ) -> String? {
    let motion = limits.motion
    let (before, after) = (last.velocity[lane], now.velocity[lane])
    let slack = 1e-9 * (1 + abs(before))
    let steepest = max(motion.maxAcceleration, abs(last.acceleration?[lane] ?? 0))
    if motion.maxAcceleration.isFinite, abs(after - before) > steepest * dt * tolerance + slack {
      return "acceleration"
    }
    if motion.maxJerk.isFinite, let from = last.acceleration?[lane], let to = now.acceleration?[lane],
      abs(to - from) > motion.maxJerk * dt * tolerance + 1e-9 * (1 + abs(from))
    {
      return "jerk"
    }
    // With a limit of jerk, a velocity that rises goes on rising until the acceleration is 0.
    let rise = motion.maxJerk.isFinite ? 0.5 * steepest * steepest / motion.maxJerk : 0
    let fastest =
      motion.maxAcceleration == .infinity && motion.maxJerk == .infinity
      ? motion.maxVelocity : max(motion.maxVelocity, abs(before) + rise)
    let isWithin = abs(before) <= motion.maxVelocity * tolerance
    let hasRisen = abs(last.acceleration?[lane] ?? 0) > 0 && motion.maxJerk.isFinite && !isWithin
    if abs(after) > (isWithin && !hasRisen && rise == 0 ? motion.maxVelocity : fastest) * tolerance + slack {
      return "velocity"
    }
    return limits.range.contains(now.value[lane]) || isOverrun(from: last, to: now, lane, limits) ? nil : "range"
  }

  /// Whether a property could not help being outside its range: it was, or could not stop before the bound.
  private static func isOverrun(from last: State, to now: State, _ lane: Int, _ limits: GovernorLimits) -> Bool {
    let (value, velocity) = (last.value[lane], last.velocity[lane])
    let slack = 1e-9 * (1 + abs(value))
    let range = limits.range
    if now.value[lane] >= range.lowerBound - slack, now.value[lane] <= range.upperBound + slack { return true }
    if !range.contains(value) { return true }
    let motion = limits.motion
    let acceleration = abs(last.acceleration?[lane] ?? 0)
    let speed = abs(velocity) + (motion.maxJerk.isFinite ? 0.5 * acceleration * acceleration / motion.maxJerk : 0)
    let longest = speed * (speed / motion.maxAcceleration + motion.maxAcceleration / motion.maxJerk)
    // Only limits that were set in mid-move allow it: the shortest way to stop leads beyond the bound.
    let shortest = 0.5 * velocity * velocity / motion.maxAcceleration
    let room = velocity > 0 ? range.upperBound - value : value - range.lowerBound
    return shortest > room - slack || longest > room && motion.maxJerk.isFinite
  }
}
