/// The forces on a property, as the plans of a drama add up: springs, and friction.
///
/// An independent account of a property's expected motion, in one dimension and by plain numerical integration: it
/// shares no line with the code that it judges.
public struct Forces: Equatable, Sendable {
  /// The tension of every spring here, and its friction; both for mass 1.
  static let tension = 342.0
  static let springFriction = 30.0
  /// The distance from which a resting spring may snap: a tenth of its threshold, which is 1.
  static let reach = 0.1

  /// The destinations of the springs that stay.
  var anchors: [Double] = []
  /// The destination of the spring that ends when the property arrives.
  var destination: Double?
  /// The sum of the frictions, per second.
  var friction = 0.0

  private var springs: [Double] { anchors + (destination.map { [$0] } ?? []) }
  var isEmpty: Bool { springs.isEmpty && friction == 0 }
  private var stiffness: Double { Self.tension * Double(springs.count) }
  private var damping: Double { Self.springFriction * Double(springs.count) + friction }

  /// The place where the springs cancel out.
  var equilibrium: Double? { springs.isEmpty ? nil : springs.reduce(0, +) / Double(springs.count) }

  /// The acceleration, per s².
  func acceleration(_ state: Motion) -> Double {
    (equilibrium.map { stiffness * ($0 - state.value) } ?? 0) - damping * state.velocity
  }

  /// The state `dt` later, by Runge and Kutta's method in 8 steps, whose error is below a millionth of the distance.
  func after(_ start: Motion, _ dt: Double) -> Motion {
    var state = start
    let step = dt / 8
    for _ in 0..<8 {
      let first = slope(state)
      let second = slope(state + first * (step / 2))
      let third = slope(state + second * (step / 2))
      let fourth = slope(state + third * step)
      state = state + (first + second * 2 + third * 2 + fourth) * (step / 6)
    }
    return state
  }

  private func slope(_ state: Motion) -> Motion { Motion(state.velocity, acceleration(state)) }

  /// The farthest distance of `state` from rest at which it snaps: by the energy of a tenth of the threshold.
  var snap: Motion { Motion(Self.reach, springs.isEmpty ? damping * Self.reach : stiffness.squareRoot() * Self.reach) }
}

/// A value and its velocity per second, in one dimension; also a difference of two, or a change of them.
public struct Motion: Equatable, Sendable {
  /// The value.
  public var value: Double
  /// Its velocity, per second.
  public var velocity: Double

  /// A value with this velocity.
  public init(_ value: Double = 0, _ velocity: Double = 0) { (self.value, self.velocity) = (value, velocity) }

  static func + (left: Motion, right: Motion) -> Motion {
    Motion(left.value + right.value, left.velocity + right.velocity)
  }
  static func - (left: Motion, right: Motion) -> Motion {
    Motion(left.value - right.value, left.velocity - right.velocity)
  }
  static func * (motion: Motion, factor: Double) -> Motion { Motion(motion.value * factor, motion.velocity * factor) }
  /// Both without their signs.
  var magnitude: Motion { Motion(abs(value), abs(velocity)) }
}
