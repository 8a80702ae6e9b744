import MotionModel
import Testing

@testable import MotionCore

/// Numbers at the end of their range: each is refused, or the plan that leads there fails, without any other effect.
struct NumberTests {
  private let overflow = "the movement leaves the range of numbers (±1e120)"

  private func isFine(_ scene: Scene) -> Bool {
    let columns = scene.runtime.columns
    return columns.values.allSatisfy { abs($0) <= Limits.valueMagnitude }
      && columns.velocities.allSatisfy { abs($0) <= Limits.velocityMagnitude }
  }

  // Clauses: S9.22
  @Test(
    arguments: [
      .springTo("x", 1.7e308), .springTo("x", 0, initialVelocity: -1.1e100), .anchoredSpring("x", 1e101),
      .constantForce("x", acceleration: 1e101), .tween("x", to: 1.7e308), .tween("x", from: -1e200, to: 0),
    ] as [Intention])
  func `a field beyond the largest magnitude is refused at commit`(_ intention: Intention) throws {
    let scene = try Scene()
    let refusal = try #require(throws: Refusal.self) { try scene.add(intention) }
    #expect(refusal.code == .value && refusal.field != nil)
    #expect(refusal.remedy == "Use a number from -1e+100 to 1e+100.")
    #expect(scene.runtime.counts.intentions == 0)
  }

  // Clauses: S10.16, S9.23
  @Test func `the largest finite numbers of a worker are refused, and a follower stays`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    try scene.add(.attachWithSpring("y", to: PropertyReference("ball", "x")))
    scene.advance()
    for (value, velocity) in [(1.7e308, -1.7e308), (0, 1.7e308), (-1.7e308, 0), (1.1e120, 0)] {
      try worker.write(1, value, velocity: velocity)
      worker.send()
      scene.advance(2)
    }
    #expect(scene.runtime.refusedWrites == 4)
    try scene.add(.tween("x", to: 11))
    scene.advance()
    try worker.write(1, -1.7e308, velocity: 1.7e308)
    worker.send()
    scene.advance(20)
    #expect(scene.value() == 0 && scene.value("y") == 0)
    // A value within the range is followed.
    try worker.write(1, 7)
    worker.send()
    scene.advance(20)
    #expect(scene.value() == 7)
  }

  // Clauses: S9.23
  @Test func `a hand-over beyond the bound fails the plan, and the property stays at its last value`() throws {
    let scene = try Scene(instances: 1)
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    try scene.add(.springTo("y", 1))
    scene.advance()
    try worker.write(1, 5, velocity: 1e139, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    #expect(scene.value() == 5 && scene.velocity() == 1e139)
    // Another tween of the same worker continues from there: the velocity fades, and would lead to 1e138 meanwhile.
    let last = try scene.add(.tween("x", to: 11))
    scene.advance()
    try worker.write(1, 5)
    worker.send()
    for _ in 0..<40 {
      scene.advance()
      #expect(isFine(scene))
    }
    let failed = scene.trace.takeEnded().filter { $0.outcome == .failed }
    #expect(failed.map(\.identity) == [last] && failed.first?.reason == overflow)
    #expect(scene.value() == 5 && scene.velocity() == 0)
    try scene.add(.springTo("x", 3))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 3 && scene.value("y") == 1)
  }

  // Clauses: S9.23
  @Test func `a property returns from the largest allowed value`() throws {
    for feel in [SpringFeel.default, .physical(tension: 1e9, friction: 1e3, mass: 1e-6)] {
      let scene = try Scene()
      let worker = scene.worker("tween")
      try scene.add(.tween("x", to: 10))
      scene.advance()
      try worker.write(1, -1e120, imposing: [.value, .velocity])
      worker.send()
      scene.advance()
      #expect(scene.value() == -1e120)
      try scene.add(.springTo("x", 3, feel))
      scene.runtime.advanceUntilRest()
      #expect(scene.value() == 3 && scene.ended().contains("2.0 completed"))
    }
  }

  // Clauses: S9.23
  @Test func `two springs that drive each other apart fail at the bound, and are reported`() throws {
    let scene = try Scene()
    let swing = SpringFeel.physical(tension: 1e9, friction: 0)
    try scene.add(.springTo("x", 1, initialVelocity: 1e6), to: "a")
    scene.advance()
    try scene.add(.attachWithSpring("x", to: PropertyReference("b", "x"), swing), to: "a")
    try scene.add(.attachWithSpring("x", to: PropertyReference("a", "x"), swing), to: "b")
    var failed: [EndedIntention] = []
    for _ in 0..<100_000 where failed.isEmpty {
      scene.advance()
      failed = scene.trace.takeEnded().filter { $0.outcome == .failed }
      #expect(isFine(scene))
    }
    // All forces on the property that left the range first.
    #expect(failed.contains { $0.type == "AttachWithSpring" } && failed.allSatisfy { $0.reason == overflow })
    scene.advance(1000)
    #expect(isFine(scene))
    // Other properties are not affected.
    try scene.add(.springTo("y", 5), to: "a")
    scene.advance(300)
    #expect(scene.value("y", on: "a") == 5)
  }

  // Clauses: S9.24
  @Test func `a stored plan beyond the bound fails at recovery, and the others continue`() throws {
    let scene = try Scene()
    try scene.add(.springTo("y", 5))
    scene.advance(3)
    var checkpoint = scene.runtime.checkpoint()
    let identity = IntentionIdentity(sequence: 1, operation: 7)
    checkpoint.plans.append(.init(identity, .springTo("z", 1.7e308), named: nil, on: "ball"))
    checkpoint.targets[0].properties.append(.init("x", PropertyState(Lanes(.infinity), velocity: Lanes(-.infinity))))
    checkpoint.plans.append(
      .init(IntentionIdentity(sequence: 1, operation: 8), .springTo("x", 2), named: nil, on: "ball"))
    var later = Transaction()
    later.add(.springTo("w", 1.7e308), to: "ball")
    later.add(.springTo("v", 1), to: "ball")
    checkpoint.lastSequence = 2
    checkpoint.waiting.append(.init(at: checkpoint.frame.time + 0.05, sequence: 2, later))

    let next = try Scene()
    next.runtime.restore(checkpoint)
    #expect(isFine(next))
    next.runtime.advanceUntilRest()
    #expect(isFine(next))
    let ended = next.trace.takeEnded()
    #expect(Set(ended.filter { $0.outcome == .failed }.map { "\($0.identity)" }) == ["1.7", "1.8", "2.0"])
    #expect(next.value("y") == 5 && next.value("v") == 1 && next.value("x") == 0)
  }
}
