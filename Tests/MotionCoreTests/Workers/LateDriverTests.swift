import MotionCore
import MotionModel
import Testing

/// Drivers in workers that are late, do not keep pace, or send nothing at all.
struct LateDriverTests {
  // Clauses: S10.13
  @Test func aPlanThatEndsWithTheFirstSampleOfALateWorkerRestsAtItsValue() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 1, velocity: 100, imposing: [.value, .velocity])
    worker.send()
    scene.advance(4)
    try worker.write(1, 10)
    worker.say(.finished(ExecutorHandle(1), tween, .completed))
    worker.send()
    scene.advance()
    var last = scene.value()
    #expect(last < 5, "what it missed is made good after its end")
    for _ in 1...15 {
      #expect(try scene.row()?.isLate == true)
      #expect(scene.ended() == [], "it is not there yet")
      scene.advance()
      #expect(abs(scene.value() - last) < 1.5)
      last = scene.value()
    }
    #expect(scene.ended() == ["1.0 completed"])
    #expect(last == 10)
    #expect(try scene.row()?.isLate == false)
  }

  // Clauses: S10.12, S10.13
  @Test func `the velocity of a late driver fades over four frames, and its return is blended`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 10, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    var velocities: [Double] = []
    for _ in 1...5 {
      scene.advance()
      velocities.append(scene.velocity())
    }
    #expect(velocities == [300, 200, 100, 0, 0])
    #expect(abs(scene.value() - 18) < 1e-9)
    #expect(try scene.row()?.isLate == true)
    #expect(scene.runtime.lateUpdates == 1)

    var last = scene.value()
    for step in 0...15 {
      try worker.write(1, 34 + 4 * Double(step), velocity: 400)
      worker.send()
      scene.advance()
      #expect(abs(scene.value() - last) < 8)
      last = scene.value()
      // Until the difference has faded, in 15 frames of 10 ms, the property is not where its driver's samples are.
      #expect(try scene.row()?.isLate == (step < 15))
    }
    #expect(last == 34 + 4 * 15)
  }

  @Test func `the return of a late driver of a property at rest is blended`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    // As a tween that is delayed, or between two keyframes.
    try worker.write(1, 10, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    scene.advance(10)
    #expect(scene.value() == 10)
    #expect(try scene.row()?.isLate == true)
    #expect(scene.runtime.lateUpdates == 1)

    var last = scene.value()
    // Eleven frames of 10 ms are missing.
    for step in 0...17 {
      try worker.write(1, 50 + 4 * Double(step), velocity: 400)
      worker.send()
      scene.advance()
      #expect(abs(scene.value() - last) < 12, "what it missed is made good within 165 ms")
      last = scene.value()
    }
    #expect(last == 50 + 4 * 17)
    #expect(try scene.row()?.isLate == false)
  }

  @Test func `a driver that is always behind is followed and counts as late`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 0, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    // One frame without a sample; from then on each sample is that of the frame before.
    scene.advance()
    var last = scene.value()
    for step in 1...30 {
      try worker.write(1, 4 * Double(step), velocity: 400)
      worker.send(frame: scene.runtime.frame.number)
      scene.advance()
      #expect(abs(scene.value() - last - 4) < 2)
      #expect(try scene.row()?.isLate == true, "it is not where it should be in this frame")
      last = scene.value()
    }
    // The missed motion is caught up within 150 ms.
    for step in 32...60 {
      try worker.write(1, 4 * Double(step), velocity: 400, imposing: step < 40 ? .value : [])
      worker.send()
      scene.advance()
      #expect(abs(scene.value() - last - 4) < 2)
      #expect(try scene.row()?.isLate == (step < 47))
      last = scene.value()
    }
    #expect(last == 240)

    // An end that is reported too late still ends the plan.
    scene.advance()
    try worker.write(1, 1000)
    worker.say(.finished(ExecutorHandle(1), tween, .completed))
    worker.say(.activity(ExecutorHandle(1), false))
    worker.send(frame: scene.runtime.frame.number)
    scene.advance(16)
    #expect(scene.value() == 1000)
    #expect(try scene.row()?.isLate == false)
    scene.advance()
    #expect(!scene.runtime.isActive)
  }

  @Test func `a driver that falls less behind catches up without a jump`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 0, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    let first = scene.runtime.frame.number + 1
    scene.advance(9)
    var last = scene.value()
    for behind in [8, 8, 8, 4, 4, 2, 1, 1, 0] as [UInt64] + Array(repeating: 0, count: 16) {
      let frame = scene.runtime.frame.number + 1 - behind
      try worker.write(1, 4 * Double(frame - first), velocity: 400)
      worker.send(frame: frame)
      scene.advance()
      #expect(abs(scene.value() - last) < 10, "\(behind) frames behind")
      last = scene.value()
    }
    #expect(last == 4 * Double(scene.runtime.frame.number - first))
    #expect(try scene.row()?.isLate == false)
  }

  // Clauses: S10.13
  @Test func `a driver that begins behind after another ended catches up without a jump`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10), to: "other")
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 0, on: "other")
    worker.send()
    try scene.add(.springTo("x", 100))
    scene.advance()
    try scene.add(.tween("x", to: 200))
    let begun = scene.runtime.frame.number
    scene.advance(8)
    // Its worker is eight frames behind, and its report about the other executor is in the same update.
    worker.say(.activity(ExecutorHandle(1), false))
    worker.say(.activity(ExecutorHandle(3), true))
    try worker.write(3, 4, velocity: 400)
    worker.send(frame: begun + 1)
    var last = scene.value()
    scene.advance()
    #expect(try scene.row()?.isLate == true)
    for step in 10...40 {
      #expect(abs(scene.value() - last) < 15, "frame \(step) of the tween")
      last = scene.value()
      try worker.write(3, 4 * Double(step), velocity: 400)
      worker.send()
      scene.advance()
    }
    #expect(scene.value() == 160)
  }

  @Test func `an executor that requests no frames is never behind`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    scene.advance(2)
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    try worker.write(1, 10, imposing: [.value, .velocity])
    worker.send(frame: 1)
    scene.advance()
    #expect(scene.value() == 10)
    #expect(try scene.row()?.isLate == false)
  }

  @Test func aDriverThatAnsweredTheFrameIsNotLate() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    try scene.add(.anchoredSpring("x", 0, .physical(tension: 1, friction: 0)))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    try worker.write(1, 10, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    worker.say(.ended(ExecutorHandle(1), "drag"))
    worker.say(.activity(ExecutorHandle(1), false))
    worker.send()
    scene.advance()
    #expect(scene.runtime.lateUpdates == 0)
    #expect(scene.velocity() == 400, "a throw loses nothing")
  }

  @Test func `the value of a single sample is reached`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    scene.advance()
    try worker.write(1, 10)
    worker.send()
    scene.advance()
    #expect(scene.value() == 0)
    #expect(scene.runtime.advanceUntilRest(limit: 100) == 15)
    #expect(scene.value() == 10)
  }

  // Clauses: S10.19
  @Test func `a property without a mover fades until its driver's first sample`() throws {
    let scene = try Scene()
    _ = scene.worker("tween")
    try scene.add(.springTo("x", 100), named: "move")
    scene.advance(5)
    let velocity = scene.velocity()
    try scene.add(.tween("x", to: 10), named: "move")
    // The worker receives its plan in this frame, and its first sample is due with the next.
    for _ in 1...2 {
      scene.advance()
      #expect(scene.velocity() == velocity)
    }
    scene.advance()
    #expect(abs(scene.velocity() - velocity * 0.75) < 1e-9)
    scene.advance(3)
    #expect(scene.velocity() == 0)
  }

  /// A worker moves a property evenly. Its updates are missing again and again, also before the property has caught up;
  /// it keeps some frames behind for a while; it is lost, and motiond starts again from a checkpoint.
  // Clauses: S10.12, S10.21
  @Test func `what is late again and again never goes back, and catches up at five times its velocity at most`() throws
  {
    let seed = TestSeed.value
    var random = SplitMix(seed: seed)
    func chance(_ share: Double) -> Bool { Double.random(in: 0...1, using: &random) < share }
    let (dt, pace) = (0.01, 400.0)
    var scene = try Scene()
    var worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1_000_000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    var (last, missing, behind, isLost) = (0.0, 0, UInt64(0), false)
    var (again, restarts, arrivals) = (0, 0, 0)
    for count in 0..<20_000 {
      if missing == 0, chance(0.02) {
        missing = chance(0.05) ? .random(in: 20...100, using: &random) : .random(in: 1...8, using: &random)
        if count > 0, try scene.row()?.isLate == true { again += 1 }
        if chance(0.2) {
          worker.lose()
          isLost = true
        }
        if chance(0.1) {
          (restarts, isLost) = (restarts + 1, true)
          let next = try Scene()
          next.runtime.restore(scene.runtime.checkpoint())
          next.runtime.endRecovery()
          scene = next
          worker = FakeWorker(worker.address, scene)
        }
      }
      let hasAnswered = missing == 0
      if missing > 0 {
        missing -= 1
        if missing == 0 {
          behind = !isLost && chance(0.3) ? .random(in: 1...4, using: &random) : 0
          if isLost {
            worker.provision()
            worker.say(.activity(ExecutorHandle(1), true))
            isLost = false
          }
        }
      } else {
        if behind > 0, chance(0.1) { behind -= 1 }
        let due = scene.runtime.frame.number + 1 - min(behind, scene.runtime.frame.number)
        try worker.write(1, pace * dt * Double(due), velocity: pace)
        worker.send(frame: due)
      }
      scene.advance()
      let (value, velocity) = (scene.value(), scene.velocity())
      let place = "seed \(seed), frame \(count): \(last) to \(value) at \(velocity)"
      #expect(value >= last - 1e-9 && velocity >= -1e-6, "backwards: \(place)")
      #expect(value - last <= 5 * pace * dt && velocity <= 5 * pace, "too fast: \(place)")
      if count > 100, hasAnswered, behind == 0, try scene.row()?.isLate == false {
        arrivals += 1
        #expect(abs(value - pace * dt * Double(scene.runtime.frame.number)) < 1e-6, "not there: \(place)")
      }
      last = value
    }
    #expect(arrivals > 1000, "seed \(seed): \(arrivals)")
    #expect(again > 50 && restarts > 5, "seed \(seed): \(again), \(restarts)")
  }

  /// The demand stands, and of so many frames the worker answers only some, from before the property is there.
  // Clauses: S10.12, S10.21
  @Test(arguments: [(2, 1), (3, 2), (3, 1), (5, 4), (10, 9)], [false, true])
  func `a property arrives and does not pass although its worker is late all the time`(
    late: (of: Int, frames: Int), moves: Bool
  ) throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, moves ? 0.01 : 0, velocity: moves ? 1 : 0)
    worker.send()
    scene.advance(30)
    var last = scene.value()
    for frame in 0..<200 {
      if frame % late.of >= late.frames {
        try worker.write(1, 1)
        worker.send()
      }
      scene.advance()
      #expect(scene.value() <= 1.0001 && scene.value() >= last - 0.0001, "frame \(frame)")
      last = scene.value()
    }
    #expect(abs(last - 1) < 1e-9 && abs(scene.velocity()) < 1e-9)
  }
}
