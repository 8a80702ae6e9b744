import Glibc

@testable import MotionPhysics

/// The limits that a frame of a governor passes, from the states at its ends.
///
/// A way from one state to the other within the limits has to exist. For the acceleration the position can deviate from
/// the mean of the velocities by (maxAcceleration · dt² − Δv² / maxAcceleration) / 4, and for the jerk the same holds one
/// derivative higher. The tolerance is 1e-9 of each limit, and rounding errors.
func violations(from before: MoveState, to after: MoveState, limits: MoveLimits, dt: Double) -> [String] {
  var found: [String] = []
  let position = 4e-15 * (abs(before.position) + abs(after.position)) + 1e-14 * dt * abs(before.velocity)
  let velocity = 1e-14 * abs(before.velocity)
  let change = after.velocity - before.velocity
  if abs(after.velocity) > limits.maxVelocity * (1 + 1e-9) { found.append("velocity") }
  if abs(after.position - before.position) > limits.maxVelocity * dt * (1 + 1e-9) + position { found.append("way") }
  if abs(change) > limits.maxAcceleration * dt * (1 + 1e-9) + velocity { found.append("acceleration") }
  let bend = after.position - before.position - 0.5 * dt * (before.velocity + after.velocity)
  if limits.maxAcceleration.isFinite,
    abs(bend) > deviation(limits.maxAcceleration, change, dt) + 1e-9 * limits.maxAcceleration * dt * dt + position
  {
    found.append("acceleration within the frame")
  }
  guard limits.maxJerk.isFinite else { return found }
  if abs(after.acceleration) > limits.maxAcceleration * (1 + 1e-9) { found.append("acceleration at the end") }
  let turn = after.acceleration - before.acceleration
  if abs(turn) > limits.maxJerk * dt * (1 + 1e-9) + 1e-14 * abs(before.acceleration) { found.append("jerk") }
  let lag = change - 0.5 * dt * (before.acceleration + after.acceleration)
  let slack = 1e-9 * limits.maxJerk * dt * dt + velocity + 8 * position / dt
  if abs(lag) > deviation(limits.maxJerk, turn, dt) + slack { found.append("jerk within the frame") }
  return found
}

private func deviation(_ limit: Double, _ change: Double, _ dt: Double) -> Double {
  0.25 * max(limit * dt * dt - change * change / limit, 0)
}

extension SeededGenerator {
  /// Limits of all magnitudes, sometimes without one of velocity.
  mutating func governorLimits(jerk: Bool, range: Bool = false) -> GovernorLimits {
    var limits = GovernorLimits(
      motion: MoveLimits(
        maxVelocity: uniform() < 0.4 ? magnitude() : .infinity, maxAcceleration: magnitude(),
        maxJerk: jerk ? magnitude(-1...3) : .infinity))
    if range {
      let lower = 10 * uniform()
      limits.range = lower...lower + magnitude(-1...1.3)
    }
    return limits
  }

  /// A state within the limits, and from which they can be kept.
  mutating func state(within limits: MoveLimits) -> MoveState {
    while true {
      let acceleration = limits.maxJerk.isFinite ? uniform() * limits.maxAcceleration : 0
      let velocity = uniform() * min(limits.maxVelocity, 100)
      guard abs(velocity + acceleration * abs(acceleration) / (2 * limits.maxJerk)) <= limits.maxVelocity else {
        continue
      }
      return MoveState(position: uniform() * magnitude(), velocity: velocity, acceleration: acceleration)
    }
  }
}

/// A demand of which nothing is known: steps, noise, oscillations, accelerations, and uniform movements that change.
struct WildDemand {
  private let kind: Int
  private let middle: Double
  private let amplitude: Double
  private let frequency: Double
  private var phase: Double
  private(set) var position: Double
  private(set) var velocity = 0.0

  init(_ kind: Int, around middle: Double, _ generator: inout SeededGenerator) {
    (self.kind, self.middle, position) = (kind % 5, middle, middle)
    (amplitude, frequency) = (generator.magnitude(-1...1), generator.magnitude(-1...1))
    phase = 3 * generator.uniform()
  }

  mutating func advance(_ dt: Double, _ generator: inout SeededGenerator) {
    switch kind {
    case 0: if generator.uniform() > 0.8 { position = middle + generator.uniform() * amplitude }
    case 1:
      position += 0.1 * generator.uniform() * amplitude
      velocity = generator.uniform() * amplitude
    case 2:
      phase += frequency * dt
      (position, velocity) = (middle + amplitude * sin(phase), amplitude * frequency * cos(phase))
    case 3:
      velocity += generator.uniform() * amplitude * dt
      position += velocity * dt
    default:
      if generator.uniform() > 0.9 { velocity = generator.uniform() * amplitude }
      position += velocity * dt
    }
  }
}
