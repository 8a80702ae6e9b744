import MotionExecutors
import MotionModel
import Testing

@testable import MotionCore

/// Limits that are set while a property moves.
struct MidMoveLimitsTests {
  private func head() throws -> LimitedRuntime {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    return LimitedRuntime(Runtime(registry: registry, ratePerSecond: 100))
  }

  // Clauses: S19.4, S19.9
  @Test(arguments: ["spring", "tween", "wave", "move"], [nil, PropertyLimits(range: .init(-99, 99), velocity: 500)])
  func `limits that are set in mid-move begin with the acceleration of what moves the property`(
    driver: String, former: PropertyLimits?
  ) throws {
    let head = try head()
    if let former { try head.limit(former) }
    // The least jerk, about, that can end the acceleration before the velocity has doubled.
    let (frames, jerk): (Int, Double)
    switch driver {
    case "spring":
      try head.add(.springTo("angle", 10, .physical(tension: 100, friction: 5)))
      (frames, jerk) = (10, 1000)
    case "tween":
      try head.add(.tween("angle", to: 10, easing: "ease-in-out", duration: .seconds(1)))
      (frames, jerk) = (22, 250)
    case "move":
      try head.add(.moveTo("angle", 10, maxVelocity: 100, maxAcceleration: 90, maxJerk: 100))
      (frames, jerk) = (22, 150)
    default:
      try head.add(.wave("angle", rate: 1, offset: 0, amplitude: 10))
      (frames, jerk) = (40, 1000)
    }
    head.advance(frames)
    var velocities: [Double] = []
    for frame in 0..<4 {
      if frame == 3 { try head.limit(PropertyLimits(jerk: Lanes(jerk))) }
      head.advance()
      velocities.append(head.state.velocity[0])
    }
    let accelerations = zip(velocities.dropFirst(), velocities).map { ($0 - $1) * 100 }
    // The mean of a frame is that of its middle.
    let before = accelerations[1] + 0.5 * (accelerations[1] - accelerations[0])
    let error = 0.03 * abs(before) + 0.5 * jerk * head.runtime.frame.dt
    #expect(abs(before) > 2 * error && abs(accelerations[2] - before) < error, "\(accelerations)")
  }

  // Clauses: S19.9
  @Test func `limits that are set in mid-move take no more acceleration than they permit`() throws {
    let (head, limits) = (try head(), PropertyLimits(velocity: 200, acceleration: 8, jerk: 40))
    try head.add(.springTo("angle", 10, .physical(tension: 100, friction: 5)))
    head.advance(25)
    try head.limit(limits)
    head.advance(600, keeping: limits)
    #expect(head.state.value == 10 || head.runtime.wantsFrames)
  }

  // Clauses: S19.8, S19.9
  /// The acceleration of a move and of a stop counts as that of any plan.
  @Test(arguments: ["move", "ramp", "spring"])
  func `limits that are set in mid-move let no property run away`(motion: String) throws {
    let head = try head()
    var limits = PropertyLimits(velocity: 0.5, acceleration: 2, jerk: 2)
    switch motion {
    case "move": try head.add(.moveTo("angle", 10, maxVelocity: 2, maxAcceleration: 8, maxJerk: 60))
    case "spring":
      limits = PropertyLimits(range: .init(-1, 2), jerk: 20)
      try head.add(.springTo("angle", 50, .physical(tension: 342, friction: 20)))
    default: try head.add(.anchoredSpring("angle", 1))
    }
    head.advance(motion == "ramp" ? 10 : motion == "spring" ? 5 : 20)
    if motion == "ramp" {
      head.runtime.applyNow(.stop(StopRequest(ramp: true)))
      head.advance()
    }
    let first = head.state.velocity[0]
    try #require(first > 0.5)
    try head.limit(limits)
    let velocities = (0..<3000).map { _ in
      head.advance()
      return head.state.velocity[0]
    }
    if limits.velocity == nil {
      #expect(velocities.allSatisfy { $0 <= 2 * first * (1 + 1e-9) }, "\(velocities.max() ?? 0) after \(first)")
    } else {
      #expect(zip([first] + velocities, velocities).prefix(100).allSatisfy { $1 <= $0 + 1e-9 })
      #expect(velocities.allSatisfy { $0 >= -1e-9 }, "\(velocities.min() ?? 0)")
    }
  }
}
