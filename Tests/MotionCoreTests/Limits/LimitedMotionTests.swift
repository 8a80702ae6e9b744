import MotionExecutors
import MotionModel
import Testing

@testable import MotionCore

/// Motion under limits, whatever drives it.
struct LimitedMotionTests {
  private let limits = PropertyLimits(velocity: 2, acceleration: 8)
  private let smooth = PropertyLimits(velocity: 2, acceleration: 8, jerk: 60)

  private func head() throws -> LimitedRuntime {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    try registry.register(ExecutorDeclaration(GestureExecutor.self))
    return LimitedRuntime(Runtime(registry: registry, ratePerSecond: 100))
  }

  private func touch(_ phase: PointerEvent.Phase, at x: Double, _ head: LimitedRuntime) throws {
    let event = PointerEvent(id: 1, phase, at: [x, 0], time: head.runtime.frame.time + 0.01)
    try head.runtime.submit(PointerInput("head", from: "hand", [event]))
  }

  // Clauses: S19.4, S19.7
  @Test(arguments: [false, true])
  func springIsHeldBackAndIsCompletedWhenThePropertyArrives(jerk: Bool) throws {
    let (head, limits) = (try head(), jerk ? smooth : limits)
    try head.limit(limits)
    try head.add(.springTo("angle", 4))
    var frames = 0
    while head.runtime.counts.intentions > 0 || frames == 0, frames < 1_000 {
      head.advance(keeping: limits)
      frames += 1
    }
    #expect(head.state == PropertyState(4) && !head.runtime.wantsFrames)
    // 4 at 2/s, and 2/8 s for acceleration and braking, and 8/60 s for the jerk.
    #expect(abs(Double(frames) / 100 - (2.25 + (jerk ? 8.0 / 60 : 0))) < 0.1)
  }

  // Clauses: S19.5
  @Test func demandWithinTheLimitsIsFollowedToTheBit() throws {
    let (limited, free) = (try head(), try head())
    try limited.limit(PropertyLimits(range: .init(-50, 50), velocity: 100, acceleration: 1_000, jerk: 1e6))
    for head in [limited, free] {
      try head.add(.moveTo("angle", 1, maxVelocity: 3, maxAcceleration: 10, maxJerk: 100))
      head.advance(60)
      try head.add(.springTo("angle", -1, .physical(tension: 20, friction: 6), threshold: 1e-9))
    }
    for _ in 0..<1_500 {
      limited.advance()
      free.advance()
      #expect(limited.state == free.state)
    }
    #expect(limited.state == PropertyState(-1))
  }

  // Clauses: S19.5
  @Test(arguments: [false, true]) func moveIsNotOvershotByAPropertyOfLowerLimits(lowered: Bool) throws {
    let head = try head()
    if lowered {
      let limits = PropertyLimits(velocity: 1, acceleration: 2, jerk: 10)
      try head.limit(limits)
      try head.add(.moveTo("angle", 4, maxVelocity: 1, maxAcceleration: 2, maxJerk: 10))
      head.advance(30, keeping: limits)
      try head.limit(PropertyLimits(velocity: 1, acceleration: 1.9, jerk: 10))
    } else {
      try head.limit(PropertyLimits(acceleration: 1))
      try head.add(.moveTo("angle", 4, maxVelocity: 10, maxAcceleration: 1.1, maxJerk: 1_000))
    }
    var farthest = 0.0
    for _ in 0..<1_000 {
      head.advance()
      farthest = max(farthest, head.state.value[0])
    }
    // By lower limits after 0.3 s the property lags by less than it needs more to stop.
    #expect(farthest <= (lowered ? 4.01 : 4 + 1e-9))
    #expect(head.state == PropertyState(4))
  }

  // Clauses: S19.5, S19.6
  @Test func demandIsShownBesideTheState() throws {
    let head = try head()
    try head.limit(limits)
    try head.add(.springTo("angle", 4))
    head.advance(50, keeping: limits)
    let row = try #require(head.row)
    #expect(row.state == head.state)
    #expect(try #require(row.demand).value[0] > row.state.value[0] + 1)
  }

  // Clauses: S19.7, S19.9
  /// With a range alone, and with other limits.
  @Test(arguments: [nil, 2.0]) func planThatRestsOutsideARangeIsCompletedInsideOrNever(velocity: Double?) throws {
    for intention: Intention in [.springTo("angle", 3), .anchoredSpring("angle", 3)] {
      let head = try head()
      try head.add(.springTo("angle", 3))
      head.advance(200)
      let limits = PropertyLimits(range: .init(-1, 1), velocity: velocity.map { Lanes($0) })
      try head.limit(limits)
      head.advance(3)
      #expect(head.state == PropertyState(3), "without a driver it stays")
      try head.add(intention)
      head.advance()
      #expect(velocity == nil || head.runtime.counts.intentions == 1)
      head.advance(200)
      #expect(head.state == PropertyState(1) && !head.runtime.wantsFrames)
      #expect(head.runtime.counts.intentions == (intention.type == "SpringTo" ? 0 : 1))
    }
  }

  // Clauses: S19.14
  @Test func logHasWhenLimitsHoldBackAndWhenTheyNoLongerDo() throws {
    let head = try head()
    head.runtime.log.keeps = .limits
    try head.limit(PropertyLimits(range: .init(-1, 1), velocity: 2, acceleration: 8))
    try head.add(.springTo("angle", 4))
    head.advance(300)
    // The demand is beyond the range: it is held back until it ends.
    var changes = head.runtime.log.take().flatMap(\.changes).map(\.change)
    guard case .limitEntered(let entered)? = changes.first else {
      Issue.record("\(changes)")
      return
    }
    #expect(entered.reference == PropertyReference("head", "angle") && entered.limits == [.acceleration])
    #expect(entered.demand.value[0] > entered.state.value[0])
    #expect(changes.count == 2 && changes.last == .limitLeft(entered.reference))
    #expect(head.runtime.limitEntries == 1 && head.runtime.heldBack == 0)
    try head.add(.springTo("angle", 1, .physical(tension: 4, friction: 4)))
    head.advance(100)
    changes = head.runtime.log.take().flatMap(\.changes).map(\.change)
    #expect(changes == [], "it is there, and the spring keeps within the limits")
  }

  // Clauses: S19.6
  @Test func nextPlanBeginsWhereThePropertyIs() throws {
    let head = try head()
    try head.limit(limits)
    try head.add(.springTo("angle", 40))
    head.advance(100, keeping: limits)
    let (place, velocity) = (head.state.value[0], head.state.velocity[0])
    #expect(place < 3 && velocity > 1.9)
    // The spring's own motion is at 40 by now. The one that replaces it starts from the property.
    try head.add(.springTo("angle", Lanes(place)))
    head.advance(1, keeping: limits)
    #expect(abs(try #require(head.row?.demand ?? head.state).value[0] - place) < 0.1)
    head.advance(300, keeping: limits)
    #expect(abs(head.state.value[0] - place) < 1e-12)
  }

  // Clauses: S19.4, S19.6
  @Test(arguments: [false, true])
  func handThatFlingsIsHeldBackAndItsDemandEndsWithIt(jerk: Bool) throws {
    let (head, limits) = (try head(), jerk ? smooth : limits)
    try head.commit {
      $0.limit("position", of: "head", limits)
      $0.add(.draggable(), named: "drag", to: "head")
    }
    let property = LimitedRuntime(head.runtime, property: "position")
    head.advance()
    try touch(.down, at: 0, head)
    for frame in 1..<40 {
      property.advance(keeping: limits)
      try touch(.move, at: Double(frame) * 5, head)
    }
    property.advance(keeping: limits)
    try touch(.up, at: 200, head)
    property.advance(keeping: limits)
    #expect(try #require(property.row).demand == nil)
    // It brakes within its limits, and does not go after the hand.
    let place = property.state.value[0]
    property.advance(100, keeping: limits)
    #expect(property.state.velocity == [0, 0] && property.state.value[0] - place < 0.6)
  }

  // Clauses: S19.8
  @Test func propertyWithoutADriverBrakes() throws {
    let head = try head()
    try head.limit(limits)
    try head.commit { $0.add(.springTo("angle", 40), named: "go", to: "head") }
    head.advance(100, keeping: limits)
    let place = head.state.value[0]
    try head.commit { $0.remove(named: "go", from: "head") }
    head.advance(24, keeping: limits)
    #expect(head.state.velocity[0] > 0)
    head.advance(2, keeping: limits)
    #expect(head.state.velocity == 0 && abs(head.state.value[0] - place - 0.25) < 1e-9)
    head.advance()
    #expect(!head.runtime.wantsFrames)
  }

  // Clauses: S19.8
  @Test func stopBrakesWithinTheLimits() throws {
    let head = try head()
    try head.limit(smooth)
    try head.add(.springTo("angle", 40))
    head.advance(100, keeping: smooth)
    head.runtime.submit(.stop(StopRequest([])))
    head.advance(100, keeping: smooth)
    #expect(head.state.velocity == 0 && !head.runtime.wantsFrames)
  }

  // Clauses: S19.9
  @Test func loweredVelocityIsReachedMonotonically() throws {
    let head = try head()
    try head.limit(smooth)
    try head.add(.springTo("angle", 40))
    head.advance(100, keeping: smooth)
    let lower = PropertyLimits(velocity: 0.5, acceleration: 8, jerk: 60)
    try head.limit(lower)
    var velocity = head.state.velocity[0]
    for _ in 0..<60 {
      head.advance(keeping: PropertyLimits(acceleration: 8))
      #expect(head.state.velocity[0] <= velocity + 1e-12 && head.state.velocity[0] >= 0.5 - 1e-9)
      velocity = head.state.velocity[0]
    }
    #expect(velocity <= 0.5 * (1 + 1e-9))
  }

  // Clauses: S19.9
  @Test func rangeSetInMidMoveIsOverrunByTheBrakingDistanceOnce() throws {
    let head = try head()
    try head.limit(limits)
    try head.add(.springTo("angle", 40))
    head.advance(100, keeping: limits)
    let bound = head.state.value[0] + 0.05
    try head.limit(PropertyLimits(range: .init(-1, Lanes(bound)), velocity: 2, acceleration: 8))
    var farthest = 0.0
    for _ in 0..<200 {
      head.advance(keeping: limits)
      farthest = max(farthest, head.state.value[0])
    }
    #expect(farthest > bound && farthest < bound + 0.25)
    #expect(head.state == PropertyState(Lanes(bound)))
  }

  // Clauses: S19.9
  @Test(arguments: [
    PropertyLimits(range: .init(0, 1)), PropertyLimits(range: .init(0, 1), velocity: 2, acceleration: 8),
  ])
  func propertyWithoutADriverStaysOutsideANewRange(limits: PropertyLimits) throws {
    let head = try head()
    try head.add(.springTo("angle", 5))
    head.advance(300)
    // Others move meanwhile: more than have a range.
    try head.commit { transaction in
      for target in ["a", "b", "c"] as [TargetName] { transaction.add(.springTo("angle", 100), to: target) }
    }
    head.advance()
    try head.limit(limits)
    for _ in 0..<50 {
      head.advance()
      #expect(head.state == PropertyState(5))
    }
    head.runtime.submit(.stop(StopRequest([])))
    head.advance(50)
    #expect(head.state == PropertyState(5))
    let other = Runtime(ratePerSecond: 100)
    other.restore(head.runtime.checkpoint())
    #expect(LimitedRuntime(other).state == PropertyState(5))
    try head.add(.springTo("angle", 0.5))
    head.advance(400)
    #expect(head.state == PropertyState(0.5))
  }

  // Clauses: S19.4
  @Test(arguments: [
    PropertyLimits(range: .init(0, 1)), PropertyLimits(range: .init(0, 1), velocity: 2, acceleration: 8),
  ])
  func propertyWhoseDriverRestsOutsideANewRangeGoesIntoIt(limits: PropertyLimits) throws {
    let head = try head()
    try head.add(.anchoredSpring("angle", 5))
    head.advance(300)
    #expect(head.state == PropertyState(5) && !head.runtime.wantsFrames)
    try head.limit(limits)
    head.advance(1)
    let other = LimitedRuntime(Runtime(ratePerSecond: 100))
    other.runtime.restore(head.runtime.checkpoint())
    for _ in 0..<400 {
      #expect(head.state == other.state)
      for runtime in [head, other] { runtime.advance(keeping: PropertyLimits(velocity: limits.velocity)) }
    }
    #expect(head.state == PropertyState(1) && !head.runtime.wantsFrames)
  }

  // Clauses: S19.9
  @Test func propertyOutsideItsNaturalRangeStaysThereOverARestart() throws {
    let head = LimitedRuntime(property: "opacity")
    try head.commit { $0.liftLimits("opacity", of: "head") }
    try head.add(.springTo("opacity", 3))
    head.advance(300)
    try head.limit(PropertyLimits())
    head.advance()
    #expect(head.state == PropertyState(3) && head.row?.limits == nil)
    let restored = LimitedRuntime(Runtime(ratePerSecond: 100), property: "opacity")
    restored.runtime.restore(head.runtime.checkpoint())
    #expect(restored.state == PropertyState(3))
    restored.advance()
    #expect(restored.state == PropertyState(3))
    try restored.add(.springTo("opacity", 2))
    restored.advance(300)
    #expect(restored.state == PropertyState(1))
  }

  // Clauses: S19.7
  @Test func planBeyondTheRangeIsCompletedAtTheBound() throws {
    let head = try head()
    try head.limit(PropertyLimits(range: .init(-1, 1), velocity: 2, acceleration: 8))
    try head.add(.springTo("angle", 5))
    head.advance(300)
    #expect(head.state == PropertyState(1) && head.runtime.counts.intentions == 0 && !head.runtime.wantsFrames)
  }

  // Clauses: S19.11
  @Test(arguments: [10, 60, 105, 180, 215])
  func restartContinuesTheSameTrajectory(frames: Int) throws {
    let head = try head()
    try head.limit(smooth)
    try head.add(.springTo("angle", 4))
    head.advance(frames)
    if frames == 215 { head.runtime.submit(.stop(StopRequest([]))) }
    head.advance(2)
    let other = Runtime(ratePerSecond: 100)
    other.restore(head.runtime.checkpoint())
    #expect(other.checkpoint() == head.runtime.checkpoint())
    let restored = LimitedRuntime(other)
    for _ in 0..<260 {
      head.advance(keeping: smooth)
      restored.advance(keeping: smooth)
      #expect(head.state == restored.state)
    }
    #expect(restored.runtime.counts.intentions == 0)
  }

  // Clauses: S19.4
  @Test func propertiesAreLimitedWhateverMovesThem() throws {
    let head = try head()
    let limits = PropertyLimits(range: .init(-1, 1), velocity: 2, acceleration: 8)
    try head.limit(limits)
    try head.add(.springTo("angle", 9, initialVelocity: 500))
    head.advance(20, keeping: limits)
    try head.add(.tween("angle", from: 30, to: -30, duration: .milliseconds(300)))
    head.advance(60, keeping: limits)
    try head.add(.moveTo("angle", 0.5, maxVelocity: 100, maxAcceleration: 1e4, maxJerk: 1e6))
    head.advance(200, keeping: limits)
    #expect(head.state == PropertyState(0.5))
  }
}
