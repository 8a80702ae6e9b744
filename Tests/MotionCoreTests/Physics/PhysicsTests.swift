import MotionCore
import MotionModel
import MotionPhysics
import Testing

/// Springs, frictions and constant forces of one executor on one property.
struct PhysicsTests {
  // Clauses: S9.7
  @Test func forcesOnOnePropertyAddUp() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 10, .physical(tension: 100, friction: 5)), to: "ball")
    transaction.add(.friction("x", coefficient: 3), to: "ball")
    transaction.add(.constantForce("x", acceleration: 400), to: "ball")
    transaction.add(.anchoredSpring("x", 40, .physical(tension: 300, friction: 10, mass: 2)), to: "ball")
    try scene.runtime.commit(transaction)
    #expect(scene.runtime.counts.executors == 0)
    scene.advance()
    #expect(scene.runtime.counts.executors == 1)

    var sum = ForceSum(spring: SpringCoefficients(tension: 100, friction: 5), anchor: SIMD4(10, 0, 0, 0))
    sum.add(frictionPerSecond: 3)
    sum.add(acceleration: SIMD4(400, 0, 0, 0))
    sum.add(spring: SpringCoefficients(tension: 300, friction: 10, mass: 2), anchor: SIMD4(40, 0, 0, 0))
    let (value, velocity) = LinearStep(forces: sum, dt: 0.01).advance(value: .zero, velocity: .zero, forces: sum)
    #expect(abs(scene.value() - value[0]) < 1e-9)
    #expect(abs(scene.velocity() - velocity[0]) < 1e-9)
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == sum.equilibrium?[0])
  }

  // Clauses: S9.9
  @Test func springToRetargetsInFlightWithValueAndVelocity() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 100))
    scene.advance(10)
    let (value, velocity) = (scene.value(), scene.velocity())
    try scene.add(.springTo("x", -50, .physical(tension: 200, friction: 20)))
    scene.advance()
    #expect(scene.ended() == ["1.0 displaced"])
    let forces = ForceSum(spring: SpringCoefficients(tension: 200, friction: 20), anchor: SIMD4(-50, 0, 0, 0))
    let expected = LinearStep(forces: forces, dt: 0.01).advance(
      value: SIMD4(value, 0, 0, 0), velocity: SIMD4(velocity, 0, 0, 0), forces: forces)
    #expect(abs(scene.value() - expected.value[0]) < 1e-9)
    #expect(abs(scene.velocity() - expected.velocity[0]) < 1e-9)
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == -50)
    #expect(scene.ended() == ["2.0 completed"])
  }

  // Clauses: S9.7
  @Test func anchoredSpringAndSpringToAreASum() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 0))
    try scene.add(.springTo("x", 100))
    scene.runtime.advanceUntilRest(limit: 300)
    #expect(scene.ended() == ["2.0 completed"], "it finishes at the common fixed point, 50")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 0, "and then the anchor pulls alone")
  }

  // Clauses: S9.18
  @Test func `a standing spring at rest needs no frames, and a disturbance starts it again`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 10), named: "spring")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 10)
    #expect(scene.runtime.counts.executors == 1)
    try scene.add(.anchoredSpring("x", 20), named: "spring")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 20)
  }

  // Clauses: S9.17
  @Test func `an initial velocity replaces the inherited one`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 0, initialVelocity: 500))
    scene.advance()
    #expect(scene.velocity() > 300)
    try scene.add(.springTo("x", 0, initialVelocity: -500))
    scene.advance()
    #expect(scene.velocity() < -300)
  }

  // Clauses: S9.21
  @Test(
    arguments: [
      ([.springTo("x", 0, initialVelocity: -500)], -500),
      ([.springTo("x", 0)], 100),
      ([.anchoredSpring("x", 0, initialVelocity: -500)], 100),
      ([.anchoredSpring("x", 0, initialVelocity: -500), .springTo("x", 0)], 100),
      ([.anchoredSpring("x", 0, initialVelocity: 300), .springTo("x", 0, initialVelocity: -500)], -500),
      ([.springTo("x", 50, initialVelocity: 900), .springTo("x", 0, initialVelocity: -500)], -500),
      ([.springTo("x", 50, initialVelocity: -500), .springTo("x", 0)], 100),
    ] as [([Intention], Double)])
  func `a spring added under a manipulation begins with the right velocity after its end`(
    _ springs: [Intention], _ velocity: Double
  ) throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    hand.context.write("x", PropertyState(10, velocity: 70))
    for spring in springs {
      try scene.add(spring)
      scene.advance()
      #expect(scene.value() == 10 && scene.velocity() == 70, "the hand's, as long as it holds")
    }
    hand.context.write("x", PropertyState(10, velocity: 100))
    hand.context.remoteExecutionDidEnd("drag")
    #expect(scene.value() == 10 && scene.velocity() == velocity)
    scene.advance()
    // The change by the springs in a frame of 0.01 s: at most (2 · 342 · 10 + 2 · 30 · |v|) · 0.01.
    #expect(abs(scene.velocity() - velocity) < 68.4 + 0.6 * abs(velocity))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 0)
  }

  // Clauses: S9.21
  @Test func `a spring that waited for a manipulation in a worker begins with its own velocity`() throws {
    for (spring, velocity) in [
      (Intention.springTo("position", [0, 0], initialVelocity: [-500, 0]), -500.0),
      (.springTo("position", [0, 0]), 100), (.anchoredSpring("position", [0, 0], initialVelocity: [-500, 0]), 100),
    ] {
      let scene = try Scene()
      let hand = scene.worker("gesture")
      try scene.add(.draggable())
      scene.advance()
      let executor = ExecutorHandle(1)
      hand.say(.started(executor, "drag", moving: ["position"], from: [[0, 0]]))
      hand.say(.activity(executor, true))
      try hand.write(1, at: [10, 0], velocity: [100, 0])
      hand.send()
      scene.advance()
      try scene.add(spring)
      try hand.write(1, at: [11, 0], velocity: [100, 0])
      hand.say(.activity(executor, false))
      hand.say(.ended(executor, "drag"))
      hand.send()
      scene.advance()
      let state = scene.runtime.state(of: "position", on: "ball")
      #expect(state == PropertyState([11, 0], velocity: [velocity, 0]), "\(spring.type)")
      scene.runtime.advanceUntilRest()
      #expect(scene.value("position") == 0)
    }
  }

  @Test func `friction slows a thrown property to rest`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    try scene.add(.friction("x", coefficient: 4))
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("drag", moving: ["x"])
    hand.context.write("x", PropertyState(0, velocity: 100))
    hand.context.remoteExecutionDidEnd("drag")
    scene.runtime.advanceUntilRest()
    #expect(abs(scene.value() - 25) < 0.1)
  }

  // Clauses: S9.19
  @Test func `numbers that are too large fail their plan and nothing else`() throws {
    let scene = try Scene()
    try scene.add(.constantForce("x", acceleration: 1e100))
    try scene.add(.anchoredSpring("x", 0, .physical(tension: 1e-300, friction: 0)))
    try scene.add(.springTo("y", 1))
    scene.runtime.advanceUntilRest(limit: 1000)
    #expect(scene.value("y") == 1)
    #expect(scene.value("x").isFinite)
    let ended = scene.trace.takeEnded()
    #expect(ended.first?.outcome == .failed)
    #expect(ended.first?.reason == "the movement leaves the range of numbers (±1e120)")
  }

  @Test func `a force that grows without end fails at the bound of numbers`() throws {
    let scene = try Scene()
    try scene.add(.constantForce("x", acceleration: 1e100))
    for _ in 0..<100 where scene.runtime.wantsFrames { scene.runtime.advance(by: Runtime.longestFrame) }
    #expect(!scene.runtime.isActive)
    #expect(scene.value().isFinite && scene.velocity() == 0)
    #expect(scene.ended() == ["1.0 failed"])
  }

  @Test func aNamedForceIsRemovedByItsName() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 10), named: "a")
    try scene.add(.anchoredSpring("x", 30), named: "b")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 20)
    try scene.remove("a")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 30)
    try scene.remove("b")
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 30)
    #expect(scene.runtime.counts.executors == 0)
  }
}
