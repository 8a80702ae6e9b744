import MotionCore
import MotionModel
import Testing

/// Properties whose driver changes between this process and workers.
struct HandoverTests {
  // Clauses: S10.9
  @Test func theOldDriverContinuesUntilTheFirstSampleOfTheNewOne() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.anchoredSpring("x", 100, .physical(tension: 100, friction: 1)))
    scene.advance(5)
    let before = (scene.value(), scene.velocity())
    try scene.add(.tween("x", to: 500))
    scene.advance(3)
    #expect(scene.value() > before.0 + before.1 * 0.029, "the spring goes on")
    #expect(try scene.driver() == "Tween")

    let (value, velocity) = (scene.value(), scene.velocity())
    try worker.write(2, before.0, velocity: before.1)
    worker.send()
    scene.advance()
    #expect(abs(scene.value() - (value + velocity * 0.01)) < 0.5, "no jump, and no stall")
    #expect(abs(scene.velocity() - velocity) < 101, "no more than the spring would have changed")
    var last = scene.value()
    for frame in 1...15 {
      try worker.write(2, before.0 + before.1 * 0.01 * Double(frame), velocity: before.1)
      worker.send()
      scene.advance()
      #expect(abs(scene.value() - last) < 10)
      last = scene.value()
    }
    #expect(last == before.0 + before.1 * 0.15, "150 ms later the worker's word is all")
  }

  // Clauses: S10.19
  @Test(arguments: [0, 1, 3])
  func `the velocity of a manipulation is kept until a tween in another worker takes over`(framesLate: Int) throws {
    let scene = try Scene()
    let (worker, hand) = (scene.worker("tween"), scene.worker("gesture"))
    try scene.add(.draggable("x"))
    scene.advance()
    hand.say(.started(ExecutorHandle(1), "drag", moving: ["x"], from: [0]))
    try hand.write(1, 10, velocity: 400, imposing: [.value, .velocity])
    hand.send()
    scene.advance()
    try scene.add(.tween("x", to: 100))
    try hand.write(1, 14, velocity: 400, imposing: [.value, .velocity])
    hand.say(.ended(ExecutorHandle(1), "drag"))
    hand.send()
    scene.advance()
    #expect(scene.value() == 14 && scene.velocity() == 400)

    // The tween is notified now; its first sample is due with the next frame. After that a frame costs a quarter of the
    // velocity.
    for frame in 0..<framesLate {
      scene.advance()
      #expect(abs(scene.velocity() - 400 * (1 - Double(frame) / 4)) < 1e-9, "frame \(frame)")
      #expect(try scene.row()?.isLate == (frame > 0))
    }
    let velocity = 400 * (1 - Double(framesLate) / 4)
    let last = scene.value()
    worker.say(.activity(ExecutorHandle(2), true))
    try worker.write(2, 14 + 4 * Double(framesLate + 1), velocity: 400, remaining: 0.3)
    worker.send()
    scene.advance()
    #expect(abs(scene.velocity() - (framesLate == 0 ? 400 : velocity)) < 1e-9)
    #expect(abs(scene.value() - last - (framesLate == 0 ? 4 : (velocity + 50) * 0.01)) < 1e-9)
    #expect(try scene.row()?.isLate == (framesLate > 0), "what was late has to be caught up")
  }

  // Clauses: S10.9
  @Test func `the old driver is ignored from the first sample on`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let hand = scene.worker("gesture")
    try scene.add(.show())
    scene.advance()
    let player = try #require(scene.stage.puppet("Player"))
    try scene.add(.tween("x", to: 10))
    scene.advance()
    player.context.write("x", PropertyState(3))
    #expect(scene.value() == 3)
    #expect(scene.ended() == [])
    try worker.write(2, 3, imposing: .value)
    worker.send()
    scene.advance()
    #expect(scene.ended() == ["1.0 displaced"])
    #expect(player.takeCalls() == ["add 1.0", "remove 1.0"])

    // Both in workers: the old one's samples count until the new one's first.
    try scene.add(.draggable("x"))
    scene.advance()
    hand.say(.started(ExecutorHandle(3), "drag", moving: ["x"]))
    hand.send()
    try worker.write(2, 4, velocity: 100)
    worker.send()
    scene.advance()
    #expect(try scene.driver() == "Gesture")
    #expect(scene.value() == 4)
    try worker.write(2, 5, velocity: 100)
    worker.send()
    try hand.write(3, 5, velocity: 0, imposing: .velocity)
    hand.send()
    scene.advance()
    #expect(scene.value() == 5)
    #expect(scene.ended() == ["2.0 displaced"])
    try worker.write(2, 50)
    worker.send()
    scene.advance()
    #expect(scene.value() == 5)
    #expect(scene.runtime.refusedWrites == 0, "its words were under way")
  }

  @Test func `another plan of the mover begins at the property within a blend`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 100))
    scene.advance()
    for _ in 0..<3 {
      try worker.write(1, 100)
      worker.send()
      scene.advance()
    }
    let value = scene.value()
    #expect(value < 20, "it has not got far from 0 yet")
    try scene.add(.tween("x", to: 0))
    // Computed before the worker received it.
    try worker.write(1, 100)
    worker.send()
    scene.advance()
    let start = scene.value()
    #expect(start > value && start < 40)
    try worker.write(1, value)
    worker.send()
    scene.advance()
    #expect(abs(scene.value() - start) < 10, "the old difference is not added to the new plan")
    for _ in 0..<16 {
      try worker.write(1, value)
      worker.send()
      scene.advance()
    }
    #expect(scene.value() == value)
  }

  @Test func aSecondPlanBeforeTheFirstSampleBeginsAtTheProperty() throws {
    for comesLater in [false, true] {
      let scene = try Scene()
      let worker = scene.worker("tween")
      try scene.add(.anchoredSpring("x", 0))
      scene.advance()
      try scene.add(.tween("x", to: 100))
      scene.advance()
      let commands = scene.port.commandsSent(to: worker.address)
      // In the frame in which the executor takes over, or before, it gets another plan; its first sample is of the old
      // one.
      try scene.add(.tween("x", to: 50))
      if comesLater { scene.advance() }
      try worker.write(2, 100)
      worker.send(acknowledging: commands)
      scene.advance()
      #expect(abs(scene.value()) < 1e-9)
      var last = scene.value()
      for _ in 0..<16 {
        try worker.write(2, 0)
        worker.send()
        scene.advance()
        #expect(abs(scene.value() - last) < 10, "the difference to the old plan is not added to the new one")
        last = scene.value()
      }
      #expect(last == 0)
    }
  }

  // Clauses: S10.11
  @Test func `a value that the intention imposes is not blended at a hand-over`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.anchoredSpring("x", 100))
    scene.advance(5)
    try scene.add(.tween("x", from: 0, to: 500, carries: false))
    scene.advance()
    try worker.write(2, 0, velocity: 7, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    #expect(scene.value() == 0)
    #expect(scene.velocity() == 7)
  }

  @Test func `a following writer continues from the last value without a step`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.anchoredSpring("x", 0, .physical(tension: 1, friction: 0)))
    scene.advance()
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance()
    for step in 1...3 {
      try worker.write(2, Double(step), velocity: 100, imposing: [.value, .velocity])
      if step == 3 { worker.say(.finished(ExecutorHandle(2), tween, .completed)) }
      worker.send()
      scene.advance()
      #expect(scene.value() == Double(step))
    }
    #expect(scene.ended() == ["2.0 completed"])
    #expect(scene.velocity() == 100)
    scene.advance()
    #expect(abs(scene.value() - 4) < 0.01, "one frame's way, not two")
  }

  /// The plan `move` began with a sample far from the property's place, and ended without another plan having been
  /// announced.
  private func sceneOfADifferenceThatIsLeft() throws -> (Scene, FakeWorker) {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("x", to: 10), named: "move")
    scene.advance()
    try worker.write(1, 5, velocity: 100)
    worker.send()
    scene.advance()
    try worker.write(1, 10)
    worker.say(.finished(ExecutorHandle(1), tween, .completed))
    worker.send()
    scene.advance()
    return (scene, worker)
  }

  @Test func `a plan that ends within a blend comes to rest at its final value`() throws {
    let (scene, _) = try sceneOfADifferenceThatIsLeft()
    var last = scene.value()
    #expect(last < 6, "five units in a frame were a jump")
    #expect(scene.runtime.isActive, "something is left to fade")
    for _ in 1...14 {
      #expect(scene.ended() == [], "it is not there yet")
      scene.advance()
      #expect(abs(scene.value() - last) < 1.2)
      last = scene.value()
    }
    #expect(scene.ended() == ["1.0 completed"])
    #expect(last == 10)
    #expect(scene.velocity() == 0)
    scene.advance()
    #expect(!scene.runtime.isActive)
  }

  @Test func `the writer after a plan that ends within a blend continues with its velocity`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.anchoredSpring("x", 0, .physical(tension: 1, friction: 0)))
    scene.advance()
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance()
    for step in 1...3 {
      try worker.write(2, 5 + Double(step), velocity: 100)
      if step == 3 { worker.say(.finished(ExecutorHandle(2), tween, .completed)) }
      worker.send()
      scene.advance()
    }
    #expect(scene.ended() == ["2.0 completed"], "the spring waits for it")
    let (value, velocity) = (scene.value(), scene.velocity())
    scene.advance()
    #expect(try scene.driver() == "Physics")
    #expect(abs(scene.velocity() - velocity) < 1)
    #expect(abs(scene.value() - value - velocity * 0.01) < 0.01)
  }

  @Test(arguments: ["removed", "displaced", "its worker gone"])
  func `a plan with only a difference left completes, whatever happens to it`(_ fate: String) throws {
    let (scene, worker) = try sceneOfADifferenceThatIsLeft()
    #expect(scene.ended() == [])
    switch fate {
    case "removed": try scene.remove("move")
    case "displaced": try scene.add(.springTo("x", 100))
    default: scene.runtime.submit(.lost(worker.address))
    }
    scene.advance()
    #expect(scene.ended() == ["1.0 completed"])
    #expect(try scene.intentions().map(\.intention.type) == (fate == "displaced" ? ["SpringTo"] : []))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == (fate == "displaced" ? 100 : fate == "removed" ? scene.value() : 10))
  }

  @Test func `a manipulation that ends within a blend leaves the property at its value`() throws {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    try scene.add(.draggable())
    scene.advance()
    let executor = ExecutorHandle(1)
    hand.say(.started(executor, "drag", moving: ["position"], from: [[0, 0]]))
    hand.say(.activity(executor, true))
    try hand.write(1, at: [1, 0], velocity: [100, 0], imposing: [.value, .velocity])
    hand.send()
    scene.advance(6)
    // Back after five frames without a sample, it lets go at once.
    try hand.write(1, at: [60, 0], velocity: [0, 0])
    hand.send()
    scene.advance()
    hand.say(.activity(executor, false))
    hand.say(.ended(executor, "drag"))
    try hand.write(1, at: [60, 0], velocity: [0, 0])
    hand.send()
    var last = try #require(scene.runtime.state(of: "position", on: "ball")).value[0]
    #expect(last < 20)
    for _ in 1...15 {
      scene.advance()
      let now = try #require(scene.runtime.state(of: "position", on: "ball")).value[0]
      #expect(abs(now - last) < 12)
      last = now
    }
    #expect(last == 60)
    scene.advance()
    #expect(!scene.runtime.isActive)
  }

  @Test func `a plan removed within a blend stops the property at once`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10), named: "move")
    scene.advance()
    try worker.write(1, 5, velocity: 100)
    worker.send()
    scene.advance()
    try scene.remove("move")
    scene.advance()
    let value = scene.value()
    #expect(scene.velocity() == 0)
    scene.advance(20)
    #expect(scene.value() == value)
  }
}
