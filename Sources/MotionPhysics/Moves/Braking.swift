/// The beginning of a move whose initial state exceeds a limit, or can only exceed the velocity limit.
///
/// 1. An acceleration above the limit ramps down to it.
/// 2. A velocity that cannot stay below the limit brakes towards it. Where the target permits, it lands at the limit
///    without acceleration. If the target is nearer than that, it brakes to a lower velocity, at the jerk and
///    acceleration limits.
///
/// Jerk and acceleration are kept, and the velocity decreases monotonically while it is above its limit. The limit never
/// makes the velocity pass through zero, because a braking for the limit alone ends at the limit.
struct Braking {
  /// One for the acceleration, and three for a landing.
  private(set) var phases: [MovePhase] = []
  private(set) var duration = 0.0
  private(set) var displacement = 0.0
  private(set) var velocity: Double
  private(set) var acceleration: Double

  /// The limits with those that the initial state touches within rounding errors raised to it.
  private(set) var limits: MoveLimits

  /// Whether a braking below the limit may be faster than a landing at it, although the target permits the landing.
  private(set) var hasAlternative = false

  /// Creates the braking for a target.
  ///
  /// - Parameter landing: False chooses the alternative.
  init(
    velocity: Double, acceleration: Double, target: Double, finalVelocity: Double, limits: MoveLimits,
    landing: Bool = true
  ) {
    self.velocity = velocity
    self.acceleration = limits.inverseJerk == 0 ? 0 : acceleration
    self.limits = limits
    reduceAcceleration()
    raiseTouchedLimits(finalVelocity: finalVelocity)
    let inverse = limits.inverseJerk
    let stopping = self.velocity + 0.5 * self.acceleration * abs(self.acceleration) * inverse
    if abs(stopping) > self.limits.maxVelocity {
      reduceVelocity(
        direction: stopping > 0 ? 1 : -1, target: target - displacement, finalVelocity: finalVelocity, landing: landing)
    }
  }

  private mutating func reduceAcceleration() {
    let excess = abs(acceleration) - limits.maxAcceleration
    guard excess > limits.maxAcceleration * MoveLimits.touching else { return }
    append(excess * limits.inverseJerk, jerk: acceleration > 0 ? -limits.maxJerk : limits.maxJerk)
    acceleration = acceleration > 0 ? limits.maxAcceleration : -limits.maxAcceleration
  }

  private mutating func raiseTouchedLimits(finalVelocity: Double) {
    if abs(acceleration) > limits.maxAcceleration { limits.maxAcceleration = abs(acceleration) }
    let stopping = abs(velocity + 0.5 * acceleration * abs(acceleration) * limits.inverseJerk)
    let touched = max(stopping, abs(finalVelocity))
    if touched > limits.maxVelocity, touched <= limits.maxVelocity * (1 + MoveLimits.touching) {
      limits.maxVelocity = touched
    }
  }

  /// Appends a phase of constant jerk.
  private mutating func append(_ time: Double, jerk: Double) {
    phases.append(lasting: time, acceleration: acceleration, jerk: jerk)
    duration += time
    displacement += time * (velocity + time * (0.5 * acceleration + time * jerk * (1.0 / 6.0)))
    velocity += time * (acceleration + 0.5 * time * jerk)
    acceleration += time * jerk
  }

  /// Appends the fastest change to a velocity without acceleration.
  private mutating func land(at final: Double) {
    let transition = VelocityTransition(velocity: velocity, acceleration: acceleration, to: final, limits: limits)
    transition.appendPhases(to: &phases, jerk: limits.maxJerk)
    duration += transition.duration
    displacement += transition.displacement
    velocity = final
    acceleration = 0
  }

  private mutating func reduceVelocity(direction: Double, target: Double, finalVelocity: Double, landing: Bool) {
    let limit = limits.maxVelocity
    // Values in the direction of the excess.
    let distance = direction * target
    let final = direction * finalVelocity
    func way(_ crest: Double) -> Double {
      direction * displacement(landingAt: direction * crest, finalVelocity: finalVelocity)
    }
    func land(between low: Double, and high: Double) {
      self.land(at: direction * crest(of: distance, from: low, to: high, way))
    }
    let entry = entryAcceleration(direction: direction)
    let entryCrest = limit - 0.5 * entry * entry * limits.inverseJerk
    let lowest = max(entryCrest, -limit)
    let middle = max(lowest, final)
    let throughMiddle = way(middle)
    let farthest = way(limit)
    // The way is not monotonic in the crest. A lower one, or none, can also be long enough and take less time.
    let entersFaster =
      distance < throughMiddle || max(final, entryCrest) < 0 || (distance < farthest && final < lowest)
    hasAlternative = landing && entersFaster && distance >= min(farthest, throughMiddle)
    if landing || !entersFaster {
      if distance >= farthest { return self.land(at: direction * limit) }
      if distance > throughMiddle { return land(between: middle, and: limit) }
    }
    if lowest < final, final < limit, distance > way(lowest) {
      return land(between: lowest, and: final)
    }
    if entryCrest < -limit { return self.land(at: -direction * limit) }
    enter(direction: direction, entry: entry)
  }

  private func displacement(landingAt crest: Double, finalVelocity: Double) -> Double {
    VelocityTransition(velocity: velocity, acceleration: acceleration, to: crest, limits: limits).displacement
      + VelocityTransition(velocity: crest, acceleration: 0, to: finalVelocity, limits: limits).displacement
  }

  /// The acceleration, of the opposite direction, with which the fastest braking reaches the velocity limit.
  private func entryAcceleration(direction: Double) -> Double {
    guard limits.maxJerk.isFinite else { return 0 }
    let square =
      acceleration * acceleration + 2 * limits.maxJerk * (direction * velocity - limits.maxVelocity)
    return -min(max(square, 0).squareRoot(), limits.maxAcceleration)
  }

  /// Brakes as fast as possible until the velocity is at the limit, with the acceleration `entry`.
  private mutating func enter(direction: Double, entry: Double) {
    guard limits.maxJerk.isFinite else { return land(at: direction * limits.maxVelocity) }
    append((direction * acceleration - entry) * limits.inverseJerk, jerk: -direction * limits.maxJerk)
    acceleration = direction * entry
    let excess = direction * velocity - limits.maxVelocity
    if excess > 0, entry < 0 { append(excess / -entry, jerk: 0) }
    velocity = direction * limits.maxVelocity
  }

  /// The crest between two with the given way, by bisection: the way need not be monotonic, but is continuous.
  private func crest(of distance: Double, from low: Double, to high: Double, _ way: (Double) -> Double) -> Double {
    var low = low
    var high = high
    let rising = way(low) < distance
    // Some 55 halvings; if an end is near zero, up to 2,100 for all of Double.
    for _ in 0..<2_100 {
      let middle = 0.5 * (low + high)
      if middle <= low || middle >= high { break }
      if (way(middle) < distance) == rising { low = middle } else { high = middle }
    }
    return low
  }
}
