import MotionCore
import MotionModel
import Testing

/// Drivers in workers whose first sample comes later than possible: the missed motion is caught up without a jump.
struct LateFirstSampleTests {
  /// The greatest distance within a frame while `say` sends its samples, one a frame, and then nothing more.
  private func quickest(_ scene: Scene, frames: Int, _ say: (Int) throws -> Void = { _ in }) rethrows -> Double {
    var (quickest, last) = (0.0, scene.value())
    for frame in 0..<frames {
      try say(frame)
      scene.advance()
      quickest = max(quickest, abs(scene.value() - last))
      last = scene.value()
    }
    return quickest
  }

  // Clauses: S10.13
  @Test func `a tween whose first sample arrives after its end does not jump`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance(10)
    let quickest = try quickest(scene, frames: 17) { frame in
      guard frame == 0 else { return }
      try worker.write(1, 10, remaining: 0)
      worker.say(.finished(ExecutorHandle(1), tween, .completed))
      worker.send()
    }
    #expect(quickest < 1.5)
    #expect(scene.value() == 10)
    #expect(scene.ended() == ["1.0 completed"])
    #expect(try scene.row()?.isLate == false)
  }

  @Test func `a first sample that arrives on time is followed, however short the tween`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance()
    try worker.write(1, 10, remaining: 0)
    worker.say(.finished(ExecutorHandle(1), tween, .completed))
    worker.send()
    scene.advance()
    #expect(scene.value() == 10)
    #expect(scene.ended() == ["1.0 completed"])
  }

  // Clauses: S10.13, S10.21, S15.1
  @Test func `a plan withheld after its start catches up, also after its end`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("y", to: 1))
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance()
    worker.lose()
    scene.runtime.applyNow(.withheld(worker.address, [tween]))
    worker.provision()
    // Its executor sends samples for the other plan meanwhile.
    _ = try quickest(scene, frames: 20) { frame in
      try worker.write(1, Double(frame) / 20, to: "y")
      worker.send()
    }
    scene.runtime.applyNow(.withheld(worker.address, nil))
    let quickest = try quickest(scene, frames: 40) { frame in
      guard frame == 0 else { return }
      try worker.write(1, 10, remaining: 0)
      worker.say(.finished(ExecutorHandle(1), tween, .completed))
      worker.send()
    }
    // The gap was a third of a second, so the difference fades within half a second.
    #expect(quickest < 0.6)
    #expect(scene.value() == 10)
    #expect(scene.ended() == ["\(tween) completed"])
  }

  // Clauses: S10.13
  @Test func `a late first sample of a mover at rest does not jump`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 1, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), false))
    worker.send()
    scene.advance(5)
    try scene.add(.tween("x", to: 20))
    scene.advance(10)
    let quickest = try quickest(scene, frames: 16) { frame in
      if frame == 0 { worker.say(.activity(ExecutorHandle(1), true)) }
      try worker.write(1, 11 + 0.5 * Double(frame), velocity: 50, remaining: 0.03)
      worker.send()
    }
    #expect(quickest < 2)
    #expect(scene.value() == 11 + 0.5 * 15)
  }

  // Clauses: S10.13
  @Test func `a late first sample of a follower at rest does not jump`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(SquashAndStretchIntention().intention)
    scene.advance()
    try worker.write(1, 0, to: "rotation")
    worker.send()
    scene.advance()
    #expect(!scene.runtime.isActive)
    // The executor is notified of each frame in which the property that it follows moves, and its first sample arrives
    // after ten.
    try scene.add(.anchoredSpring("position", [100, 100], .physical(tension: 100, friction: 1)))
    scene.advance(10)
    var (quickest, last) = (0.0, 0.0)
    for frame in 0..<16 {
      if frame == 0 { worker.say(.activity(ExecutorHandle(1), true)) }
      try worker.write(1, 0.8, to: "rotation")
      worker.send()
      scene.advance()
      let rotation = scene.value("rotation")
      (quickest, last) = (max(quickest, abs(rotation - last)), rotation)
    }
    #expect(quickest < 0.12)
    #expect(last == 0.8)
  }

  // Clauses: S10.13
  @Test(arguments: [0, 3])
  func `a later plan does not clear the lateness of an earlier sample`(framesUntilItSpoke: Int) throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance(1 + framesUntilItSpoke)
    // Its request for frames arrives, its samples do not.
    worker.say(.activity(ExecutorHandle(1), true))
    worker.send(frame: 2)
    scene.advance(15)
    try scene.add(.tween("x", to: 20))
    scene.advance(2)
    let before = scene.runtime.frame.number - 3
    let quickest = try quickest(scene, frames: 17) { frame in
      guard frame == 0 else { return }
      try worker.write(1, 10, remaining: 0)
      worker.say(.finished(ExecutorHandle(1), tween, .completed))
      worker.send(frame: before, acknowledging: 1)
    }
    #expect(quickest < 1.5)
  }
}
