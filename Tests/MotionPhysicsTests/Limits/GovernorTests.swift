import Glibc
import Testing

@testable import MotionPhysics

/// The governor against the solver of fastest moves, and with demands of every kind. Random tests print their seed.
@Suite struct GovernorTests {
  /// Fewer in a debug build of every commit; the rounds are independent.
  private let rounds = 1_500

  @Test func demandThatStandsIsReachedInTheShortestTimeWithoutOvershoot() throws {
    var generator = SeededGenerator.fromEnvironment()
    for round in 0..<rounds {
      let limits = generator.governorLimits(jerk: round % 2 == 0)
      let start = generator.state(within: limits.motion)
      let place = generator.uniform() * generator.magnitude()
      let move = try TimeOptimalMove.solve(from: start, to: place, limits: limits.motion)
      let frame = move.duration / generator.double(5...100)
      guard frame > 0 else { continue }
      // The fastest move itself passes the place if it cannot brake before it.
      let way = move.segments.flatMap { segment in
        let ends = move.segments.filter { $0.start > segment.start }.map(\.start) + [move.duration]
        let length = (ends.min() ?? 0) - segment.start
        return (0...100).map { segment.state(at: segment.start + length * Double($0) / 100).position }
      }
      let (lowest, highest) = (min(way.min() ?? place, place), max(way.max() ?? place, place))
      let slack = 1e-3 * (highest - lowest)
      var governor = Governor(start, limits: limits)
      var time = 0.0
      while !governor.isFollowing || time == 0, time < 2 * move.duration + 10 * frame {
        let dt = round % 3 == 0 ? frame * generator.double(0.3...1) : frame
        let before = governor.state
        governor.follow(position: place, velocity: 0, dt: dt)
        time += dt
        #expect(violations(from: before, to: governor.state, limits: limits.motion, dt: dt) == [], "round \(round)")
        #expect(governor.state.position >= lowest - slack, "round \(round)")
        #expect(governor.state.position <= highest + slack, "round \(round)")
      }
      #expect(governor.state == MoveState(position: place), "round \(round)")
      // The end of the frame of the arrival, and one more if a rounding error passes that.
      #expect(time <= move.duration + 2 * frame, "round \(round)")
    }
  }

  @Test func demandWithinTheLimitsIsFollowedExactly() throws {
    var generator = SeededGenerator.fromEnvironment()
    for round in 0..<rounds {
      let limits = generator.governorLimits(jerk: round % 2 == 0)
      let start = MoveState(position: generator.uniform() * generator.magnitude())
      let place = generator.uniform() * generator.magnitude()
      let move = try TimeOptimalMove.solve(from: start, to: place, limits: limits.motion)
      let dt = move.duration / generator.double(3...100)
      guard dt > 0 else { continue }
      var governor = Governor(start, limits: limits)
      for frame in 1...110 {
        let demand = move.state(at: dt * Double(frame))
        let before = governor.state
        governor.follow(
          position: demand.position, velocity: demand.velocity, acceleration: demand.acceleration, dt: dt)
        #expect(governor.isFollowing, "round \(round), frame \(frame)")
        #expect(governor.state.position == demand.position && governor.state.velocity == demand.velocity)
        #expect(governor.restraint == [])
        #expect(violations(from: before, to: governor.state, limits: limits.motion, dt: dt) == [], "round \(round)")
      }
    }
  }

  /// A demand of unknown acceleration that keeps a tenth away from the limits of velocity and acceleration, and a half
  /// from that of jerk.
  @Test func demandOfUnknownAccelerationIsFollowedExactly() throws {
    var generator = SeededGenerator.fromEnvironment()
    var (frames, lost) = (0, 0)
    for round in 0..<rounds {
      let limits = generator.governorLimits(jerk: round % 2 == 0)
      let lower = MoveLimits(
        maxVelocity: limits.motion.maxVelocity / 1.1, maxAcceleration: limits.motion.maxAcceleration / 1.1,
        maxJerk: limits.motion.maxJerk / 2)
      let start = MoveState(position: generator.uniform() * generator.magnitude())
      let place = generator.uniform() * generator.magnitude()
      let move = try TimeOptimalMove.solve(from: start, to: place, limits: lower)
      let dt = move.duration / generator.double(3...100)
      guard dt > 0 else { continue }
      var governor = Governor(start, limits: limits)
      for frame in 1...110 {
        let demand = move.state(at: dt * Double(frame))
        let before = governor.state
        governor.follow(position: demand.position, velocity: demand.velocity, dt: dt)
        (frames, lost) = (frames + 1, lost + (governor.isFollowing ? 0 : 1))
        #expect(violations(from: before, to: governor.state, limits: limits.motion, dt: dt) == [], "round \(round)")
      }
      #expect(governor.isFollowing, "round \(round)")
    }
    // Estimates err in the frames in which the jerk changes, and a rounding error can then cost a frame.
    #expect(Double(lost) <= 1e-3 * Double(frames))
  }

  /// Follows a spring under a limit of acceleration alone.
  ///
  /// - Returns: when the lane arrives, when the fastest move would, when the spring does, and the part of the highest
  ///   velocity that is lost by braking in vain.
  private func follow(
    damping: Double, tension: Double, _ destination: Double, _ limit: Double, dt: Double
  ) throws -> (time: Double, shortest: Double, rest: Double, loss: Double) {
    let limits = GovernorLimits(motion: MoveLimits(maxAcceleration: limit))
    let friction = 2 * damping * tension.squareRoot()
    let bank = SpringBank()
    let forces = ForceSum(
      spring: SpringCoefficients(tension: tension, friction: friction), anchor: SIMD4(repeating: destination))
    let motion = bank.insert(
      lanes: 1, forces: forces, value: .zero, velocity: .zero, threshold: 1e-3 * destination, tag: 0)
    var governor = Governor(MoveState(position: 0), limits: limits)
    let move = try TimeOptimalMove.solve(from: MoveState(position: 0), to: destination, limits: limits.motion)
    var (frames, rest, velocities) = (0, 0.0, [0.0])
    var meeting: Int?
    repeat {
      bank.step(dt: dt)
      frames += 1
      governor.follow(position: bank.value(of: motion)[0], velocity: bank.velocity(of: motion)[0], dt: dt)
      if governor.isFollowing { meeting = meeting ?? frames }
      if bank.isMoving(motion) { rest = Double(frames + 1) * dt }
      velocities.append(governor.state.velocity)
    } while (bank.isMoving(motion) || !governor.isFollowing) && frames < 100_000
    // A frame brakes needlessly if the lane moves faster later on, except for those that lead to the first in which it
    // meets its demand: a demand that accelerates is caught up by a lane that is faster, and so brakes to its velocity.
    var catchingUp = 0..<0
    if let meeting {
      var first = meeting
      while first > 1, velocities[first - 1] < velocities[first - 2] { first -= 1 }
      catchingUp = first..<meeting + 1
    }
    var (lost, highest) = (0.0, -Double.infinity)
    for index in velocities.indices.dropFirst().reversed() {
      highest = max(highest, velocities[index])
      guard highest > velocities[index - 1], !catchingUp.contains(index) else { continue }
      lost += max(velocities[index - 1] - velocities[index], 0)
    }
    return (Double(frames) * dt, move.duration, rest, lost / highest)
  }

  // Clauses: S19.5
  /// Springs of all stiffnesses whose first acceleration is up to 100,000 times the limit.
  @Test(arguments: [1.0...2, 0.25...1])
  func farSpringIsReachedAboutAsFastAsTheLimitPermits(damping: ClosedRange<Double>) throws {
    var generator = SeededGenerator.fromEnvironment()
    var wasteful = 0
    for round in 0..<rounds / 5 {
      let (tension, destination) = (generator.double(10...600), generator.magnitude(1...4))
      let excess = generator.magnitude(0...5)
      let dt = 1 / generator.double(50...250)
      let run = try follow(
        damping: generator.double(damping), tension: tension, destination, tension * destination / excess, dt: dt)
      let comment: Comment = "round \(round): \(run), excess \(excess), frames of \(dt)"
      let least = max(run.shortest, run.rest)
      if damping.lowerBound >= 1 {
        // One in 30,000 springs makes its lane lose more than a twentieth: one whose acceleration passes the threshold
        // of a turn, or is just above the limit, at the end of a frame (``Governor/isTurning(_:)``).
        wasteful += run.loss > 0.05 ? 1 : 0
        #expect(run.time <= 1.02 * least + 4 * dt && run.loss <= 0.2 && wasteful <= 1, comment)
      } else {
        // A spring that swings has no course that the lane could know.
        #expect(run.time <= 1.6 * least + 4 * dt, comment)
        // It is at rest before the lane is half there.
        if excess > 2_000 { #expect(run.time <= 1.02 * run.shortest + 4 * dt && run.loss <= 0.05, comment) }
      }
    }
  }

  @Test func noLimitIsPassedWhateverTheDemand() {
    var generator = SeededGenerator.fromEnvironment()
    for round in 0..<rounds {
      let limits = generator.governorLimits(jerk: round % 2 == 0, range: round % 3 != 0)
      let middle = round % 3 != 0 ? 0.5 * (limits.range.lowerBound + limits.range.upperBound) : 0
      var demand = WildDemand(round, around: middle, &generator)
      var governor = Governor(MoveState(position: middle), limits: limits)
      let frame = generator.magnitude(-3...0)
      for number in 0..<150 {
        let dt = round % 4 == 0 ? frame * generator.double(0.5...1.5) : frame
        demand.advance(dt, &generator)
        let before = governor.state
        governor.follow(position: demand.position, velocity: demand.velocity, dt: dt)
        let state = governor.state
        #expect(
          violations(from: before, to: state, limits: limits.motion, dt: dt) == [],
          "round \(round), frame \(number): \(limits) \(before) \(state) \(demand) \(dt)")
        let slack = 1e-9 * (1 + abs(state.position))
        #expect(state.position >= limits.range.lowerBound - slack, "round \(round), frame \(number)")
        #expect(state.position <= limits.range.upperBound + slack, "round \(round), frame \(number)")
      }
    }
  }

  @Test func governorComesToTheDemandThatStandsAfterAnyOther() {
    var generator = SeededGenerator.fromEnvironment()
    for round in 0..<rounds {
      let limits = generator.governorLimits(jerk: round % 2 == 0, range: true)
      let middle = 0.5 * (limits.range.lowerBound + limits.range.upperBound)
      var demand = WildDemand(round, around: middle, &generator)
      var governor = Governor(MoveState(position: middle), limits: limits)
      for _ in 0..<60 {
        demand.advance(0.05, &generator)
        governor.follow(position: demand.position, velocity: demand.velocity, dt: 0.05)
      }
      let place = min(max(demand.position, limits.range.lowerBound), limits.range.upperBound)
      // At most the range at the least velocity, and the least accelerations.
      for _ in 0..<10_000 where governor.state != MoveState(position: place) {
        governor.follow(position: demand.position, velocity: 0, dt: 0.5)
      }
      #expect(governor.state == MoveState(position: place), "round \(round)")
      #expect(governor.isFollowing == (place == demand.position))
      #expect(governor.restraint.contains(.range) == (place != demand.position))
    }
  }

  // MARK: Without a driver

  @Test func governorWithoutDemandBrakesAsFastAsItMay() throws {
    var generator = SeededGenerator.fromEnvironment()
    for round in 0..<rounds {
      let limits = generator.governorLimits(jerk: round % 2 == 0)
      var governor = Governor(generator.state(within: limits.motion), limits: limits)
      let start = governor.state
      let stop = GovernedTransition(
        velocity: start.velocity, acceleration: start.acceleration, to: 0, up: limits.motion.maxAcceleration,
        down: limits.motion.maxAcceleration, jerk: limits.motion.maxJerk)
      let dt = stop.duration / 20
      guard dt > 0 else { continue }
      for _ in 0..<21 {
        let before = governor.state
        governor.brake(dt: dt)
        #expect(violations(from: before, to: governor.state, limits: limits.motion, dt: dt) == [], "round \(round)")
      }
      #expect(!governor.isMoving && governor.isFollowing)
      let way = abs(stop.displacement) + abs(start.velocity) * stop.duration
      #expect(
        abs(governor.state.position - start.position - stop.displacement) <= 1e-9 * way + 1e-14 * abs(start.position),
        "round \(round)")
    }
  }

  @Test func governorOutsideItsRangeStaysThereWithoutDemand() {
    var governor = Governor(
      MoveState(position: 5), limits: GovernorLimits(range: 0...1, motion: MoveLimits(maxAcceleration: 1)))
    governor.brake(dt: 0.1)
    #expect(governor.state == MoveState(position: 5))
  }

  // MARK: Conflicts

  /// The velocity decreases to the new limit, as fast as acceleration and jerk allow, and not through zero.
  @Test(arguments: [4.0, .infinity])
  func loweredVelocityIsReachedMonotonically(jerk: Double) {
    var governor = Governor(
      MoveState(position: 0, velocity: 3),
      limits: GovernorLimits(motion: MoveLimits(maxVelocity: 0.5, maxAcceleration: 2, maxJerk: jerk)))
    for frame in 0..<400 {
      let before = governor.state
      governor.follow(position: 100, velocity: 0, dt: 0.01)
      #expect(governor.state.velocity <= before.velocity + 1e-12 && governor.state.velocity >= 0.5 - 1e-12)
      #expect(abs(governor.state.velocity - before.velocity) <= 0.02 * (1 + 1e-9))
      if frame >= 300 { #expect(governor.state.velocity <= 0.5 * (1 + 1e-9)) }
    }
  }

  @Test func accelerationAboveALoweredLimitDecreasesWithTheJerk() {
    var governor = Governor(
      MoveState(position: 0, velocity: 0, acceleration: 8),
      limits: GovernorLimits(motion: MoveLimits(maxVelocity: 10, maxAcceleration: 2, maxJerk: 10)))
    for _ in 0..<60 {
      let before = governor.state
      governor.follow(position: 100, velocity: 0, dt: 0.01)
      #expect(abs(governor.state.acceleration - before.acceleration) <= 0.1 * (1 + 1e-9))
    }
    #expect(abs(governor.state.acceleration) <= 2 * (1 + 1e-9))
  }

  @Test func rangeSetInMidMoveIsOverrunByTheBrakingDistanceOnce() {
    let start = MoveState(position: 0.9, velocity: 2)
    var governor = Governor(
      start, limits: GovernorLimits(range: 0...1, motion: MoveLimits(maxVelocity: 4, maxAcceleration: 5)))
    var (farthest, isBack) = (0.0, false)
    for _ in 0..<200 {
      let before = governor.state
      governor.follow(position: 3, velocity: 2, dt: 0.01)
      farthest = max(farthest, governor.state.position)
      if isBack { #expect(governor.state.position <= 1) }
      isBack = isBack || (before.position > 1 && governor.state.position <= 1)
    }
    #expect(abs(farthest - (0.9 + 4.0 / 10)) < 0.01)
    #expect(governor.state == MoveState(position: 1) && governor.restraint == .range)
  }

  // MARK: Fewer limits

  @Test func rangeAloneHoldsAtOnce() {
    var governor = Governor(MoveState(position: 0), limits: GovernorLimits(range: -1...1))
    governor.follow(position: 0.5, velocity: 30, dt: 0.01)
    #expect(governor.state == MoveState(position: 0.5, velocity: 30) && governor.isFollowing)
    governor.follow(position: 1.5, velocity: 30, dt: 0.01)
    #expect(governor.state == MoveState(position: 1) && governor.restraint == .range)
    governor.follow(position: 1, velocity: -3, dt: 0.01)
    #expect(governor.state == MoveState(position: 1, velocity: -3) && governor.isFollowing)
  }

  @Test func velocityAloneMovesEvenly() {
    var governor = Governor(MoveState(position: 0), limits: GovernorLimits(motion: MoveLimits(maxVelocity: 2)))
    for frame in 1...5 {
      governor.follow(position: 1, velocity: 0, dt: 0.1)
      #expect(abs(governor.state.position - 0.2 * Double(frame)) < 1e-12)
      #expect(governor.isFollowing == (frame == 5))
      if frame < 5 { #expect(governor.restraint == .velocity && governor.state.velocity == 2) }
    }
    governor.brake(dt: 0.1)
    #expect(governor.state == MoveState(position: 1))
  }

  // MARK: Numbers

  @Test func everyNumberStaysFinite() {
    var generator = SeededGenerator.fromEnvironment()
    for round in 0..<rounds {
      let limits = GovernorLimits(
        range: round % 2 == 0
          ? -generator.magnitude(-100...100)...generator.magnitude(-100...100) : -.infinity ... .infinity,
        motion: MoveLimits(
          maxVelocity: round % 3 == 0 ? .infinity : generator.magnitude(-100...100),
          maxAcceleration: round % 5 == 0 ? .infinity : generator.magnitude(-100...100),
          maxJerk: round % 7 < 3 ? .infinity : generator.magnitude(-100...100)))
      var governor = Governor(
        MoveState(position: generator.uniform() * generator.magnitude(-100...100)), limits: limits)
      for _ in 0..<30 {
        governor.follow(
          position: generator.uniform() * generator.magnitude(-120...120),
          velocity: generator.uniform() * generator.magnitude(-140...140), dt: generator.magnitude(-9...9))
        #expect(governor.state.isFinite, "round \(round)")
        if round % 4 == 0 { governor.brake(dt: generator.magnitude(-9...9)) }
        #expect(governor.state.isFinite, "round \(round)")
      }
    }
  }

  @Test func frameWithoutDurationChangesNothing() {
    var governor = Governor(
      MoveState(position: 0, velocity: 1), limits: GovernorLimits(motion: MoveLimits(maxAcceleration: 1)))
    governor.follow(position: 4, velocity: 0, dt: 0)
    governor.brake(dt: 0)
    #expect(governor.state == MoveState(position: 0, velocity: 1))
  }

  @Test func restoredGovernorContinuesToTheBit() {
    var generator = SeededGenerator.fromEnvironment()
    let limits = GovernorLimits(range: -2...2, motion: MoveLimits(maxVelocity: 2, maxAcceleration: 8, maxJerk: 60))
    var demand = WildDemand(4, around: 0, &generator)
    var governor = Governor(MoveState(position: 0), limits: limits)
    for _ in 0..<300 {
      demand.advance(1 / 120, &generator)
      var restored = Governor(governor.state, demand: governor.demand, limits: limits)
      governor.follow(position: demand.position, velocity: demand.velocity, dt: 1 / 120)
      restored.follow(position: demand.position, velocity: demand.velocity, dt: 1 / 120)
      #expect(restored == governor)
    }
  }
}
