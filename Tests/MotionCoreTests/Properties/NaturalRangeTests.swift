import MotionModel
import Testing

@testable import MotionCore

/// Properties that have a natural range never leave it, whichever driver moves them.
struct NaturalRangeTests {
  /// Advances until nothing moves, and returns the states of the opacity frame by frame.
  private func run(_ scene: Scene, _ property: PropertyName = "opacity") -> [PropertyState] {
    var states: [PropertyState] = []
    while scene.runtime.isActive, states.count < 2000 {
      scene.advance()
      if let state = scene.runtime.state(of: property, on: "ball") { states.append(state) }
    }
    return states
  }

  // Clauses: S10.20
  @Test func `a spring that overshoots stands at the bound, and ends exactly at its destination`() throws {
    let scene = try Scene()
    try scene.add(.springTo("opacity", 0))
    _ = run(scene)
    #expect(scene.ended() == ["1.0 completed"] && scene.value("opacity") == 0)
    try scene.add(.springTo("opacity", 1, .physical(tension: 342, friction: 5)))
    try scene.add(.springTo("level", 1, .physical(tension: 342, friction: 5)))
    let states = run(scene)
    // The same spring without a range goes to 1.6.
    #expect(states.allSatisfy { (0...1).contains($0.value[0]) })
    let held = states.dropLast(10).filter { $0.value == 1 }
    #expect(held.count > 10 && held.allSatisfy { $0.velocity == 0 })
    #expect(states.last == PropertyState(1))
    #expect(scene.ended().sorted() == ["2.0 completed", "3.0 completed"])
  }

  // Clauses: S10.20
  @Test(arguments: [(2.0, 1.0), (-7, 0)])
  func `a plan with a destination beyond the range ends at the bound`(destination: Double, bound: Double) throws {
    let scene = try Scene()
    try scene.add(.springTo("opacity", 0.5))
    _ = run(scene)
    try scene.add(.springTo("opacity", Lanes(destination)))
    let states = run(scene)
    #expect(states.last == PropertyState(Lanes(bound)) && states.allSatisfy { (0...1).contains($0.value[0]) })
    #expect(scene.ended() == ["1.0 completed", "2.0 completed"])
  }

  // Clauses: S10.20
  @Test func `a new destination moves the property at once, however far its spring was beyond the range`() throws {
    let scene = try Scene()
    try scene.add(.springTo("opacity", 2))
    scene.advance(30)
    #expect(scene.value("opacity") == 1 && scene.velocity("opacity") == 0)
    try scene.add(.springTo("opacity", 0))
    scene.advance()
    #expect(scene.value("opacity") < 1 && scene.value("opacity") > 0.97)
  }

  // Clauses: S10.20
  @Test func `each lane of a color is held separately, and other properties have no range`() throws {
    let scene = try Scene()
    for property: PropertyName in ["color", "backgroundColor"] {
      try scene.add(.springTo(property, [2, -1, 0.5, 1]))
    }
    try scene.add(.springTo("level", 2))
    for _ in 0..<40 {
      scene.advance()
      let color = try #require(scene.runtime.state(of: "color", on: "ball"))
      #expect(color.value.array.allSatisfy { (0...1).contains($0) })
      #expect(color.velocity[1] == 0)
    }
    while scene.runtime.isActive { scene.advance() }
    #expect(scene.runtime.state(of: "color", on: "ball") == PropertyState([1, 0, 0.5, 1]))
    #expect(scene.runtime.state(of: "backgroundColor", on: "ball") == PropertyState([1, 0, 0.5, 1]))
    #expect(scene.value("level") == 2)
  }

  // Clauses: S10.20
  @Test func `executors, workers and hand-overs are held within the range`() throws {
    let scene = try Scene()
    try scene.add(.stay("opacity"))
    scene.advance()
    scene.stage.puppet("Stayer")?.context.write("opacity", PropertyState(1.5, velocity: 3))
    #expect(scene.value("opacity") == 1 && scene.velocity("opacity") == 0)
    scene.stage.puppet("Stayer")?.context.write("opacity", PropertyState(0, velocity: -3))
    #expect(scene.value("opacity") == 0 && scene.velocity("opacity") == 0)
    // At a bound, and on the way back from it.
    scene.stage.puppet("Stayer")?.context.write("opacity", PropertyState(0, velocity: 3))
    #expect(scene.value("opacity") == 0 && scene.velocity("opacity") == 3)

    let worker = scene.worker("tween")
    try scene.add(.tween("opacity", to: 2))
    scene.advance()
    // At the hand-over the property is at 0 and the sample at 0.9: the difference of velocities leads beyond 1 for a
    // moment.
    for frame in 0..<20 {
      try worker.write(2, min(2, 0.9 + 0.05 * Double(frame)), velocity: 5, to: "opacity")
      worker.send()
      scene.advance()
      #expect((0...1).contains(scene.value("opacity")))
    }
    #expect(scene.value("opacity") == 1 && scene.velocity("opacity") == 0)
  }

  // Clauses: S10.20
  @Test func `a value beyond the range in an old checkpoint continues at the bound`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("opacity", 2))
    scene.advance(3)
    var checkpoint = scene.runtime.checkpoint()
    checkpoint.targets[0].properties[0].state = PropertyState(1.5, velocity: 4)
    let next = try Scene()
    next.runtime.restore(checkpoint)
    #expect(next.value("opacity") == 1 && next.velocity("opacity") == 0)
  }

  // Clauses: S8.34, S10.20
  @Test func `a staged spring begins within the range like one that is not staged`() throws {
    let runtimes = [Runtime(), Runtime()]
    let transaction = Transaction(
      log: try (0..<Runtime.fewestStaged).map {
        .add(
          .springTo("opacity", 0.5, initialVelocity: $0.isMultiple(of: 2) ? 9 : -9), named: nil,
          to: try TargetName("t\($0)"))
      })
    for (runtime, stages) in zip(runtimes, [true, false]) {
      runtime.computesHashes = true
      let check = try TransactionCheck(transaction, in: runtime, staging: stages)
      while !check.isFinished { try check.advance(1000) }
      _ = try runtime.commit(check)
    }
    for _ in 0..<60 {
      for runtime in runtimes { runtime.advance() }
      #expect(runtimes[0].frameHash == runtimes[1].frameHash)
      #expect(runtimes[0].changes.allSatisfy { (0...1).contains($0.state.value[0]) })
    }
  }

  // Clauses: S10.20
  @Test func `random events on few targets leave every value within its range`() throws {
    var random = SplitMix(seed: TestSeed.value)
    let scene = try Scene()
    let properties: [PropertyName] = ["opacity", "level", "color", "scale"]
    for step in 0..<1500 {
      let target = try TargetName("t\(Int.random(in: 0..<6, using: &random))")
      let property = properties.randomElement(using: &random) ?? "opacity"
      let value = Lanes(SIMD4.random(in: -2...3, using: &random), count: property == "color" ? 4 : 1)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try scene.forget(target)
      case 1: try scene.add(.anchoredSpring(property, value), named: "a", to: target)
      case 2:
        let velocity = Lanes(SIMD4.random(in: -90...90, using: &random), count: value.count)
        try scene.add(.springTo(property, value, initialVelocity: velocity), to: target)
      case 3...5: try scene.add(.springTo(property, value), to: target)
      default: break
      }
      scene.advance(2)
      for change in scene.runtime.allProperties where ["opacity", "color"].contains(change.reference.property.text) {
        #expect(change.state.value.array.allSatisfy { (0...1).contains($0) }, "seed \(TestSeed.value), step \(step)")
      }
    }
  }
}
