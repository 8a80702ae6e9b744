import MotionModel
import MotionPhysics

/// A move under way: the course of each lane.
struct MoveCourse {
  let identity: IntentionIdentity
  let property: PropertyName
  /// The simulated time at which it began, in seconds.
  private(set) var startTime: Double
  /// The simulated time at which this process took it up: its property is where the move has it at that time.
  private(set) var upTo: Double
  /// The shortest duration that the plan states, in seconds.
  let minimum: Double
  /// How many seconds pass until the last lane has arrived.
  private(set) var duration = 0.0
  /// The lanes before their durations are chosen; empty if each lane arrives by itself.
  private(set) var plans: [MovePlan] = []
  private var lanes: [MoveCursor] = []

  /// Solves a plan.
  ///
  /// - Throws: ``MoveError`` with the lane, for numbers whose move is beyond the range of Double.
  init(
    _ move: MoveToIntention, _ planned: PlannedIntention, from start: PlannedIntention.Start, limits: PropertyLimits,
    lasting duration: Double?, at time: Double
  ) throws {
    (identity, property, startTime, upTo) = (planned.identity, move.property, planned.startTime, time)
    minimum = move.minimumDuration.inSeconds
    let (place, velocity) = (start.state.value, start.state.velocity)
    plans = try (0..<place.count).map { lane in
      try MovePlan(
        from: MoveState(
          position: place[lane], velocity: velocity[lane], acceleration: start.acceleration?[lane] ?? 0),
        to: move.destination[lane], velocity: move.finalVelocity?[lane] ?? 0,
        limits: MoveLimits(move.limits.completed(by: limits.motion(lane: lane))))
    }
    // A lane cannot wait at a place that it passes with a velocity.
    if move.arrivesTogether || (move.finalVelocity.map { $0 != .zero(count: $0.count) } ?? false) {
      try solve(lasting: duration ?? MovePlan.synchronised(plans, atLeast: minimum))
    } else {
      try solve(plans.map { $0.possibleDuration(atLeast: minimum) })
      plans = []
    }
  }

  /// Solves all lanes for one duration, or for the next one that is possible.
  mutating func solve(lasting duration: Double) throws {
    try solve(plans.map { $0.possibleDuration(atLeast: duration) })
  }

  private mutating func solve(_ durations: [Double]) throws {
    lanes = try zip(plans, durations).map { MoveCursor(try $0.move(lasting: $1)) }
    duration = lanes.map(\.move.duration).max() ?? 0
  }

  /// Its property stood still from when this process took it up until now.
  ///
  /// - Returns: whether that was longer than rounding makes a frame.
  mutating func standStill(until time: Double) -> Bool {
    guard time - upTo > 1e-9 else { return false }
    startTime += time - upTo
    upTo = time
    return true
  }

  /// The state after so many seconds.
  mutating func state(at elapsed: Double) -> PropertyState {
    var (value, velocity) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for lane in lanes.indices {
      let state = lanes[lane].state(at: elapsed)
      // A lane that arrives before the others waits for them.
      let hasArrived = elapsed >= lanes[lane].move.duration && elapsed < duration
      (value[lane], velocity[lane]) = (state.position, hasArrived ? 0 : state.velocity)
    }
    return PropertyState(Lanes(value, count: lanes.count), velocity: Lanes(velocity, count: lanes.count))
  }

  /// The acceleration after so many seconds, in the lanes in which the property is in the move's state.
  mutating func acceleration(in present: PropertyState, at elapsed: Double) -> Lanes? {
    guard present.value.count == lanes.count else { return nil }
    var acceleration = SIMD4<Double>.zero
    for lane in lanes.indices {
      let state = lanes[lane].state(at: elapsed)
      guard state.position == present.value[lane], state.velocity == present.velocity[lane] else { continue }
      acceleration[lane] = state.acceleration
    }
    return Lanes(acceleration, count: lanes.count)
  }
}

extension MoveLimits {
  /// The limits of a plan; one that is missing does not apply.
  init(_ limits: MotionLimits) {
    self.init(
      maxVelocity: limits.maxVelocity ?? .infinity, maxAcceleration: limits.maxAcceleration ?? .infinity,
      maxJerk: limits.maxJerk ?? .infinity)
  }
}
