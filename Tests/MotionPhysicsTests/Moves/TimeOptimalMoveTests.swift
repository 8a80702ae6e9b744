import Foundation
import Testing

@testable import MotionPhysics

@Suite struct TimeOptimalMoveTests {
  @Test func moveFromRestToRestHasTheTextbookDuration() throws {
    let limits = MoveLimits(maxVelocity: 2, maxAcceleration: 1, maxJerk: 1)
    // Without reaching a limit, the way is jerk·T³/32.
    let short = try TimeOptimalMove.solve(from: MoveState(position: 5), to: 5 + 0.25, limits: limits)
    #expect(abs(short.duration - 2) < 1e-14)
    // With all limits: T = way/v + v/a + a/j.
    let long = try TimeOptimalMove.solve(from: MoveState(position: 0), to: -20, limits: limits)
    #expect(abs(long.duration - 13) < 1e-14)
    #expect(long.segments.count == 7)
    #expect(abs(long.state(at: 6.5).position + 10) < 1e-14)
    #expect(abs(long.state(at: 6.5).velocity + 2) < 1e-14)
  }

  @Test func stateIsTheInitialOneBeforeAndTheFinalOneAfter() throws {
    let from = MoveState(position: 1, velocity: 0.3, acceleration: -0.2)
    let move = try TimeOptimalMove.solve(
      from: from, to: 4, velocity: 0.5, limits: MoveLimits(maxVelocity: 1, maxAcceleration: 1, maxJerk: 1))
    #expect(move.state(at: -1) == from)
    #expect(move.state(at: 0) == from)
    #expect(move.state(at: move.duration) == MoveState(position: 4, velocity: 0.5))
    #expect(move.state(at: .infinity) == MoveState(position: 4, velocity: 0.5))
  }

  @Test func minimumDurationIsKeptOrExceeded() throws {
    let limits = MoveLimits(maxVelocity: 1, maxAcceleration: 1, maxJerk: 1)
    let move = try TimeOptimalMove.solve(from: MoveState(position: 0), to: 1, limits: limits, duration: 60)
    #expect(move.duration == 60)
    #expect(violations(of: move, limits: limits).isEmpty)
    let late = try TimeOptimalMove.solve(from: MoveState(position: 0), to: 1, limits: limits, duration: 1)
    #expect(late.duration > 3)
  }

  @Test func movesEndAtTheTargetWithinTheLimits() throws {
    var generator = SeededGenerator.fromEnvironment()
    for _ in 0..<20_000 {
      let item = generator.insideCase()
      let move = try item.plan().move()
      #expect(move.segments.count <= 7)
      let found = violations(of: move, limits: item.limits, points: 100)
      #expect(found.isEmpty, "\(item): \(found)")
    }
  }

  @Test(arguments: [true, false])
  func solvingAgainInMidMoveKeepsTheArrival(comingToRest: Bool) throws {
    var generator = SeededGenerator.fromEnvironment()
    var detours = 0
    for _ in 0..<10_000 {
      var item = generator.insideCase()
      if comingToRest { item.velocity = 0 }
      let move = try item.plan().move()
      guard move.duration > 0 else { continue }
      let time = generator.uniform(0...1) * move.duration
      var again = item
      again.from = move.state(at: time)
      let rest = try again.plan()
      // The rounding of the position, relative to the smallest way that is still recognized in the remaining time,
      // jerk·t³. Its root is the uncertainty of the time.
      let uncertainty = cbrt(1e-14 * (1 + abs(item.position) + abs(again.from.position)) / item.limits.maxJerk)
      let error = abs(time + rest.shortestDuration - move.duration) / max(1, move.duration)
      if comingToRest {
        #expect(error <= 1e-8 + uncertainty, "\(item) at \(time)")
      } else if error > 1e-8 + uncertainty {
        detours += 1
      }
      let found = violations(of: try rest.move(), limits: item.limits, points: 20)
      #expect(found.isEmpty, "\(again): \(found)")
    }
    // A target that is passed with a velocity cannot be reached a little earlier or later. Of a state on a short last
    // ramp, the rounding alone can make the move return to the target: less than one in 10,000 at random times.
    print("\(detours) detours")
    #expect(detours <= 10)
  }

  /// The two families of moves begin a little beside each other there, and the target lies in between.
  // Clauses: S9.25, S9.28
  @Test func solvingAgainShortlyBeforeAShortLastRampKeepsTheArrival() throws {
    let first = MoveCase(
      from: MoveState(position: 0.021402036038309216, velocity: 0.6882802427002159, acceleration: -0.4387478348402598),
      position: -0.40322126687727894, velocity: -0.7239049451549587,
      limits: MoveLimits(
        maxVelocity: 0.9370610007778912, maxAcceleration: 0.9838500494548958, maxJerk: 0.5176415152026093))
    let time = 0.9507225077185495
    for item in [first, first.mirrored] {
      let move = try item.plan().move()
      var again = item
      again.from = move.state(at: time)
      let rest = try again.plan().move()
      #expect(abs(time + rest.duration - move.duration) < 1e-8)
      #expect(violations(of: rest, limits: item.limits) == [])
    }
  }

  /// The final velocity is a few units in the last place beside that of the single ramp.
  // Clauses: S9.25
  @Test func moveOfOneRampEndsWithTheFinalVelocity() throws {
    let item = MoveCase(
      from: MoveState(position: 0, acceleration: -3), position: -1, velocity: -1.4999999999999984,
      limits: MoveLimits(maxVelocity: 3, maxAcceleration: 3, maxJerk: 3))
    let move = try item.plan().move()
    #expect(move.segments.count == 1)
    #expect(violations(of: move, limits: item.limits) == [])
    #expect(move.state(at: move.duration) == MoveState(position: -1, velocity: item.velocity))
    // The check still finds a gap that rounding does not explain.
    let other = TimeOptimalMove(
      segments: move.segments, from: move.from, to: MoveState(position: -1, velocity: -1.5 + 1e-8),
      duration: move.duration)
    #expect(violations(of: other, limits: item.limits).contains { $0.hasPrefix("velocity gap") })
  }

  @Test func oppositeMoveIsTheMirrorImageToTheLastBit() throws {
    var generator = SeededGenerator.fromEnvironment()
    for index in 0..<20_000 {
      let item = index % 2 == 0 ? generator.insideCase() : generator.aboveCase()
      let move = try item.plan().move()
      let mirror = try item.mirrored.plan().move()
      #expect(move.duration == mirror.duration, "\(item)")
      let time = generator.uniform(0...1) * move.duration
      let (a, b) = (move.state(at: time), mirror.state(at: time))
      #expect(a.position == -b.position && a.velocity == -b.velocity && a.acceleration == -b.acceleration, "\(item)")
    }
  }
}
