public import MotionModel

/// A property's state with its acceleration, as a runtime has it at the end of a frame.
public struct LimitedState: Sendable {
  /// Value and velocity.
  public var state: PropertyState
  /// The acceleration, per second squared; `nil` if it is not known, as for a subscriber.
  public var acceleration: Lanes?

  /// A state with its acceleration.
  public init(_ state: PropertyState, acceleration: Lanes?) { (self.state, self.acceleration) = (state, acceleration) }
}

/// Judges frame by frame whether a property keeps its limits, also those of acceleration and jerk.
///
/// From the state before a frame to the one after it, a way within the limits has to exist. So a value that jumps, and a
/// velocity or acceleration that does not belong to it, are found as well. It shares no code with what it judges.
///
/// When limits change in mid-move (``change(to:)``), the new ones may be exceeded only as by the state at that time: the
/// acceleration comes down by the jerk, the velocity does not rise further than the acceleration makes inevitable, and
/// the range is overrun by the braking distance once.
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

  /// How far a lane may exceed limits that were set too late for it.
  private struct Excess {
    /// The acceleration and the velocity that it may still have.
    var acceleration = 0.0
    var velocity = 0.0
    /// How far it may go.
    var lower = Double.infinity
    var upper = -Double.infinity
  }

  /// One number for all lanes.
  private let maxVelocity, maxAcceleration, maxJerk: Double
  private let range: PropertyLimits.Range?
  private let dt: Double
  private var excess = Array(repeating: Excess(), count: 4)
  private var last: LimitedState?
  private var beforeLast: LimitedState?
  /// The number of frames so far.
  private var frame = 0
  /// The use of the limits so far.
  public private(set) var use = Use()
  /// The frames in which a lane exceeded limits that were set too late for it.
  public private(set) var excesses = 0
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
    defer { (beforeLast, last, frame) = (last, now, frame + 1) }
    if isHeldBack { use.heldBack += 1 }
    guard let last else { return }
    for lane in 0..<now.state.value.count { judge(lane, from: last, to: now) }
  }

  /// Notes that the next frame interrupts a movement.
  public mutating func interrupt() {
    guard let acceleration = last?.acceleration else { return }
    for lane in 0..<acceleration.count {
      use.inherited = max(use.inherited, abs(acceleration[lane]) / maxAcceleration)
    }
  }

  /// Notes that the next frame is under other limits.
  public mutating func change(to limits: PropertyLimits) {
    self = LimitJudge(changing: self, to: limits)
    guard let last else { return }
    for lane in 0..<last.state.value.count {
      let (x, v, a) = (last.state.value[lane], last.state.velocity[lane], last.acceleration?[lane] ?? 0)
      excess[lane].acceleration = abs(a)
      excess[lane].velocity = inevitable(v, a)
      excess[lane].upper = x + brakingDistance(v, a)
      excess[lane].lower = x - brakingDistance(-v, -a)
    }
  }

  private init(changing judge: LimitJudge, to limits: PropertyLimits) {
    self.init(limits, ratePerSecond: 1 / judge.dt)
    (last, beforeLast, frame, use) = (judge.last, judge.beforeLast, judge.frame, judge.use)
    (violations, excesses) = (judge.violations, judge.excesses)
  }

  /// The speed that a lane reaches before its acceleration can be 0.
  private func inevitable(_ v: Double, _ a: Double) -> Double {
    max(abs(v), abs(maxJerk.isFinite ? v + a * abs(a) / (2 * maxJerk) : v))
  }

  /// How far a lane moves up, at most, until it can stand: its acceleration ends first, and a frame has passed.
  private func brakingDistance(_ v: Double, _ a: Double) -> Double {
    let rise = maxJerk.isFinite && a > 0 ? a : 0
    let time = rise > 0 ? rise / maxJerk : 0
    let top = v + rise * time / 2
    guard top > 0 else { return 0 }
    let way = max(v * time + rise * time * time / 3, 0)
    let fullJerk = maxAcceleration * maxAcceleration / maxJerk
    let stop =
      top <= fullJerk
      ? top * (top / maxJerk).squareRoot() : top * top / (2 * maxAcceleration) + top * maxAcceleration / (2 * maxJerk)
    return way + stop + top * dt
  }

  private mutating func judge(_ lane: Int, from last: LimitedState, to now: LimitedState) {
    let (x, y) = (last.state.value[lane], now.state.value[lane])
    let (v, w) = (last.state.velocity[lane], now.state.velocity[lane])
    let (a, b) = (last.acceleration?[lane], now.acceleration?[lane])
    // Of a value that is measured in hundreds, and of the difference of two.
    let rounding = 1e-13 * (abs(x) + abs(y) + 1)
    func find(_ what: String, _ excess: Double, _ allowance: Double) {
      guard !(excess <= allowance) else { return }
      violations.append("frame \(frame), lane \(lane), \(what): \(x) \(v) \(Self.text(a)) to \(y) \(w) \(Self.text(b))")
    }
    // With a limit of jerk, an acceleration above its limit takes time to come down.
    let late = excess[lane]
    let maxAcceleration = maxJerk.isFinite ? max(maxAcceleration, late.acceleration) : maxAcceleration
    let maxVelocity = max(maxVelocity, late.velocity)
    find("velocity", abs(w), maxVelocity * (1 + 1e-9))
    find("way", abs(y - x), maxVelocity * dt * (1 + 1e-9) + rounding)
    find("change of velocity", abs(w - v), maxAcceleration * dt * (1 + 1e-9) + 1e-12)
    if abs(w) > self.maxVelocity * (1 + 1e-9) || abs(b ?? 0) > self.maxAcceleration * (1 + 1e-9) { excesses += 1 }
    defer { settle(lane, now) }
    // The mean of the velocities gives the way, but for what a bounded second derivative adds.
    find(
      "way for its velocities", abs(y - x - dt * (v + w) / 2),
      Self.bend(maxAcceleration, w - v, dt) + 1e-9 * maxAcceleration * dt * dt + rounding)
    if let range {
      find("range", min(range.lower[lane % range.lower.count], late.lower) - y, 1e-9)
      find("range", y - max(range.upper[lane % range.upper.count], late.upper), 1e-9)
    }
    use.velocity = max(use.velocity, abs(w) / maxVelocity)
    use.acceleration = max(use.acceleration, abs(w - v) / (maxAcceleration * dt))
    guard maxJerk.isFinite else { return }
    guard let a, let b else {
      // The means of two frames differ by no more than the jerk permits within the time between them.
      guard let u = beforeLast?.state.velocity[lane] else { return }
      find("change of mean acceleration", abs(w - 2 * v + u), maxJerk * dt * dt * (1 + 1e-9) + 1e-12 * (1 + abs(v)))
      use.jerk = max(use.jerk, abs(w - 2 * v + u) / (maxJerk * dt * dt))
      return
    }
    find("acceleration", abs(b), max(self.maxAcceleration, late.acceleration - maxJerk * dt) * (1 + 1e-9))
    find("change of acceleration", abs(b - a), maxJerk * dt * (1 + 1e-9) + 1e-12 * abs(a))
    find(
      "velocity for its accelerations", abs(w - v - dt * (a + b) / 2),
      Self.bend(maxJerk, b - a, dt) + 1e-9 * maxJerk * dt * dt + 8 * rounding / dt)
    use.jerk = max(use.jerk, abs(b - a) / (maxJerk * dt))
  }

  /// What a lane has come down from is no excuse any more.
  private mutating func settle(_ lane: Int, _ now: LimitedState) {
    let (y, w, b) = (now.state.value[lane], now.state.velocity[lane], now.acceleration?[lane] ?? 0)
    excess[lane].acceleration = min(excess[lane].acceleration, abs(b))
    excess[lane].velocity = min(excess[lane].velocity, inevitable(w, b))
    guard let range else { return }
    // Before it can stand within the range it has not yet overrun it.
    if y + brakingDistance(w, b) <= range.upper[lane % range.upper.count] { excess[lane].upper = -.infinity }
    if y - brakingDistance(-w, -b) >= range.lower[lane % range.lower.count] { excess[lane].lower = .infinity }
  }

  private static func text(_ acceleration: Double?) -> String { acceleration.map { "\($0)" } ?? "–" }

  /// How far a quantity can deviate from the mean of its derivative at both ends, if the second derivative has this
  /// limit and the derivative changes by so much.
  private static func bend(_ limit: Double, _ change: Double, _ dt: Double) -> Double {
    limit.isFinite ? 0.25 * max(limit * dt * dt - change * change / limit, 0) : .infinity
  }
}
