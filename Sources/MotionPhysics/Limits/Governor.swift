/// Moves one lane after its demand as fast as limits of range, velocity, acceleration and jerk allow.
///
/// The demand is the state that a driver gives in each frame, and may do anything. The governor's state is that of the
/// lane. In each frame it does one of these:
///
/// - It takes over the demand exactly, if the limits permit a way from its state to the demand within the frame.
/// - Otherwise it accelerates towards the demand, until the fastest braking ends at the demand with its velocity, and
///   then brakes. It changes from one to the other at the exact moment within the frame. So it does not overshoot a
///   demand that stands, and no frame undoes the previous one: there is no chatter. The duration of a frame may vary.
///
/// This is the variable-structure filter of Zanasi, Guarino Lo Bianco and Tonielli, "Nonlinear filters for the generation
/// of smooth trajectories", Automatica 36 (2000), with the switching moment solved in continuous time instead of for a
/// constant sampling time; with jerk that of Guarino Lo Bianco and Zanasi, "Smooth profile generation for a tile printing
/// machine", IEEE Transactions on Industrial Electronics 50 (2003), and Biagiotti and Melchiorri, "Trajectory Planning
/// for Automatic Machines and Robots", 2008, chapter 4.6. Under constant limits the way to a demand that stands takes as
/// long as a ``TimeOptimalMove``, up to the end of the frame in which it arrives.
///
/// If the limits cannot all hold, because they were lowered in mid-move:
/// - Jerk and acceleration hold first; an acceleration above its limit decreases with the jerk limit.
/// - The velocity then decreases monotonically to its limit.
/// - The range is overrun by the braking distance, once.
///
/// The future of a demand is not known. It is assumed to go on with its acceleration, as far as that is within the limit,
/// and to stand once it has slowed down to rest: while it slows down, the lane does not become too fast to stop there
/// (``stop(after:isMean:dt:)``). A demand that comes nearer while its acceleration is far above the limit is assumed to
/// stand (``isTurning(_:)``).
///
/// Cost: constant; a dozen multiplications for a frame that follows the demand, and up to 24 evaluations of a switching
/// function for one that changes from accelerating to braking.
public struct Governor: Hashable, Sendable {
  /// What a frame made of a lane.
  public struct Progress {
    /// Where the lane is, and its velocity.
    public let position, velocity: Double
    /// See ``Governor/isFollowing``.
    public let isFollowing: Bool
    /// See ``Governor/wantsFrames``.
    public let wantsFrames: Bool
  }

  /// The limits; they may change in mid-move.
  public var limits: GovernorLimits

  /// The state of the lane.
  public private(set) var state: MoveState

  /// The last demand: position and velocity as the driver gave them.
  public private(set) var demand: MoveState

  /// Whether the lane is where its driver demands it.
  public private(set) var isFollowing = true

  /// Whether a frame without demand would move the lane.
  public var isMoving: Bool { state.velocity != 0 || (state.acceleration != 0 && limits.motion.maxJerk.isFinite) }

  /// Creates a governor of a lane in this state, which its driver demands.
  public init(_ state: MoveState, limits: GovernorLimits) {
    self.state = state
    self.limits = limits
    demand = state
  }

  /// Restores a governor with the demand of an earlier frame.
  public init(_ state: MoveState, demand: MoveState, limits: GovernorLimits) {
    self.init(state, limits: limits)
    self.demand = demand
    isFollowing = demand.position == state.position && demand.velocity == state.velocity
  }

  /// Continues a governor in the midst of its way.
  package init(_ state: MoveState, demand: MoveState, isFollowing: Bool, limits: GovernorLimits) {
    self.init(state, demand: demand, limits: limits)
    self.isFollowing = isFollowing
  }

  /// The lane has this acceleration, which was not computed under its former limits.
  package mutating func begin(acceleration: Double) { state.acceleration = acceleration }

  /// Whether the lane is where it can be of what is demanded: there, or at rest at the bound before it.
  public var hasArrived: Bool {
    // A range that was set since may exclude the place at which a driver rests.
    if isFollowing { return limits.range.contains(state.position) }
    guard state.velocity == 0, limits.motion.maxJerk == .infinity || state.acceleration == 0 else { return false }
    return demand.position > limits.range.upperBound && state.position == limits.range.upperBound
      || demand.position < limits.range.lowerBound && state.position == limits.range.lowerBound
      || demand.position == state.position
        && (state.position == limits.range.upperBound || state.position == limits.range.lowerBound)
  }

  /// Whether a frame whose demand is the last value, at rest, would move the lane.
  public var wantsFrames: Bool { !hasArrived || state.velocity != 0 }

  /// Which limits hold the lane back from its demand; none if it follows.
  public var restraint: Restraint {
    guard !isFollowing else { return [] }
    var restraint: Restraint = []
    let motion = limits.motion
    // A lane at a limit is within rounding errors of it.
    if abs(state.velocity) >= motion.maxVelocity * (1 - 1e-9) { restraint.insert(.velocity) }
    if !limits.range.contains(demand.position) || !limits.range.contains(state.position) || overrun > 0
      || state.position == limits.range.lowerBound
      || state.position == limits.range.upperBound
    {
      restraint.insert(.range)
    }
    guard restraint.isEmpty else { return restraint }
    return motion.maxAcceleration == .infinity ? .jerk : .acceleration
  }

  /// How far the lane goes beyond its range although it brakes as fast as it may; 0 if it can stop within.
  public var overrun: Double {
    guard limits.isBounded, !limits.motion.isVelocityOnly, let bound = boundBeyond(state) else { return 0 }
    var braking = GovernedTransition(
      velocity: state.velocity, acceleration: state.acceleration, to: 0, up: limits.motion.maxAcceleration,
      down: limits.motion.maxAcceleration, jerk: limits.motion.maxJerk
    ).displacement
    if !braking.isFinite { braking = 0 }
    return abs(state.position + braking - bound)
  }

  // MARK: Frames

  /// Moves on by a frame of `dt` seconds, at whose end the driver demands `position` and `velocity`.
  ///
  /// - Parameter acceleration: that of the demand, if it is known; otherwise it is estimated from two demands.
  /// - Returns: what the lane is then. Reading it from the lane, which was just written, took a quarter of a frame.
  @discardableResult
  public mutating func follow(position: Double, velocity: Double, acceleration: Double? = nil, dt: Double) -> Progress {
    move(to: position, velocity, acceleration, dt: dt)
    return Progress(
      position: state.position, velocity: state.velocity, isFollowing: isFollowing, wantsFrames: wantsFrames)
  }

  private mutating func move(to position: Double, _ velocity: Double, _ acceleration: Double?, dt: Double) {
    // A variable of its own as long as others read the lane: what reads a lane that was just written waits for the write.
    let former = self.demand
    var demand = MoveState(position: position, velocity: velocity)
    guard !limits.isRangeOnly, dt > 0 else {
      self.demand = demand
      return limits.isRangeOnly ? hold() : noteFollowing()
    }
    demand.acceleration =
      acceleration ?? Aim.estimate(demand, after: former, dt: dt, isSmooth: limits.motion.maxJerk.isFinite)
    var aim = Aim(demand, after: former, isKnown: acceleration != nil, dt: dt, limits: limits)
    guard !limits.motion.isVelocityOnly else {
      self.demand = demand
      return approach(aim, dt: dt)
    }
    if let reached = Self.exactly(aim, from: state, limits.motion, dt: dt), isSafe(reached) {
      (self.demand, state) = (demand, reached)
      return noteFollowing()
    }
    self.demand = demand
    let before = state
    if (aim.position - before.position) * aim.velocity < 0, isTurning(former) {
      aim = Aim(standingAt: aim.position)
    }
    var next = pursue(aim, from: before, dt: dt)
    // An aim that comes from beyond the velocity limit must not be met on its way.
    if aim.acceleration != 0,
      !Self.keepsVelocity(next, limits.motion)
        || abs(next.position - before.position) > limits.motion.maxVelocity * dt * (1 + Self.slack) + rounding(aim)
    {
      next = pursue(aim.uniform, from: before, dt: dt)
    }
    if let stop = stop(after: former, isMean: acceleration == nil && limits.motion.maxJerk == .infinity, dt: dt),
      passes(next, stop)
    {
      next = pursue(Aim(standingAt: stop), from: before, dt: dt)
    }
    if limits.isBounded, let bound = boundBeyond(next) {
      next = pursue(Aim(standingAt: bound), from: before, dt: dt)
    }
    set(next, dt: dt)
    noteFollowing()
  }

  /// Moves on by a frame of `dt` seconds without a driver: brakes within the limits, and stands.
  ///
  /// - Parameter deceleration: that of a lane with no limit of acceleration or jerk, which otherwise stands at once.
  public mutating func brake(dt: Double, deceleration: Double = .infinity) {
    let motion = limits.motion
    if motion.isVelocityOnly, !(deceleration > 0 && deceleration.isFinite) {
      state = MoveState(position: state.position)
    } else if dt > 0 {
      let most = motion.isVelocityOnly ? deceleration : motion.maxAcceleration
      let velocity = max(-limits.finiteVelocity, min(state.velocity, limits.finiteVelocity))
      let transition = GovernedTransition(
        velocity: motion.isVelocityOnly ? velocity : state.velocity, acceleration: state.acceleration, to: 0, up: most,
        down: most, jerk: motion.maxJerk)
      var next = transition.state(after: dt)
      next.position += state.position
      if motion.isVelocityOnly, limits.range.contains(state.position), !limits.range.contains(next.position) {
        // Where only a range limits it, it stands at the bound.
        let bound = next.position > state.position ? limits.range.upperBound : limits.range.lowerBound
        next = MoveState(position: bound)
      }
      set(next, dt: dt)
    }
    demand = state
    isFollowing = true
  }

  // MARK: Cases

  private mutating func noteFollowing() {
    isFollowing = demand.position == state.position && demand.velocity == state.velocity
  }

  /// Stores a state. Without a limit of jerk the acceleration is the mean of the frame.
  @inline(__always)
  private mutating func set(_ next: MoveState, dt: Double) {
    var next = next
    guard next.isFinite else {
      // Beyond the range of Double: the lane stands.
      state = MoveState(position: state.position)
      return
    }
    if limits.motion.maxJerk == .infinity {
      next.acceleration = next.velocity == 0 ? 0 : (next.velocity - state.velocity) / dt
    }
    state = next
  }

  /// Only the range limits the lane.
  private mutating func hold() {
    state = MoveState(position: demand.position, velocity: demand.velocity)
    let range = limits.range
    if state.position >= range.upperBound {
      state.position = range.upperBound
      state.velocity = min(demand.position > range.upperBound ? 0 : state.velocity, 0)
    } else if state.position <= range.lowerBound {
      state.position = range.lowerBound
      state.velocity = max(demand.position < range.lowerBound ? 0 : state.velocity, 0)
    }
    noteFollowing()
  }

  /// Only range and velocity limit the lane.
  private mutating func approach(_ aim: Aim, dt: Double) {
    let most = limits.motion.maxVelocity * dt
    let way = aim.position - state.position
    if abs(way) <= most * (1 + Self.slack) + rounding(aim) {
      state = MoveState(position: aim.position, velocity: aim.velocity)
    } else {
      state = MoveState(
        position: state.position + (way > 0 ? most : -most),
        velocity: way > 0 ? limits.motion.maxVelocity : -limits.motion.maxVelocity)
    }
    noteFollowing()
  }

  /// The tolerance of limits: rounding errors of a demand that moves at a limit.
  private static var slack: Double { 1e-10 }

  /// The rounding error of a difference of positions.
  @inline(__always)
  private static func rounding(_ aim: Aim, _ state: MoveState) -> Double {
    2e-15 * (abs(state.position) + abs(aim.position))
  }

  @inline(__always)
  private func rounding(_ aim: Aim) -> Double { Self.rounding(aim, state) }

  /// The state that follows the demand exactly, if the limits permit it to be reached within the frame.
  ///
  /// It gets the numbers that it reads: the whole lane would be copied for it.
  @inline(__always)
  private static func exactly(_ aim: Aim, from state: MoveState, _ motion: MoveLimits, dt: Double) -> MoveState? {
    let (way, change) = (aim.position - state.position, aim.velocity - state.velocity)
    let rounding = rounding(aim, state) + 1e-15 * dt * (abs(state.velocity) + abs(aim.velocity))
    guard abs(way) <= motion.maxVelocity * dt * (1 + slack) + rounding else { return nil }
    let most = motion.maxAcceleration * dt
    guard abs(change) <= most * (1 + slack) else { return nil }
    let bend = way - 0.5 * dt * (state.velocity + aim.velocity)
    // Reachable under the acceleration limit: full acceleration first or last gives the extremes,
    // (most · dt − change² / maxAcceleration) / 4.
    guard
      4 * (abs(bend) - slack * most * dt - rounding) * most <= (most - change) * (most + change) * dt
    else { return nil }
    guard motion.maxJerk.isFinite else {
      return MoveState(
        position: aim.position, velocity: aim.velocity, acceleration: aim.isAtRest ? 0 : change / dt)
    }
    // The same one derivative higher. With δ the change of acceleration in units of jerk · dt, full jerk in the middle of
    // the frame and its opposite at both ends give the extremes of the position: L·(1 − L²)/12 for L = (1 ∓ δ)/2, in
    // units of jerk · dt³.
    let ramp = motion.maxJerk * dt
    let error = 8 * rounding / (dt * dt)
    guard let acceleration = aim.acceleration(after: state.acceleration, mean: change / dt, ramp: ramp, error: error)
    else { return nil }
    let turn = acceleration - state.acceleration
    let deviation = bend + turn * dt * dt * (1.0 / 12.0)
    let middle = 0.5 - (deviation > 0 ? 0.5 : -0.5) * turn / ramp
    let reach = ramp * dt * dt * middle * (1 - middle * middle) * (1.0 / 12.0)
    // Without a limit of acceleration, the jerk alone limits the way.
    let tolerance = slack * dt * (most.isFinite ? most : ramp * dt)
    guard abs(deviation) <= reach + tolerance + 2 * rounding,
      abs(acceleration) <= motion.maxAcceleration * (1 + slack)
    else { return nil }
    let next = MoveState(position: aim.position, velocity: aim.velocity, acceleration: acceleration)
    return keepsVelocity(next, motion) ? next : nil
  }

  /// Whether the velocity can stay within its limit from a state.
  @inline(__always)
  private static func keepsVelocity(_ state: MoveState, _ motion: MoveLimits) -> Bool {
    guard motion.maxJerk.isFinite else { return true }
    return abs(state.velocity + 0.5 * state.acceleration * abs(state.acceleration) * motion.inverseJerk)
      <= motion.maxVelocity * (1 + slack)
  }

  /// Whether the demand is about to turn, or has just turned: its acceleration is so far above the limit that its
  /// velocity says nothing about where it will be.
  ///
  /// A lane that went to meet it with that velocity would brake long before, and in vain: a far spring swings several
  /// times until the lane is there. Tenfold, because below that a lane can often meet the demand, and lags more if it
  /// does not try.
  private func isTurning(_ former: MoveState) -> Bool {
    max(abs(demand.acceleration), abs(former.acceleration)) > 10 * limits.motion.maxAcceleration
  }

  /// Accelerates towards the aim, or brakes, or both in this frame.
  private func pursue(_ aim: Aim, from start: MoveState, dt: Double) -> MoveState {
    let pursuit = Pursuit(aim: aim, motion: limits.motion, dt: dt, scale: rounding(aim))
    let now = pursuit.braking(from: start, at: 0)
    // An aim that slows down comes to rest, and does not turn: if it rests before it can be met, it is met there.
    if let stop = aim.stop, now.transition.duration > dt + stop.time {
      return pursue(Aim(standingAt: stop.place), from: start, dt: dt)
    }
    if abs(now.excess) <= pursuit.tolerance(of: now) { return pursuit.end(of: now, at: 0) }
    let direction = now.excess < 0 ? 1.0 : -1.0
    let most = limits.motion.maxAcceleration
    let ahead = GovernedTransition(
      velocity: start.velocity, acceleration: start.acceleration, to: direction * limits.finiteVelocity, up: most,
      down: most, jerk: limits.motion.maxJerk)
    func state(after time: Double) -> MoveState {
      var state = ahead.state(after: time)
      state.position += start.position
      return state
    }
    let end = state(after: dt)
    let last = pursuit.braking(from: end, at: dt)
    if direction * last.excess <= pursuit.tolerance(of: last) { return end }
    // The moment in which braking has to begin, by false position with the correction of Illinois.
    var (low, high) = (0.0, dt)
    var (below, above) = (direction * now.excess, direction * last.excess)
    var (braking, moment, side) = (now, 0.0, 0)
    for _ in 0..<Self.switchingSteps {
      var middle =
        below.isFinite && above.isFinite ? (low * above - high * below) / (above - below) : 0.5 * (low + high)
      if !(middle > low && middle < high) { middle = 0.5 * (low + high) }
      let attempt = pursuit.braking(from: state(after: middle), at: middle)
      let excess = direction * attempt.excess
      // The moment is kept on the near side, so that the demand is not overshot.
      if excess <= 0 { (braking, moment) = (attempt, middle) }
      if abs(excess) <= pursuit.tolerance(of: attempt) {
        (braking, moment) = (attempt, middle)
        break
      }
      if excess > 0 {
        (high, above) = (middle, excess)
        if side == 1 { below *= 0.5 }
        side = 1
      } else {
        (low, below) = (middle, excess)
        if side == -1 { above *= 0.5 }
        side = -1
      }
    }
    return pursuit.end(of: braking, at: moment)
  }

  /// Enough for the precision of Double: false position converges faster than linearly.
  private static var switchingSteps: Int { 24 }
}
