import Testing

@testable import MotionPhysics

@Suite struct InfiniteLimitsTests {
  @Test func infiniteJerkGivesStepsOfAcceleration() throws {
    let limits = MoveLimits(maxVelocity: 2, maxAcceleration: 1)
    let move = try TimeOptimalMove.solve(from: MoveState(position: 0, acceleration: 0.7), to: 10, limits: limits)
    // T = way/v + v/a.
    #expect(abs(move.duration - 7) < 1e-14)
    #expect(move.segments.map(\.jerk).allSatisfy { $0 == 0 })
    #expect(move.segments.map(\.state.acceleration) == [1, 0, -1])
    let triangle = try TimeOptimalMove.solve(from: MoveState(position: 0), to: -1, limits: limits)
    #expect(abs(triangle.duration - 2) < 1e-14)
  }

  @Test func infiniteAccelerationGivesStepsOfVelocity() throws {
    let limits = MoveLimits(maxVelocity: 4)
    let move = try TimeOptimalMove.solve(
      from: MoveState(position: 1, velocity: 9, acceleration: 9), to: -7, velocity: 3, limits: limits)
    #expect(move.duration == 2)
    #expect(move.state(at: 1) == MoveState(position: -3, velocity: -4))
    #expect(move.state(at: 2) == MoveState(position: -7, velocity: 3))
    let slow = try TimeOptimalMove.solve(from: MoveState(position: 1), to: -7, limits: limits, duration: 16)
    #expect(slow.duration == 16)
    #expect(slow.state(at: 8) == MoveState(position: -3, velocity: -0.5))
  }

  @Test func withoutLimitsTheMoveIsAJump() throws {
    let move = try TimeOptimalMove.solve(from: MoveState(position: 1), to: -7, limits: MoveLimits())
    #expect(move.duration == 0)
    #expect(move.state(at: 0) == MoveState(position: -7))
    #expect(move.state(at: -1) == MoveState(position: 1))
  }

  @Test func anyCombinationOfInfiniteLimitsIsSolved() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<20_000 {
      var item = generator.insideCase()
      let mask = Int.random(in: 0..<8, using: &generator)
      if mask & 1 != 0 { item.limits.maxVelocity = .infinity }
      if mask & 2 != 0 { item.limits.maxAcceleration = .infinity }
      if mask & 4 != 0 { item.limits.maxJerk = .infinity }
      let plan = try item.plan()
      let move = try plan.move()
      let found = violations(of: move, limits: item.limits, points: 50)
      #expect(found.isEmpty, "\(item): \(found)")
      let duration = plan.possibleDuration(atLeast: plan.shortestDuration * generator.uniform(1...3))
      let slow = try plan.move(lasting: duration)
      let slowFound = violations(of: slow, limits: item.limits, points: 50)
      #expect(slowFound.isEmpty, "\(item) in \(duration): \(slowFound)")
    }
  }

  @Test func highLimitsApproachInfiniteOnes() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<5_000 {
      var item = generator.insideCase()
      item.from.acceleration = 0
      item.limits.maxJerk = 1e13
      let nearly = try item.plan().shortestDuration
      item.limits.maxJerk = .infinity
      let ideal = try item.plan().shortestDuration
      #expect(nearly >= ideal - 1e-9 * max(1, ideal), "\(item)")
      #expect(nearly - ideal < 1e-4 * max(1, ideal), "\(item)")
    }
  }
}
