// For the linker: a square root may be a call into the C library, where it is correctly rounded.
import Glibc

/// The part of a demand that a governor can follow: its position within the range, its velocity within the limit, and
/// its acceleration, if the demand of this frame continues that of the last one.
struct Aim {
  let position: Double
  let velocity: Double
  /// 0 for a demand that does not continue: it counts as moving uniformly from now on.
  private(set) var acceleration = 0.0
  /// Whether ``acceleration`` is that of the demand, exactly.
  private var isKnown = false
  /// Whether the demand has an acceleration: not if it jumps.
  private var isSmooth = true

  /// Whether it stands.
  var isAtRest: Bool { velocity == 0 && acceleration == 0 }

  /// A place at rest.
  init(standingAt position: Double) {
    self.position = position
    velocity = 0
  }

  /// The same place and velocity, without acceleration.
  var uniform: Aim {
    var aim = self
    aim.acceleration = 0
    return aim
  }

  /// The place where it stops if it goes on slowing down, and the seconds until then; `nil` if it does not slow down.
  var stop: (place: Double, time: Double)? {
    guard velocity * acceleration < 0 else { return nil }
    let time = -velocity / acceleration
    return (position + 0.5 * velocity * time, time)
  }

  /// The acceleration of a demand, from it and the one before.
  ///
  /// - Parameter isSmooth: whether accelerations are continuous: then it is that at the end of the cubic through both
  ///   demands. Otherwise it is the mean of the frame.
  @inline(__always)
  static func estimate(_ demand: MoveState, after former: MoveState, dt: Double, isSmooth: Bool) -> Double {
    let rate = 1 / dt
    guard isSmooth else { return (demand.velocity - former.velocity) * rate }
    return (4 * demand.velocity + 2 * former.velocity - 6 * (demand.position - former.position) * rate) * rate
  }

  /// - Parameters:
  ///   - demand: with its acceleration, as it is known or estimated.
  ///   - former: the demand of the last frame.
  @inline(__always)
  init(_ demand: MoveState, after former: MoveState, isKnown: Bool, dt: Double, limits: GovernorLimits) {
    let motion = limits.motion
    // A demand at the limit passes, in spite of its rounding errors.
    let most = motion.maxVelocity * (1 + 1e-10)
    if demand.position >= limits.range.upperBound {
      position = limits.range.upperBound
      velocity = demand.position > position ? 0 : max(min(demand.velocity, 0), -most)
    } else if demand.position <= limits.range.lowerBound {
      position = limits.range.lowerBound
      velocity = demand.position < position ? 0 : min(max(demand.velocity, 0), most)
    } else {
      position = demand.position
      velocity =
        abs(demand.velocity) <= most
        ? demand.velocity : max(min(demand.velocity, motion.maxVelocity), -motion.maxVelocity)
    }
    guard velocity == demand.velocity, position == demand.position, !motion.isVelocityOnly else { return }
    let top = motion.maxAcceleration * dt
    let change = demand.velocity - former.velocity
    let bend = demand.position - former.position - 0.5 * dt * (demand.velocity + former.velocity)
    // Twice the jerk, because the estimate of a demand whose jerk changes has an error.
    isSmooth =
      abs(change) <= 1.001 * top && abs(bend) <= 0.501 * top * dt
      && (isKnown || motion.maxJerk == .infinity
        || abs(demand.acceleration - former.acceleration) <= 2 * motion.maxJerk * dt)
    // A demand without velocity stands, or stands for a moment.
    self.isKnown = isKnown || velocity == 0
    guard isSmooth, isKnown || velocity != 0 else { return }
    let bounded = max(min(demand.acceleration, motion.maxAcceleration), -motion.maxAcceleration)
    // Where the velocity limit leaves no way to follow this acceleration, the demand counts as uniform.
    guard
      motion.maxJerk == .infinity || abs(velocity + 0.5 * bounded * abs(bounded) * motion.inverseJerk) <= most
    else { return }
    acceleration = bounded
  }

  /// The acceleration at the end of a frame, if there is one that jerks within the limit permit: from `start`, with
  /// this mean.
  ///
  /// With δ the change and μ the difference of the mean from `start`, both in units of `ramp` = jerk · dt, the extremes
  /// of the mean are δ/2 ± (1 − δ²)/4.
  ///
  /// - Parameter error: the rounding error of an estimated acceleration.
  @inline(__always)
  func acceleration(after start: Double, mean: Double, ramp: Double, error: Double) -> Double? {
    guard isSmooth else { return nil }
    let (offset, slack) = ((mean - start) / ramp, 1e-10 + error / ramp)
    guard abs(offset) <= 0.5 + slack else { return nil }
    let change = (acceleration - start) / ramp
    let middle = max(min(change, 1), -1)
    if isKnown {
      guard abs(change) <= 1 + slack, abs(offset - 0.5 * middle) <= 0.25 * (1 - middle * middle) + slack else {
        return nil
      }
      return abs(change) <= 1 ? acceleration : start + middle * ramp
    }
    let least = 1 - max(2 - 4 * offset, 0).squareRoot()
    let most = max(2 + 4 * offset, 0).squareRoot() - 1
    let nearest = min(max(middle, max(least, -1)), min(most, 1))
    return nearest == change ? acceleration : start + nearest * ramp
  }
}

/// The pursuit of an aim in one frame: the aim moves through the frame with its acceleration, so that it is in its place
/// at the frame's end.
struct Pursuit {
  let aim: Aim
  let motion: MoveLimits
  let dt: Double
  /// The rounding error of positions.
  let scale: Double
  /// The acceleration of the aim; slightly below the limit, so that the lane can gain on the aim in a finite time.
  private let curve: Double

  init(aim: Aim, motion: MoveLimits, dt: Double, scale: Double) {
    (self.aim, self.motion, self.dt, self.scale) = (aim, motion, dt, scale)
    let most = motion.maxAcceleration * (1 - 1e-6)
    curve = max(min(aim.acceleration, most), -most)
  }

  /// The fastest braking from a state to the aim's velocity and acceleration.
  struct Braking {
    /// By how much the braking ends beyond the aim; negative if it ends short of it.
    let excess: Double
    let transition: GovernedTransition
  }

  /// The fastest braking that begins `time` seconds after the frame's start.
  @inline(__always)
  func braking(from state: MoveState, at time: Double) -> Braking {
    let (left, top) = (dt - time, motion.maxAcceleration)
    // Relative to the aim.
    let transition = GovernedTransition(
      velocity: state.velocity - (aim.velocity - curve * left), acceleration: state.acceleration - curve, to: 0,
      up: top - curve, down: top + curve, jerk: motion.maxJerk)
    let place = aim.position - left * (aim.velocity - 0.5 * curve * left)
    return Braking(excess: state.position - place + transition.displacement, transition: transition)
  }

  /// An excess of this magnitude counts as none.
  @inline(__always)
  func tolerance(of braking: Braking) -> Double { scale + 1e-13 * abs(braking.transition.displacement) }

  /// The state at the frame's end of a braking that begins `time` seconds after its start: exactly the aim, if the
  /// braking has ended by then.
  @inline(__always)
  func end(of braking: Braking, at time: Double) -> MoveState {
    let transition = braking.transition
    let left = dt - time
    if transition.duration <= left, abs(braking.excess) <= 8 * tolerance(of: braking) {
      return MoveState(position: aim.position, velocity: aim.velocity, acceleration: curve)
    }
    let state = transition.state(after: left)
    return MoveState(
      position: aim.position + braking.excess + (state.position - transition.displacement),
      velocity: aim.velocity + state.velocity, acceleration: curve + state.acceleration)
  }
}
