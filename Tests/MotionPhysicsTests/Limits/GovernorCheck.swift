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

/// A demand that goes from rest at 0 to a place and slows down until it stands there: a move by similar limits, a
/// smoothing, an over-damped spring, or a tween that eases in and out.
struct EndingDemand {
  let place: Double
  /// After so many seconds it stands.
  let end: Double
  private var move: TimeOptimalMove?
  var isMove: Bool { move != nil }
  private var spring: (frequency: Double, damping: Double)?

  init(_ kind: Int, _ place: Double, _ limits: MoveLimits, _ generator: inout SeededGenerator) {
    self.place = place
    switch kind % 4 {
    case 0:
      func factor() -> Double { [0.9, 1, 1.02, 1.1, 1.3][Int(generator.double(0...4.999))] }
      let velocity = limits.maxVelocity.isFinite ? limits.maxVelocity : 3
      let jerk = limits.maxJerk.isFinite ? limits.maxJerk : 1000
      move = try? TimeOptimalMove.solve(
        from: MoveState(position: 0), to: place,
        limits: MoveLimits(
          maxVelocity: velocity * factor(), maxAcceleration: limits.maxAcceleration * factor(),
          maxJerk: jerk * factor()))
      end = move?.duration ?? 0
    case 1:
      let frequency = 1 / generator.magnitude(-1.3 ... -0.3)
      spring = (frequency, 1)
      end = 20 / frequency
    case 2:
      let (frequency, damping) = (generator.double(4...20), generator.double(1.01...2))
      spring = (frequency, damping)
      end = 20 / (frequency * (damping - (damping * damping - 1).squareRoot()))
    default: end = generator.double(0.5...2)
    }
  }

  func state(at time: Double) -> MoveState {
    if time >= end { return MoveState(position: place) }
    if let move { return move.state(at: time) }
    guard let (frequency, damping) = spring else {
      let part = time / end
      return MoveState(
        position: place * part * part * (3 - 2 * part), velocity: place * 6 * part * (1 - part) / end)
    }
    if damping == 1 {
      let left = exp(-frequency * time)
      return MoveState(
        position: place * (1 - (1 + frequency * time) * left), velocity: place * frequency * frequency * time * left)
    }
    let root = (damping * damping - 1).squareRoot()
    let (slow, fast) = (frequency * (damping - root), frequency * (damping + root))
    let (late, early) = (exp(-slow * time), exp(-fast * time))
    return MoveState(
      position: place * (1 - (fast * late - slow * early) / (fast - slow)),
      velocity: place * slow * fast * (late - early) / (fast - slow))
  }
}
