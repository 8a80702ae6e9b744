import MotionExecutors
import MotionModel
import Testing

@testable import MotionCore

/// Plans that have ended while limits hold their property back: they are completed where they lead, and not before. A frame
/// is 0.01 s; tweens run in the process.
struct LeftBehindTests {
  private static let under: [Intention] = [
    .wave("angle", rate: 1, offset: 0, amplitude: 0.1), .anchoredSpring("angle", 0), .friction("angle", coefficient: 1),
    .follow("angle", "fader", .smoothing(.milliseconds(50))),
  ]
  private static let over: [Intention] = [
    .springTo("angle", 5), .tween("angle", to: 5),
    .moveTo("angle", 5, maxVelocity: 50, maxAcceleration: 500, maxJerk: 1e6),
  ]
  private static let limits = PropertyLimits(velocity: [1], acceleration: [4])

  /// A property that a standing plan moves, if there is one.
  private func head(below plan: Intention?, _ limits: PropertyLimits?) throws -> LimitedRuntime {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let head = LimitedRuntime(Runtime(registry: registry, ratePerSecond: 100))
    if let limits { try head.limit(limits) }
    try head.runtime.submit(InputValues(from: "desk", [InputValue("fader", 0)]))
    if let plan { try head.add(plan) } else { try head.add(.springTo("angle", 0)) }
    for _ in 0..<100 { head.runtime.advance() }
    _ = head.trace.take()
    _ = head.trace.takeEnded()
    return head
  }

  /// Runs until a plan ends; returns how, and where.
  private func end(of plan: Intention, on head: LimitedRuntime) throws -> (outcome: Outcome, value: Double)? {
    try head.commit { $0.add(plan, named: "cue", to: "head") }
    for _ in 0..<3000 {
      head.advance()
      if let ended = head.trace.takeEnded().first(where: { $0.name == "cue" }) {
        return (ended.outcome, head.state.value[0])
      }
    }
    return nil
  }

  // Clauses: S19.7
  @Test(arguments: over, [nil] + under)
  func `a plan over a standing one is completed where it leads`(plan: Intention, standing: Intention?) throws {
    let free = try #require(try end(of: plan, on: head(below: standing, nil)))
    let head = try head(below: standing, Self.limits)
    let limited = try #require(try end(of: plan, on: head))
    #expect(free.outcome == .completed && limited.outcome == .completed)
    #expect(abs(limited.value - free.value) < 0.01, "\(limited.value) for \(free.value)")
    // What stands goes on.
    head.advance(600)
    guard let standing, standing.type.text != "Friction" else { return }
    #expect(abs(head.state.value[0]) < 0.2)
  }

  // Clauses: S19.7
  @Test(arguments: over, 0..<6)
  func `a plan that is interrupted before it is there is not completed`(plan: Intention, how: Int) throws {
    let head = try head(below: nil, Self.limits)
    try head.commit { $0.add(plan, named: "cue", to: "head") }
    // Its demand has ended by then.
    head.advance(200)
    #expect(head.state.value[0] > 0.5 && head.state.value[0] < 3)
    switch how {
    case 0: try head.add(.springTo("angle", 20))
    case 1: try head.add(.anchoredSpring("angle", 20))
    case 2: try head.add(.wave("angle", offset: 9, amplitude: 1).priority(3))
    case 3: try head.commit { $0.remove(named: "cue", from: "head") }
    case 4: head.runtime.applyNow(.stop(StopRequest([] as [TargetName])))
    default: try head.commit { $0.forget("head") }
    }
    head.advance(2)
    let ended = head.trace.takeEnded().filter { $0.name == "cue" }
    #expect(ended.map(\.outcome) == (how < 3 ? [.displaced] : []), "\(ended)")
    head.advance(600)
    #expect(head.trace.takeEnded().allSatisfy { $0.name != "cue" })
  }

  // Clauses: S19.7, S9.25
  @Test(arguments: [nil] + under)
  func `a move with a final velocity goes on with it, as without limits`(standing: Intention?) throws {
    let move = Intention.moveTo(
      "angle", 3, finalVelocity: 1, maxVelocity: 2, maxAcceleration: 4, maxJerk: 20)
    for limits in [
      PropertyLimits(velocity: [20]), .init(velocity: [20], acceleration: [400]),
      .init(velocity: [20], acceleration: [400], jerk: [40_000]),
    ] {
      let (free, bound) = (try head(below: standing, nil), try head(below: standing, limits))
      var courses: [[PropertyState]] = [[], []]
      for (index, head) in [free, bound].enumerated() {
        try head.add(move)
        while !head.trace.takeEnded().contains(where: { $0.type == "MoveTo" }), courses[index].count < 1000 {
          head.advance()
          courses[index].append(head.state)
        }
      }
      #expect(courses[0].count == courses[1].count)
      for (one, other) in zip(courses[0], courses[1]) {
        #expect(abs(one.value[0] - other.value[0]) < 0.02, "\(one.value) \(other.value)")
      }
      // It leaves with the velocity, and nothing stands for a frame.
      let last = try #require(courses[1].last)
      let isJerkLimited = limits.motion(lane: 0).maxJerk != nil
      #expect(isJerkLimited ? last.velocity[0] > 0.1 : abs(last.velocity[0] - 1) < 0.1, "\(limits) \(last)")
      for head in [free, bound] { head.advance() }
      guard limits.motion(lane: 0).maxAcceleration == nil, standing != nil else { continue }
      #expect(abs(bound.state.velocity[0] - free.state.velocity[0]) < 1e-6, "\(bound.state) \(free.state)")
    }
  }

  // Clauses: S19.4
  @Test(arguments: [(1.0, 1e-12), (1, 1e-100), (1e9, 0.1), (1e6, 1e-5)])
  func `a jerk too small for the numbers lets nothing jump`(scale: Double, jerk: Double) throws {
    let head = LimitedRuntime()
    try head.add(.springTo("angle", Lanes(scale)))
    head.runtime.advanceUntilRest()
    try head.limit(PropertyLimits(jerk: [jerk]))
    try head.add(.springTo("angle", Lanes(scale - 1)))
    head.advance(70)
    try head.add(.springTo("angle", Lanes(scale + 8), .perceived(duration: .milliseconds(100))))
    var last = head.state.value[0]
    for _ in 0..<300 {
      head.advance()
      #expect(abs(head.state.value[0] - last) < 1e-4 * max(1, scale * 1e-6))
      last = head.state.value[0]
    }
  }

  // Clauses: S19.9, S19.14
  @Test func `a range that is set while other limits hold is in the event log`() throws {
    let head = try head(below: nil, PropertyLimits(velocity: [10], acceleration: [20]))
    try head.add(.springTo("angle", 100))
    head.advance(100)
    _ = head.runtime.log.take()
    try head.limit(PropertyLimits(range: .init(-1, 2), velocity: [10], acceleration: [20]))
    head.advance(3)
    #expect("\(head.runtime.log.take())".contains("LimitKind.range"))
  }
}
