// For the linker: a square root may be a call into the C library, where it is correctly rounded.
import Glibc

/// The fastest change from a velocity and acceleration to another velocity without acceleration, from any acceleration
/// and with a limit of its own for each direction.
///
/// As ``VelocityTransition``, which assumes that the limits are equal and hold at the start. An initial acceleration
/// above the limit of its direction ramps down to the limit first.
struct GovernedTransition {
  /// +1 or −1: the direction of the peak acceleration. All other values are in this direction.
  let direction: Double
  let velocity: Double
  let initial: Double
  let final: Double
  let peak: Double
  let firstRamp: Double
  let hold: Double
  let lastRamp: Double
  let jerk: Double
  let displacementOfRamp: Double
  let velocityAfterRamp: Double
  /// The whole duration, in seconds.
  let duration: Double
  private let whole: Double

  /// The displacement of the whole transition.
  var displacement: Double { direction * whole }

  /// - Parameters:
  ///   - up: the largest acceleration in the positive direction, above 0.
  ///   - down: the largest in the other direction, above 0.
  @inline(__always)
  init(velocity v0: Double, acceleration: Double, to v1: Double, up: Double, down: Double, jerk: Double) {
    let inverse = 1 / jerk
    let a0 = inverse == 0 ? 0 : acceleration
    let half = 0.5 * inverse * a0
    let sign = v1 >= v0 + half * abs(a0) ? 1.0 : -1.0
    let start = sign * a0
    let change = sign * (v1 - v0)
    var top = sign > 0 ? up : down
    var held = 0.0
    if inverse == 0 {
      held = change / top
    } else {
      // The first ramp gains half of start² / jerk if it falls, and loses as much if it rises.
      let gain = 0.5 * inverse * start * start
      if start > top {
        held = max((change - gain) / top, 0)
      } else {
        let floor = max(start, 0)
        let reached = max(jerk * change + 0.5 * start * start, floor * floor).squareRoot()
        if reached <= top { top = reached } else { held = max((change + gain) / top - top * inverse, 0) }
      }
    }
    direction = sign
    velocity = sign * v0
    initial = start
    final = sign * v1
    peak = top
    self.jerk = jerk
    firstRamp = abs(top - start) * inverse
    hold = held
    lastRamp = top * inverse
    duration = firstRamp + held + lastRamp
    displacementOfRamp = firstRamp * (velocity + firstRamp * (2 * start + top) * (1.0 / 6.0))
    velocityAfterRamp = velocity + firstRamp * 0.5 * (start + top)
    whole =
      displacementOfRamp + held * (velocityAfterRamp + 0.5 * top * held)
      + lastRamp * (final - top * lastRamp * (1.0 / 6.0))
  }

  /// Displacement, velocity and acceleration after so many seconds.
  @inline(__always)
  func state(after time: Double) -> MoveState {
    if time >= duration {
      return MoveState(
        position: direction * (whole + (time - duration) * final), velocity: direction * final, acceleration: 0)
    }
    if time < firstRamp {
      let gain = (peak >= initial ? jerk : -jerk) * time
      return MoveState(
        position: direction * time * (velocity + time * (0.5 * initial + gain * (1.0 / 6.0))),
        velocity: direction * (velocity + time * (initial + 0.5 * gain)), acceleration: direction * (initial + gain))
    }
    let held = time - firstRamp
    if held < hold {
      return MoveState(
        position: direction * (displacementOfRamp + held * (velocityAfterRamp + 0.5 * peak * held)),
        velocity: direction * (velocityAfterRamp + peak * held), acceleration: direction * peak)
    }
    let left = duration - time
    let gain = jerk * left
    return MoveState(
      position: direction * (whole - left * (final - left * gain * (1.0 / 6.0))),
      velocity: direction * (final - 0.5 * left * gain), acceleration: direction * gain)
  }
}
