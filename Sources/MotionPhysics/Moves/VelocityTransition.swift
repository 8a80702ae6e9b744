// For the linker: a square root may be a call into the C library, where it is correctly rounded.
import Glibc

/// The fastest change from a velocity and acceleration to another velocity without acceleration.
///
/// The acceleration ramps to a peak, holds it if it is the limit, and ramps to zero. The peak follows from the change of
/// velocity: `peak² = jerk·(v₁ − v₀) + a₀²/2`.
struct VelocityTransition {
  /// +1 if the acceleration ramps up first, −1 if it ramps down first.
  let direction: Double
  /// The magnitude of the peak acceleration in `direction`.
  let peak: Double
  /// The initial acceleration in `direction`.
  let initial: Double
  let firstRamp: Double
  let hold: Double
  let lastRamp: Double
  let duration: Double
  let displacement: Double

  init(velocity v0: Double, acceleration: Double, to v1: Double, limits: MoveLimits) {
    let inverse = limits.inverseJerk
    let a0 = inverse == 0 ? 0 : acceleration
    let sign = v1 >= v0 + 0.5 * a0 * abs(a0) * inverse ? 1.0 : -1.0
    let start = sign * a0
    let change = sign * (v1 - v0)
    var top = limits.maxAcceleration
    var held = 0.0
    if inverse == 0 {
      held = change / top
    } else {
      // Not below the initial acceleration, by the choice of the sign; the maximum removes rounding errors.
      let floor = max(start, 0)
      let reached = max(limits.maxJerk * change + 0.5 * start * start, floor * floor).squareRoot()
      if reached <= top {
        top = reached
      } else {
        held = max((change + 0.5 * start * start * inverse) / top - top * inverse, 0)
      }
    }
    let up = (top - start) * inverse
    let down = top * inverse
    direction = sign
    peak = top
    initial = start
    firstRamp = up
    hold = held
    lastRamp = down
    duration = up + held + down
    // In `direction`: forwards over the first ramp, backwards from the end over the others.
    let w0 = sign * v0
    let w1 = sign * v1
    let afterHold = w1 - 0.5 * top * down
    displacement =
      sign
      * (up * (w0 + up * (2 * start + top) * (1.0 / 6.0)) + held * (afterHold - 0.5 * top * held)
        + down * (w1 - top * down * (1.0 / 6.0)))
  }

  func appendPhases(to phases: inout [MovePhase], jerk: Double) {
    let j = jerk.isFinite ? direction * jerk : 0
    phases.append(lasting: firstRamp, acceleration: direction * initial, jerk: j)
    phases.append(lasting: hold, acceleration: direction * peak, jerk: 0)
    phases.append(lasting: lastRamp, acceleration: direction * peak, jerk: -j)
  }
}
