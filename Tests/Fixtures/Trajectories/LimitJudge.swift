public import MotionModel

/// A property's state with its acceleration, as a runtime has it at the end of a frame.
public struct LimitedState: Sendable {
  /// Value and velocity.
  public var state: PropertyState
  /// The acceleration, per second squared.
  public var acceleration: Lanes

  /// A state with its acceleration.
  public init(_ state: PropertyState, acceleration: Lanes) { (self.state, self.acceleration) = (state, acceleration) }
}

/// Judges frame by frame whether a property keeps its limits, also those of acceleration and jerk.
///
/// From the state before a frame to the one after it, a way within the limits has to exist. So a value that jumps, and a
/// velocity or acceleration that does not belong to it, are found as well. It shares no code with what it judges.
public struct LimitJudge: Sendable {
  /// How much of its limits a property used, as shares of them.
  public struct Use: Sendable {
    /// The greatest share of the velocity.
    public var velocity = 0.0
    /// The greatest share of the acceleration, by the change of the velocity.
    public var acceleration = 0.0
    /// The greatest share of the jerk, by the change of the acceleration.
    public var jerk = 0.0
    /// The greatest acceleration at an interruption, as a share of its limit.
    public var inherited = 0.0
    /// The frames in which the property was not where its driver demanded it.
    public var heldBack = 0

    /// Nothing yet.
    public init() {}

    /// Adds what another course used.
    public mutating func widen(by other: Use) {
      (velocity, acceleration) = (max(velocity, other.velocity), max(acceleration, other.acceleration))
      (jerk, inherited) = (max(jerk, other.jerk), max(inherited, other.inherited))
      heldBack += other.heldBack
    }
  }

  /// One number for all lanes.
  private let maxVelocity, maxAcceleration, maxJerk: Double
  private let range: PropertyLimits.Range?
  private let dt: Double
  private var last: LimitedState?
  /// The number of frames so far.
  private var frame = 0
  /// The use of the limits so far.
  public private(set) var use = Use()
  /// The violations so far.
  public private(set) var violations: [String] = []

  /// Judges a property under limits that are the same in all lanes.
  public init(_ limits: PropertyLimits, ratePerSecond: Double) {
    let motion = limits.motion(lane: 0)
    maxVelocity = motion.maxVelocity ?? .infinity
    maxAcceleration = motion.maxAcceleration ?? .infinity
    maxJerk = motion.maxJerk ?? .infinity
    range = limits.range
    dt = 1 / ratePerSecond
  }

  /// Takes the state at the end of the next frame.
  ///
  /// - Parameter isHeldBack: whether the property is not where its driver demands it.
  public mutating func see(_ now: LimitedState, isHeldBack: Bool) {
    defer { (last, frame) = (now, frame + 1) }
    if isHeldBack { use.heldBack += 1 }
    guard let last else { return }
    for lane in 0..<now.state.value.count { judge(lane, from: last, to: now) }
  }

  /// Notes that the next frame interrupts a movement.
  public mutating func interrupt() {
    guard let last else { return }
    for lane in 0..<last.acceleration.count {
      use.inherited = max(use.inherited, abs(last.acceleration[lane]) / maxAcceleration)
    }
  }

  private mutating func judge(_ lane: Int, from last: LimitedState, to now: LimitedState) {
    let (x, y) = (last.state.value[lane], now.state.value[lane])
    let (v, w) = (last.state.velocity[lane], now.state.velocity[lane])
    let (a, b) = (last.acceleration[lane], now.acceleration[lane])
    // Of a value that is measured in hundreds, and of the difference of two.
    let rounding = 1e-13 * (abs(x) + abs(y) + 1)
    func find(_ what: String, _ excess: Double, _ allowance: Double) {
      guard !(excess <= allowance) else { return }
      violations.append("frame \(frame), lane \(lane), \(what): \(x) \(v) \(a) to \(y) \(w) \(b)")
    }
    find("velocity", abs(w), maxVelocity * (1 + 1e-9))
    find("way", abs(y - x), maxVelocity * dt * (1 + 1e-9) + rounding)
    find("change of velocity", abs(w - v), maxAcceleration * dt * (1 + 1e-9) + 1e-12)
    // The mean of the velocities gives the way, but for what a bounded second derivative adds.
    find(
      "way for its velocities", abs(y - x - dt * (v + w) / 2),
      Self.bend(maxAcceleration, w - v, dt) + 1e-9 * maxAcceleration * dt * dt + rounding)
    if let range {
      find("range", range.lower[lane % range.lower.count] - y, 1e-9)
      find("range", y - range.upper[lane % range.upper.count], 1e-9)
    }
    use.velocity = max(use.velocity, abs(w) / maxVelocity)
    use.acceleration = max(use.acceleration, abs(w - v) / (maxAcceleration * dt))
    guard maxJerk.isFinite else { return }
    find("acceleration", abs(b), maxAcceleration * (1 + 1e-9))
    find("change of acceleration", abs(b - a), maxJerk * dt * (1 + 1e-9) + 1e-12 * abs(a))
    find(
      "velocity for its accelerations", abs(w - v - dt * (a + b) / 2),
      Self.bend(maxJerk, b - a, dt) + 1e-9 * maxJerk * dt * dt + 8 * rounding / dt)
    use.jerk = max(use.jerk, abs(b - a) / (maxJerk * dt))
  }

  /// How far a quantity can deviate from the mean of its derivative at both ends, if the second derivative has this
  /// limit and the derivative changes by so much.
  private static func bend(_ limit: Double, _ change: Double, _ dt: Double) -> Double {
    limit.isFinite ? 0.25 * max(limit * dt * dt - change * change / limit, 0) : .infinity
  }
}
