import Glibc
import Testing

@testable import MotionPhysics

/// Demands that slow down until they stand. Random tests print their seed.
@Suite struct GovernorStopTests {
  /// Fewer in a debug build of every commit; the rounds are independent.
  private let rounds = 1_500

  /// The farthest place of the fastest move from a state to a place: beyond it, if the limits permit no stop there.
  private func farthest(from state: MoveState, to place: Double, _ limits: MoveLimits) throws -> Double {
    let move = try TimeOptimalMove.solve(from: state, to: place, limits: limits)
    var highest = place
    for (index, segment) in move.segments.enumerated() {
      let end = index + 1 < move.segments.count ? move.segments[index + 1].start : move.duration
      let step = (end - segment.start) / 100
      for part in 0...100 {
        var time = segment.start + step * Double(part)
        highest = max(highest, segment.state(at: time).position)
        guard part < 100, segment.state(at: time).velocity > 0, segment.state(at: time + step).velocity < 0 else {
          continue
        }
        // Exactly where it turns round, between two hundredths.
        var half = step / 2
        for _ in 0..<50 {
          if segment.state(at: time + half).velocity > 0 { time += half }
          half /= 2
        }
        highest = max(highest, segment.state(at: time).position)
      }
    }
    return highest
  }

  // Clauses: S19.5
  /// Moves, smoothings, over-damped springs and tweens from rest, most of them beyond the limits.
  @Test func demandThatSlowsDownUntilItStandsIsNotOvershot() throws {
    var generator = SeededGenerator.fromEnvironment()
    var (free, forced) = (0, 0)
    for round in 0..<rounds {
      let top = generator.magnitude(0...1.3)
      let limits = MoveLimits(
        maxVelocity: generator.uniform() < -0.5 ? .infinity : generator.magnitude(-0.5...0.7), maxAcceleration: top,
        maxJerk: generator.uniform() < -0.5 ? .infinity : top * generator.magnitude(0.3...1.3))
      let demand = EndingDemand(round, generator.double(0.5...4), limits, &generator)
      let dt = 1 / [60.0, 100, 120, 240][round / 4 % 4]
      var governor = Governor(MoveState(position: 0), limits: GovernorLimits(motion: limits))
      var (highest, allowed, velocity, slowing) = (0.0, demand.place, 0.0, 0)
      var frame = 0
      repeat {
        frame += 1
        let next = demand.state(at: Double(frame) * dt)
        let before = governor
        governor.follow(position: next.position, velocity: next.velocity, dt: dt)
        #expect(violations(from: before.state, to: governor.state, limits: limits, dt: dt) == [], "round \(round)")
        highest = max(highest, governor.state.position)
        // How a demand slows down is known after three frames; one that is followed exactly until it slows down more
        // than the limits permit cannot be left before.
        slowing += next.velocity < velocity || slowing > 0 ? 1 : 0
        if (1...3).contains(slowing) || slowing > 3 && before.isFollowing && !governor.isFollowing {
          allowed = max(allowed, try farthest(from: governor.state, to: demand.place, limits))
        }
        velocity = next.velocity
      } while (Double(frame) * dt < demand.end || !governor.isFollowing) && frame < 20_000
      #expect(governor.state == MoveState(position: demand.place), "round \(round)")
      if allowed > demand.place * (1 + 1e-6) { forced += 1 } else { free += 1 }
      // A move changes its jerk within a frame.
      let slack = demand.isMove ? 4 * top * dt * dt : 1e-6 * demand.place
      #expect(
        highest <= allowed + slack + 1e-3 * (allowed - demand.place),
        "round \(round): \(highest - demand.place), \(allowed - demand.place) permitted, \(limits) \(demand) \(dt)")
    }
    #expect(free > rounds / 2, "\(forced) could not stop")
  }

  // Clauses: S19.5
  /// Behind a tween above its velocity limit, and near it shortly before the end: it met the demand with a deceleration
  /// that could not cease in time, went beyond the place, and came back.
  @Test func laneThatMeetsItsDemandLateDoesNotTurnRound() {
    let limits = MoveLimits(
      maxVelocity: 1.1038943572991082, maxAcceleration: 14.021910730670388, maxJerk: 141.34538696339465)
    let (place, end) = (0.8888768416949532, 1.0260520330160023)
    var governor = Governor(MoveState(position: 0), limits: GovernorLimits(motion: limits))
    for frame in 1...70 {
      let part = min(Double(frame) / 60 / end, 1)
      let before = governor.state.position
      governor.follow(
        position: place * part * part * (3 - 2 * part), velocity: place * 6 * part * (1 - part) / end, dt: 1.0 / 60)
      #expect(governor.state.position >= before)
      #expect(governor.state.position <= place)
    }
    #expect(governor.state == MoveState(position: place))
  }

  // Clauses: S19.5
  /// A hand that moves evenly, with noise that looks like decelerations: the lane does not stay behind it.
  @Test func noiseOfADemandIsNoDeceleration() {
    var generator = SeededGenerator.fromEnvironment()
    let limits = MoveLimits(maxVelocity: 4, maxAcceleration: 8, maxJerk: 60)
    var governor = Governor(MoveState(position: 0), limits: GovernorLimits(motion: limits))
    var lag = 0.0
    for frame in 1...600 {
      let place = 0.3 + Double(frame) / 100 + 5e-4 * generator.uniform()
      governor.follow(position: place, velocity: 1 + 0.02 * generator.uniform(), dt: 0.01)
      if frame > 200 { lag += (place - governor.state.position) / 400 }
    }
    #expect(abs(lag) < 0.01)
  }
}
