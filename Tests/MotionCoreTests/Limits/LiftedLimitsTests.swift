import MotionExecutors
import MotionModel
import Testing

@testable import MotionCore

/// Limits that are lifted while they hold a property back leave no jump.
struct LiftedLimitsTests {
  private let limits = PropertyLimits(velocity: 2, acceleration: 8)

  private func head() throws -> LimitedRuntime {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    try registry.register(ExecutorDeclaration(GestureExecutor.self))
    return LimitedRuntime(Runtime(registry: registry, ratePerSecond: 100))
  }

  // Clauses: S19.10
  @Test func `limits that are lifted as another plan begins leave no jump`() throws {
    let firsts: [Intention] = [
      .anchoredSpring("angle", 3), .springTo("angle", 3), .tween("angle", to: 3, duration: .seconds(1)),
      .moveTo("angle", 30, maxVelocity: 20, maxAcceleration: 100, maxJerk: 1e4), .follow("angle", "fader", .direct),
      .follow("angle", "fader", .smoothing(.milliseconds(50))),
    ]
    let seconds: [Intention] = [
      .anchoredSpring("angle", 0), .springTo("angle", 0), .tween("angle", to: 0, duration: .milliseconds(400)),
      .moveTo("angle", 0, maxVelocity: 20, maxAcceleration: 100, maxJerk: 1e4), .follow("angle", "other", .direct),
      .follow("angle", "other", .smoothing(.milliseconds(50))),
    ]
    let old = [PropertyLimits(velocity: 1), PropertyLimits(velocity: 1, acceleration: 4, jerk: 40)]
    for (first, second, limits) in firsts.flatMap({ a in seconds.flatMap { b in old.map { (a, b, $0) } } }) {
      for (name, delay, isWide) in [(nil, 0, false), ("plan", 0, true), (nil, 3, false), ("plan", 3, true)] {
        let head = try head()
        for (input, value) in [("fader", 3.0), ("other", 0)] {
          let value = InputValue(InputName(stringLiteral: input), Lanes(value), isHeld: true)
          try head.runtime.submit(InputValues(from: "desk", [value]))
        }
        try head.limit(limits)
        let name = name.map { IntentionName(stringLiteral: $0) }
        func add(_ intention: Intention, _ transaction: inout Transaction) {
          if let name {
            transaction.add(intention, named: name, to: "head")
          } else {
            transaction.add(intention, to: "head")
          }
        }
        try head.commit { add(first, &$0) }
        head.advance(50)
        func lift(_ transaction: inout Transaction) {
          if isWide {
            transaction.limit("angle", of: "head", PropertyLimits(range: .init(-50, 50)))
          } else {
            transaction.liftLimits("angle", of: "head")
          }
        }
        if delay > 0 {
          try head.commit(lift)
          head.advance(delay)
        }
        try head.commit {
          if delay == 0 { lift(&$0) }
          add(second, &$0)
        }
        var before = head.state
        for frame in 0..<60 {
          head.advance()
          let (after, dt) = (head.state, head.runtime.frame.dt)
          // A spring rests within a tenth of its threshold, 1.
          let most = max(abs(before.velocity[0]), abs(after.velocity[0])) * dt
          #expect(
            abs(after.value[0] - before.value[0]) <= 1.05 * most + (after.velocity[0] == 0 ? 0.11 : 0.02),
            "\(first), then \(second), \(limits), \(delay), frame \(frame): \(before) \(after)")
          before = after
        }
      }
    }
  }

  // Clauses: S19.10
  @Test func liftedLimitsLeaveNoJump() throws {
    let head = try head()
    try head.limit(limits)
    try head.add(.springTo("angle", 4))
    head.advance(50, keeping: limits)
    try head.commit { $0.liftLimits("angle", of: "head") }
    var before = head.state
    for _ in 0..<15 {
      head.advance()
      // It catches up 3 within 0.15 s, at 1.5 times the mean velocity of that.
      #expect(head.state.value[0] - before.value[0] < 0.01 * 40)
      before = head.state
      // A restart meanwhile leaves no jump either.
      let checkpoint = head.runtime.checkpoint()
      for governed in checkpoint.governed {
        #expect(governed.acceleration[0].isFinite && governed.demandAcceleration[0].isFinite)
        #expect(governed.demand.value[0].isFinite && governed.demand.velocity[0].isFinite)
      }
      let next = LimitedRuntime(Runtime(ratePerSecond: 100))
      next.runtime.restore(checkpoint)
      #expect(next.state == before)
      next.advance()
      #expect(abs(next.state.value[0] - before.value[0]) < 0.01 * 40)
    }
    head.advance(2)
    #expect(head.row?.demand == nil && abs(head.state.value[0] - 4) < 0.01)
  }

  // Clauses: S19.10
  /// A range alone, natural or set, and one of a property under other limits, too.
  @Test(arguments: [
    nil, PropertyLimits(range: .init(0, 0.5)), PropertyLimits(range: .init(0, 0.5), velocity: 20, acceleration: 800),
  ])
  func rangeThatIsLiftedWhileItHoldsAPropertyLeavesNoJump(_ limits: PropertyLimits?) throws {
    for destination in [3.0, -2] {
      let head = LimitedRuntime(property: "opacity")
      if let limits { try head.limit(limits) }
      try head.add(.springTo("opacity", 0.2))
      head.advance(200)
      try head.add(.springTo("opacity", Lanes(destination)))
      // Not yet at rest beyond the bound.
      head.advance(20)
      let bound = destination < 0 ? 0 : limits == nil ? 1 : 0.5
      #expect(head.state == PropertyState(Lanes(bound)))
      try head.commit { $0.liftLimits("opacity", of: "head") }
      var before = head.state
      for frame in 0..<40 {
        head.advance()
        let dt = head.runtime.frame.dt
        let way = dt * (before.velocity[0] + head.state.velocity[0]) / 2
        // 3 within 0.15 s bend by this much at most.
        #expect(abs(head.state.value[0] - before.value[0] - way) < 0.02, "frame \(frame): \(before) \(head.state)")
        #expect(abs(head.state.velocity[0] - before.velocity[0]) < 10)
        before = head.state
      }
      head.advance(300)
      #expect(head.state == PropertyState(Lanes(destination)))
    }
  }

  // Clauses: S19.5, S19.10
  /// A driver that rests demands its place again, when the bound before it is lifted or moved.
  @Test(arguments: [false, true], [nil, PropertyLimits(range: .init(0, 1.5)), PropertyLimits(velocity: 0.5)])
  func propertyGoesToItsDriverThatRestsBeyondARange(follows: Bool, _ limits: PropertyLimits?) throws {
    let head = LimitedRuntime(property: "opacity")
    try head.runtime.submit(InputValues(from: "desk", [InputValue("fader", 2, time: 0)]))
    try head.add(follows ? .follow("opacity", "fader") : .anchoredSpring("opacity", 2))
    head.advance(400)
    #expect(head.state == PropertyState(1) && !head.runtime.wantsFrames)
    try head.commit {
      if let limits { $0.limit("opacity", of: "head", limits) } else { $0.liftLimits("opacity", of: "head") }
    }
    let before = head.state
    head.advance()
    #expect(head.state.value[0] - before.value[0] < 0.2)
    head.advance(400)
    // Limits without a range leave the natural one.
    let place = limits.map { $0.range == nil ? 1 : 1.5 } ?? 2
    #expect(head.state == PropertyState(Lanes(place)) && !head.runtime.wantsFrames)
  }

  // Clauses: S19.10, S10.7
  @Test func propertyStandsAtOnceWhenItsDriverEndsWhileADifferenceFades() throws {
    let head = try head()
    try head.limit(limits)
    try head.commit { $0.add(.anchoredSpring("angle", 4), named: "spring", to: "head") }
    head.advance(50, keeping: limits)
    try head.commit { $0.liftLimits("angle", of: "head") }
    head.advance(3)
    let last = head.state
    #expect(last.velocity[0] > 1)
    try head.commit { $0.remove(named: "spring", from: "head") }
    head.advance()
    #expect(head.state == PropertyState(last.value))
    head.advance(2)
    #expect(head.state == PropertyState(last.value) && !head.runtime.wantsFrames)
  }
}
