import Glibc

@testable import MotionPhysics

/// A move to be solved.
struct MoveCase: CustomStringConvertible {
  var from = MoveState(position: 0)
  var position = 0.0
  var velocity = 0.0
  var limits = MoveLimits(maxVelocity: 1, maxAcceleration: 1, maxJerk: 1)

  var mirrored: MoveCase {
    var other = self
    other.from = MoveState(
      position: -from.position, velocity: -from.velocity, acceleration: -from.acceleration)
    other.position = -position
    other.velocity = -velocity
    return other
  }

  func plan() throws -> MovePlan {
    try MovePlan(from: from, to: position, velocity: velocity, limits: limits)
  }

  var description: String {
    "p \(from.position) v \(from.velocity) a \(from.acceleration) to p \(position) v \(velocity), limits "
      + "\(limits.maxVelocity) \(limits.maxAcceleration) \(limits.maxJerk)"
  }
}

extension SeededGenerator {
  mutating func uniform(_ range: ClosedRange<Double> = -1...1) -> Double { .random(in: range, using: &self) }

  /// A positive number whose logarithm is uniform.
  mutating func magnitude(_ exponents: ClosedRange<Double> = -2...2) -> Double { pow(10, uniform(exponents)) }

  /// A state within the limits, and from which they can be kept.
  mutating func insideCase() -> MoveCase {
    while true {
      let limits = MoveLimits(maxVelocity: magnitude(), maxAcceleration: magnitude(), maxJerk: magnitude())
      let acceleration = uniform() * limits.maxAcceleration
      let velocity = uniform() * limits.maxVelocity
      guard abs(velocity + acceleration * abs(acceleration) / (2 * limits.maxJerk)) <= limits.maxVelocity else {
        continue
      }
      let scale = magnitude()
      return MoveCase(
        from: MoveState(position: uniform() * scale, velocity: velocity, acceleration: acceleration),
        position: uniform() * scale, velocity: uniform() * limits.maxVelocity, limits: limits)
    }
  }

  /// A state up to three times above the limits.
  mutating func aboveCase() -> MoveCase {
    var move = insideCase()
    move.from.velocity = uniform(-3...3) * move.limits.maxVelocity
    move.from.acceleration = uniform(-2...2) * move.limits.maxAcceleration
    return move
  }
}
