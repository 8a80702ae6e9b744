import MotionExecutors
import MotionModel
import MotionPhysics
import Testing

@testable import MotionCore

/// A move begins with the acceleration of the driver that it displaces.
struct MoveAccelerationTests {
  private static let limits = MoveLimits(maxVelocity: 200, maxAcceleration: 900, maxJerk: 9000)

  private static func move(_ destination: Lanes, of property: PropertyName = "x", from limits: MoveLimits = limits)
    -> Intention
  {
    .moveTo(
      property, destination, maxVelocity: limits.maxVelocity, maxAcceleration: limits.maxAcceleration,
      maxJerk: limits.maxJerk)
  }

  /// The acceleration with which the only move under way began, in its first lane.
  private func beginning(_ runtime: Runtime) throws -> Double {
    let move = try #require(runtime.plans.intentions.first { $0.value.intention.type == "MoveTo" })
    return move.value.starts.first?.acceleration?[0] ?? 0
  }

  /// Displaces what moves `x`, and checks that the move continues value, velocity and this acceleration.
  private func displace(_ scene: Scene, expecting acceleration: Double, within error: Double = 1e-9) throws {
    let (value, velocity, time) = (scene.value(), scene.velocity(), scene.runtime.frame.time)
    try scene.add(Self.move(-20))
    scene.advance()
    let begun = try beginning(scene.runtime)
    #expect(abs(begun - acceleration) <= error, "\(begun)")
    let expected = try TimeOptimalMove.solve(
      from: MoveState(position: value, velocity: velocity, acceleration: begun), to: -20, limits: Self.limits)
    #expect(abs(scene.value() - expected.state(at: scene.runtime.frame.time - time).position) < 1e-9)
    _ = scene.ended()
    for _ in 0..<300 {
      guard scene.ended().isEmpty else { break }
      let before = scene.velocity()
      scene.advance()
      #expect(abs(scene.velocity()) <= max(200, abs(velocity)) * (1 + 1e-9))
      #expect(abs(scene.velocity() - before) <= 9 * (1 + 1e-9))
    }
    #expect(scene.value() == -20)
  }

  // Clauses: S9.31
  @Test(arguments: [2, 5, 9, 14]) func `a move continues the acceleration of a spring`(_ frames: Int) throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 20, .physical(tension: 40, friction: 4)))
    scene.advance(frames)
    let acceleration = 40 * (20 - scene.value()) - 4 * scene.velocity()
    #expect(abs(acceleration) > 100)
    try displace(scene, expecting: acceleration)
  }

  // Clauses: S9.31
  @Test func `a move continues the acceleration of forces that add up`() throws {
    let scene = try Scene()
    try scene.add(.constantForce("x", acceleration: 300))
    try scene.add(.friction("x", coefficient: 2))
    scene.advance(20)
    try displace(scene, expecting: 300 - 2 * scene.velocity())
  }

  // Clauses: S9.32
  @Test func `a move begins with the acceleration that its limits permit`() throws {
    // A spring that accelerates harder than the move may.
    for (frames, destination) in [(1, 100.0), (1, -100), (6, 100), (8, 100)] {
      let scene = try Scene()
      try scene.add(.springTo("x", Lanes(destination)))
      scene.advance(frames)
      let acceleration = 342 * (destination - scene.value()) - 30 * scene.velocity()
      #expect(abs(acceleration) > 500)
      let expected = Self.limits.feasible(acceleration: acceleration, at: scene.velocity())
      try scene.add(Self.move(0))
      scene.advance()
      #expect(abs(try beginning(scene.runtime) - expected) < 1e-9)
    }
    // At most the limit, and not so much that the velocity passes its own while the acceleration ends.
    #expect(Self.limits.feasible(acceleration: 5000, at: 0) == 900)
    #expect(Self.limits.feasible(acceleration: -5000, at: 300) == -900)
    #expect(Self.limits.feasible(acceleration: 5000, at: 300) == 0)
    #expect(abs(Self.limits.feasible(acceleration: 5000, at: 182) - (2 * 9000 * 18).squareRoot()) < 1e-9)
    #expect(Self.limits.feasible(acceleration: 500, at: 180) == 500)
    // The velocity neither turns because of it nor, without a limit of its own, more than doubles.
    #expect(MoveLimits(maxJerk: 10).feasible(acceleration: 1e6, at: 0) == 0)
    #expect(abs(MoveLimits(maxJerk: 10).feasible(acceleration: 1e6, at: 5) - 10) < 1e-9)
    #expect(abs(MoveLimits(maxJerk: 10).feasible(acceleration: -1e6, at: 5) + 10) < 1e-9)
    #expect(abs(MoveLimits(maxVelocity: 10, maxJerk: 10).feasible(acceleration: -1e6, at: 5) + 10) < 1e-9)
    #expect(MoveLimits(maxVelocity: 10).feasible(acceleration: 1e6, at: 10) == 0)
  }

  // Clauses: S9.31
  @Test func `a move continues the acceleration of a tween in this process`() throws {
    for frames in [3, 10, 20, 33] {
      var registry = ExecutorRegistry()
      try registry.register(ExecutorDeclaration(TweenExecutor.self))
      let runtime = Runtime(registry: registry, ratePerSecond: 100)
      func commit(_ intention: Intention) throws {
        var transaction = Transaction()
        transaction.add(intention, to: "ball")
        try runtime.commit(transaction)
      }
      try commit(.tween("x", to: 40, easing: "ease-in-out", duration: .milliseconds(600)))
      for _ in 0..<frames { runtime.advance() }
      let curve = try TweenCurve(
        keyframes: Keyframes(values: [.zero, SIMD4(repeating: 40)], timings: [.easeInOut]), duration: 0.6)
      let expected = curve.acceleration(at: runtime.frame.time)[0]
      #expect(abs(expected) > 50)
      try commit(Self.move(-20))
      runtime.advance()
      #expect(try beginning(runtime) == expected)
    }
  }

  // Clauses: S9.31
  @Test func `a move continues the acceleration of a tween in a worker, with what fades`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.springTo("x", 10, .physical(tension: 40, friction: 4)))
    scene.advance(4)
    let start = PropertyState(Lanes(scene.value()), velocity: Lanes(scene.velocity()))
    let begun = scene.runtime.frame.time
    try scene.add(.tween("x", to: 60, easing: "ease-in-out", duration: .milliseconds(600)))
    let tween = try TweenIntention(.tween("x", to: 60, easing: "ease-in-out", duration: .milliseconds(600)))
    let curve = try TweenCurve(of: tween, from: start)
    // The spring moves on until the first value arrives.
    scene.advance(3)
    var states: [(value: Double, velocity: Double)] = []
    func step() throws {
      let sample = curve.sample(at: scene.runtime.frame.time + 0.01 - begun)
      try worker.write(2, sample.value[0], velocity: sample.velocity[0], remaining: 0.5)
      worker.send()
      scene.advance()
      states.append((scene.value(), scene.velocity()))
    }
    for _ in 0..<6 { try step() }
    let fading = try #require(scene.runtime.movement.properties.motions[0]?.blend)
    let time = scene.runtime.frame.time
    let expected =
      curve.acceleration(at: time - begun)[0] + fading.fade.acceleration(at: time - fading.startTime)[0]
    // By the last two frames: the second derivative of their cubic at its end.
    let (last, now) = (states[4], states[5])
    let cubic = (2 * last.velocity + 4 * now.velocity) / 0.01 - 6 * (now.value - last.value) / 0.0001
    #expect(abs(expected - cubic) < 0.01 * abs(cubic) && abs(cubic) > 100)
    try displace(scene, expecting: expected)
  }

  // Clauses: S9.31
  @Test func `a move continues the acceleration of a spring behind an input value`() throws {
    for (mode, expects) in [
      (FollowIntention.Mode.spring(.physical(tension: 40, friction: 4)), true), (.smoothing(.milliseconds(150)), true),
      (.direct, false),
    ] {
      let scene = try Scene()
      try scene.add(.follow("x", "fader", mode, scale: 10))
      for value in [1.0, 2] {
        try scene.runtime.submit(
          InputValues(from: "desk", [InputValue("fader", Lanes(value), time: scene.runtime.frame.time + 0.01)]))
        scene.advance(2)
      }
      let (tension, friction) = mode == .smoothing(.milliseconds(150)) ? (1 / 0.0225, 2 / 0.15) : (40, 4)
      let acceleration = expects ? tension * (20 - scene.value()) - friction * scene.velocity() : 0
      try displace(scene, expecting: acceleration)
    }
  }

  // Clauses: S9.31
  @Test(arguments: [5, 81]) func `a move continues the acceleration of a wave, also in its passage`(frames: Int) throws
  {
    let scene = try Scene()
    try scene.add(.wave("x", rate: 1, offset: 20, amplitude: 10, fade: .milliseconds(600)))
    scene.advance(frames)
    let time = scene.runtime.frame.time
    let wave = Wave(.sine, rate: [1, 0, 0, 0], offset: [20, 0, 0, 0], amplitude: [10, 0, 0, 0])
    let passage = Crossfade(value: .zero, velocity: .zero, duration: 0.6)
    let sample = passage.sample(at: time, to: wave.sample(at: time))
    #expect(abs(scene.value() - sample.value[0]) < 1e-9 && abs(sample.acceleration[0]) > 50)
    try displace(scene, expecting: sample.acceleration[0], within: 1e-6)
  }

  // Clauses: S9.31
  @Test func `a hand, and a property that stands, hand over no acceleration`() throws {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    try scene.add(.draggable("x"))
    scene.advance()
    hand.say(.started(ExecutorHandle(1), "drag", moving: ["x"], from: [0]))
    try hand.write(1, 10, velocity: 100, imposing: [.value, .velocity])
    hand.send()
    scene.advance()
    try scene.add(Self.move(-20))
    for frame in 1...3 {
      try hand.write(1, 10 + Double(frame * frame), velocity: 100 + Double(50 * frame), imposing: [.value, .velocity])
      if frame == 3 { hand.say(.ended(ExecutorHandle(1), "drag")) }
      hand.send()
      scene.advance()
    }
    scene.advance()
    #expect(try beginning(scene.runtime) == 0)
    let other = try Scene()
    try other.add(.springTo("x", 20))
    other.runtime.advanceUntilRest()
    try displace(other, expecting: 0)
  }

  // Clauses: S9.31
  @Test func `a lane at a bound of its natural range hands over no acceleration`() throws {
    let scene = try Scene()
    try scene.add(.springTo("opacity", 3))
    scene.advance(4)
    #expect(scene.value("opacity") == 1 && scene.velocity("opacity") == 0)
    try scene.add(Self.move(0.5, of: "opacity"))
    scene.advance()
    #expect(try beginning(scene.runtime) == 0)
  }

  // Clauses: S9.31
  @Test func `a move that replaces a plan by its name begins with its acceleration`() throws {
    for first in [Self.move(90), .springTo("x", 20, .physical(tension: 40, friction: 4))] {
      let scene = try Scene()
      try scene.add(first, named: "go")
      scene.advance(6)
      let (value, velocity) = (scene.value(), scene.velocity())
      let acceleration =
        first.type == "MoveTo"
        ? try TimeOptimalMove.solve(from: MoveState(position: 0), to: 90, limits: Self.limits)
          .state(at: scene.runtime.frame.time).acceleration
        : 40 * (20 - value) - 4 * velocity
      #expect(abs(acceleration) > 100)
      try scene.add(Self.move(-20), named: "go")
      scene.advance()
      #expect(abs(try beginning(scene.runtime) - acceleration) < 1e-9)
      // Nothing of it is left for another property, nor for a later one.
      try scene.add(Self.move(5, of: "y"), named: "go")
      scene.advance()
      #expect(try beginning(scene.runtime) == 0)
    }
  }

  // Clauses: S9.29, S9.31
  @Test(arguments: [3, 9, 17]) func `a restart before or after the hand-over gives the same bits`(
    _ frames: Int
  ) throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("position", [20, -5], .physical(tension: 40, friction: 4)))
    scene.advance(frames)
    let before = try Scene()
    before.runtime.restore(scene.runtime.checkpoint())
    try scene.add(Self.move([-20, 5], of: "position"))
    try before.add(Self.move([-20, 5], of: "position"))
    scene.advance(4)
    before.advance(4)
    #expect(try beginning(scene.runtime) != 0)
    let after = try Scene()
    after.runtime.restore(scene.runtime.checkpoint())
    for _ in 0..<200 {
      let state = scene.runtime.state(of: "position", on: "ball")
      #expect(before.runtime.state(of: "position", on: "ball") == state)
      #expect(after.runtime.state(of: "position", on: "ball") == state)
      for other in [scene, before, after] { other.advance() }
    }
  }
}
