import Testing

@testable import MotionPhysics

/// Initial states above the limits. The numbers are those of the issues of Ruckig.
@Suite struct BrakingTests {
  /// https://github.com/pantor/ruckig/issues/146: the velocity fell through zero.
  @Test func loweringTheMaximumVelocityLandsAtIt() throws {
    let fast = MoveLimits(maxVelocity: 0.55, maxAcceleration: 1, maxJerk: 2)
    let slow = MoveLimits(maxVelocity: 0.1, maxAcceleration: 1, maxJerk: 2)
    let first = try TimeOptimalMove.solve(from: MoveState(position: 0), to: 1.2, limits: fast)
    for time in stride(from: 0.05, to: 1.9, by: 0.05) {
      let state = first.state(at: time)
      let move = try TimeOptimalMove.solve(from: state, to: 1.2, limits: slow)
      expectLanding(move, from: state, at: 0.1)
    }
  }

  /// https://github.com/pantor/ruckig/issues/44: from 3 to 1 on the way to 10, with several accelerations and jerks.
  @Test(arguments: [0.5, 2, 3, 10, 100], [0.5, 1, 4, 30, 1000, .infinity])
  func loweringTheMaximumVelocityNeverReverses(acceleration: Double, jerk: Double) throws {
    let fast = MoveLimits(maxVelocity: 3, maxAcceleration: acceleration, maxJerk: jerk)
    let slow = MoveLimits(maxVelocity: 1, maxAcceleration: acceleration, maxJerk: jerk)
    // Far enough for every combination.
    let first = try TimeOptimalMove.solve(from: MoveState(position: 0), to: 200, limits: fast)
    for time in stride(from: 0.1, to: 20, by: 0.4) {
      let state = first.state(at: time)
      guard state.acceleration >= 0, state.position < 100 else { continue }
      expectLanding(try TimeOptimalMove.solve(from: state, to: 200, limits: slow), from: state, at: 1)
    }
  }

  /// Above the limit the velocity decreases, below it increases, and between them it cruises, until it brakes to rest.
  private func expectLanding(_ move: TimeOptimalMove, from: MoveState, at limit: Double) {
    var before = from
    var braking = false
    for index in 1...1_000 {
      let state = move.state(at: move.duration * Double(index) / 1_000)
      #expect(state.velocity >= -1e-12)
      if before.velocity > limit, before.acceleration <= 0 { #expect(state.velocity <= before.velocity) }
      if from.velocity > limit, state.velocity < limit * (1 - 1e-9) { braking = true }
      if braking { #expect(state.velocity <= before.velocity + 1e-12) }
      before = state
    }
    #expect(move.state(at: move.duration) == move.to)
  }

  /// https://github.com/pantor/ruckig/issues/86: a velocity that has to exceed its limit because of the acceleration.
  @Test func unavoidableExcessIsTheLeastAndIsReported() throws {
    let limits = MoveLimits(maxVelocity: 2.58309, maxAcceleration: 17.3088, maxJerk: 65)
    let from = MoveState(position: 1.4281, velocity: 2.58052, acceleration: 0.686652)
    let plan = try MovePlan(from: from, to: 1.45479, velocity: 2.58209, limits: limits)
    #expect(plan.brakingDuration > 0)
    let move = try plan.move()
    let peak = 2.58052 + 0.686652 * 0.686652 / (2 * 65)
    for index in 0...1_000 {
      let state = move.state(at: move.duration * Double(index) / 1_000)
      #expect(state.velocity <= peak + 1e-12)
    }
    #expect(move.segments.allSatisfy { abs($0.jerk) <= 65 && abs($0.state.acceleration) <= 17.3088 })
  }

  /// https://github.com/pantor/ruckig/issues/188: a deceleration that passes through zero in any case.
  @Test func unavoidableReversalIsTheLeast() throws {
    let limits = MoveLimits(maxVelocity: 1, maxAcceleration: 1.5, maxJerk: 0.5)
    let from = MoveState(position: 0, velocity: 0.092317526809040512, acceleration: -0.30818708575763137)
    let move = try TimeOptimalMove.solve(from: from, to: 0.018480837230235015, limits: limits)
    #expect(violations(of: move, limits: limits).isEmpty)
    let lowest = from.velocity - from.acceleration * from.acceleration / (2 * limits.maxJerk)
    #expect(lowest < 0)
    // The target is passed on the way; the return to it needs a velocity below the unavoidable one.
    #expect(move.state(at: move.duration) == move.to)
  }

  @Test func statesWithinTheLimitsNeedNoBraking() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<10_000 { #expect(try generator.insideCase().plan().brakingDuration == 0) }
  }

  @Test func randomExcessEndsMonotonically() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<5_000 {
      let item = generator.aboveCase()
      let plan = try item.plan()
      let found = violationsOfExcess(try plan.move(), item)
      #expect(found.isEmpty, "\(item): \(found)")
      let longer = plan.possibleDuration(atLeast: plan.shortestDuration * generator.uniform(1...3))
      let slow = violationsOfExcess(try plan.move(lasting: longer), item)
      #expect(slow.isEmpty, "\(item) in \(longer): \(slow)")
    }
  }

  /// The remaining way after this braking is that of the last change of velocity, except for rounding.
  @Test func longerMoveIsFoundBehindAWayThatIsExactlyTheShortest() throws {
    let limits = MoveLimits(
      maxVelocity: 57.40364687329356, maxAcceleration: 3.5798628694512047, maxJerk: 0.027679729226610713)
    let from = MoveState(position: 10.085470306199188, velocity: -130.74320475017458, acceleration: 1.4914771821448805)
    let plan = try MovePlan(from: from, to: -9.566984196604588, velocity: 39.91674526761846, limits: limits)
    let next = plan.possibleDuration(atLeast: plan.shortestDuration * 1.001)
    #expect(next > plan.shortestDuration * 1.9 && next < plan.shortestDuration * 2)
    #expect(try plan.move(lasting: next).duration == next)
  }

  /// The rules of a state above the limits, at 300 points.
  private func violationsOfExcess(_ move: TimeOptimalMove, _ item: MoveCase) -> [String] {
    let limits = item.limits
    var found = violations(
      of: move, limits: limits, bounds: MoveBounds(from: item.from, limits: limits), points: 100)
    var before = item.from
    var entered = false
    for index in 0...300 {
      let state = move.state(at: move.duration * Double(index) / 300 * (1 - 1e-12))
      if abs(before.acceleration) > limits.maxAcceleration * (1 + 1e-9),
        abs(state.acceleration) > abs(before.acceleration) * (1 + 1e-9)
      {
        found.append("the acceleration grows: \(before) \(state)")
      }
      let sign = before.velocity < 0 ? -1.0 : 1.0
      if abs(before.velocity) > limits.maxVelocity * (1 + 1e-9) {
        if entered { found.append("above the limit again: \(before)") }
        if sign * before.acceleration <= 0, sign * state.velocity > sign * before.velocity * (1 + 1e-9) {
          found.append("the speed grows: \(before) \(state)")
        }
      } else if abs(before.velocity + before.acceleration * abs(before.acceleration) / (2 * limits.maxJerk))
        <= limits.maxVelocity, abs(before.acceleration) <= limits.maxAcceleration
      {
        entered = true
      }
      before = state
    }
    return found
  }
}
