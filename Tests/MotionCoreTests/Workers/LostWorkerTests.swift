import MotionCore
import MotionModel
import MotionTestKit
import Testing

/// Workers that die, come back, or are given up.
struct LostWorkerTests {
  // Clauses: S10.14
  @Test func `a property of a lost worker fades, and continues when the worker is back`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 10, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    worker.lose()
    var last = scene.value()
    for expected in [300.0, 200, 100, 0, 0, 0] {
      scene.advance()
      #expect(scene.velocity() == expected)
      #expect(scene.value() - last <= 4)
      last = scene.value()
    }
    #expect(scene.runtime.isActive, "it is owed what was under way")

    worker.provision()
    let snapshot = try #require(scene.port.snapshots.last)
    #expect(snapshot.executors.map(\.driven) == [[.init("x", handle: PropertyHandle(1), state: PropertyState(18))]])
    for step in 1...16 {
      try worker.write(1, 50 + 4 * Double(step), velocity: 400)
      worker.send()
      scene.advance()
      #expect(abs(scene.value() - last) < 12)
      last = scene.value()
    }
    #expect(last == 50 + 4 * 16)
  }

  /// After a second without a worker, an even movement is caught up within one and a half seconds.
  // Clauses: S10.13, S10.21
  @Test(arguments: [false, true])
  func `a missed difference fades within one and a half times the gap`(isAtItsBeginning: Bool) throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    if !isAtItsBeginning {
      worker.say(.activity(ExecutorHandle(1), true))
      try worker.write(1, 4, velocity: 400, imposing: [.value, .velocity])
      worker.send()
      scene.advance()
    }
    worker.lose()
    scene.advance(99)
    worker.provision()
    var (last, quickest, frames) = (scene.value(), 0.0, 0)
    let missed = scene.runtime.frame.time * 400 - last
    while frames < 200 {
      frames += 1
      try worker.write(1, 400 * scene.runtime.frame.time, velocity: 400)
      worker.send()
      scene.advance()
      #expect(scene.value() >= last - 1e-9, "it never runs backwards")
      quickest = max(quickest, scene.value() - last)
      last = scene.value()
      if try scene.row()?.isLate == false { break }
    }
    // A hundred frames of 10 ms are missing. Caught up in 150 ms, they took 60 units in the quickest frame.
    #expect(missed > 380 && quickest < 10, "\(quickest)")
    #expect((149...153).contains(frames), "\(frames)")
  }

  /// A fade that is longer than 150 ms continues over a restart for its original duration.
  // Clauses: S10.12, S10.21
  @Test func `a long fade continues over a restart`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 4, velocity: 400, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    worker.lose()
    scene.advance(100)
    worker.provision()
    for _ in 0..<20 {
      try worker.write(1, 500, velocity: 0)
      worker.send()
      scene.advance()
    }
    let remaining = try #require(scene.runtime.checkpoint().handovers.first?.remaining)
    #expect(remaining > 1.25 && remaining < 1.4)
    let next = try Scene()
    next.runtime.restore(scene.runtime.checkpoint())
    #expect(abs((next.runtime.checkpoint().handovers.first?.remaining ?? 0) - remaining) < 1e-9)
  }

  // Clauses: S14.5
  @Test func `a plan whose end waits to be applied is not sent to the successor`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1000))
    scene.advance()
    worker.provision()
    let plan = try #require(scene.port.snapshots.last?.executors.first?.intentions.first?.identity)
    worker.say(.finished(ExecutorHandle(1), plan, .completed))
    worker.send()
    // The worker requests a snapshot again before the frame that will apply this.
    worker.provision()
    #expect(scene.port.snapshots.last?.executors.map(\.intentions) == [[]])
    scene.advance()
    #expect(scene.runtime.counts.intentions == 0)
  }

  // Clauses: S10.21
  @Test func `a plan at rest begins again without a jump in a worker that requests its snapshot again`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    scene.advance()
    try worker.write(1, 10)
    worker.send(acknowledging: 1)
    scene.advance(60)
    let rest = scene.value()
    #expect(rest == 10 && !scene.runtime.isActive)
    worker.provision()
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 40, velocity: 30)
    worker.send()
    scene.advance()
    #expect(abs(scene.value() - rest) < 2, "\(scene.value())")
    for _ in 0..<60 {
      try worker.write(1, 40)
      worker.send()
      scene.advance()
    }
    #expect(scene.value() == 40)
  }

  // Clauses: S10.14
  @Test func `the tokens of a lost worker end`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.anchoredSpring("x", 0))
    try scene.add(.draggable("x"))
    scene.advance()
    worker.say(.started(ExecutorHandle(2), "drag", moving: ["x"]))
    try worker.write(2, 40, velocity: 10, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    #expect(try scene.driver() == "Gesture")
    worker.lose()
    #expect(scene.trace.lines.filter { $0.hasPrefix("end") } == ["end drag Gesture on ball"])
    #expect(scene.runtime.counts.tokens == 0)
    #expect(try scene.driver() == "Physics")
    scene.advance()
    #expect(scene.value() < 41 && scene.value() > 30, "the spring goes on from there")
    worker.provision()
    worker.send()
    scene.runtime.advanceUntilRest(limit: 1000)
    #expect(scene.value() == 0)
    #expect(!scene.runtime.isActive)
  }

  @Test func `an event of a lost worker does not count for its successor`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    scene.advance()
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    worker.send()
    worker.lose()
    worker.provision()
    scene.advance()
    #expect(scene.runtime.counts.tokens == 0)
  }

  @Test func `a plan that ended before its worker was lost has ended`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance()
    try worker.write(1, 10, imposing: .value)
    worker.say(.finished(ExecutorHandle(1), tween, .completed))
    worker.send()
    scene.runtime.submit(.lost(worker.address))
    scene.advance()
    #expect(scene.ended() == ["1.0 completed"])
    #expect(scene.value() == 10)
    #expect(!scene.runtime.isActive)
  }

  @Test func `loss, provisioning and events of a worker are applied in order`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    scene.advance()
    scene.runtime.submit(.lost(worker.address))
    scene.runtime.submit(.provisioned(worker.address))
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    worker.send()
    scene.advance()
    #expect(scene.runtime.counts.tokens == 1, "the successor's word comes after its start")
  }

  @Test func `the snapshot contains the state of a worker that received every command`() throws {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    try scene.add(.draggable("x"), named: "drag")
    try scene.add(.draggable("y"), named: "gone")
    scene.advance()
    hand.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    try hand.write(1, 3, velocity: 1, imposing: [.value, .velocity])
    hand.send()
    try scene.add(.tween("z", to: 1), named: "fade")
    try scene.remove("gone")
    scene.advance()
    // The tween waits beneath the hand.
    try scene.add(.tween("x", to: 1))
    scene.advance()

    let worker = scene.worker("tween")
    let tweens = try #require(scene.port.snapshots.last)
    #expect(tweens.executors.map(\.key.description) == ["Tween on ball"])
    #expect(tweens.executors.first?.intentions.map(\.name) == ["fade"])
    #expect(tweens.executors.first?.driven.map(\.property) == ["z"])
    #expect(tweens.frame.number == scene.runtime.frame.number)

    hand.provision()
    let gestures = try #require(scene.port.snapshots.last)
    #expect(gestures.executors.first?.intentions.map(\.name) == ["drag"])
    #expect(gestures.executors.first?.driven.map(\.state) == [PropertyState(3, velocity: 1)])
    #expect(gestures.executors.first?.displaced == [])

    hand.say(.ended(ExecutorHandle(1), "drag"))
    hand.send()
    scene.advance()
    #expect(scene.port.take(worker.address) == ["add 2 Tween on ball 5.0"], "its time has come")
  }

  @Test func `a displaced executor is displaced again in the successor`() throws {
    let scene = try Scene()
    let hands = [scene.worker("gesture")]
    try scene.add(.draggable("x"))
    try scene.add(.grab())
    scene.advance()
    hands[0].say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    hands[0].send()
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("h", moving: ["x"])
    hand.context.write("x", PropertyState(1))
    #expect(scene.port.take(hands[0].address).suffix(1) == ["displaced 1 x"])
    hands[0].provision()
    #expect(scene.port.snapshots.last?.executors.first?.displaced == ["x"])
  }

  @Test func quarantineFailsOneShotsAndKeepsTheRest() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let hand = scene.worker("gesture")
    try scene.add(.tween("x", to: 10))
    try scene.add(.draggable("y"))
    scene.advance()
    scene.runtime.applyNow(.quarantined("tween", reason: "it died 5 times in 60 s"))
    scene.runtime.applyNow(.quarantined("gesture", reason: "likewise"))
    #expect(scene.ended() == ["1.0 failed"])
    #expect(!scene.runtime.isActive)
    guard case .intentions(let rows)? = try scene.runtime.answer(.intentions("ball")) else { throw UnexpectedResult() }
    #expect(rows.map(\.state) == [.owed, .failed])
    #expect(rows.last?.reason == "plugin tween is quarantined: it died 5 times in 60 s")

    #expect { try scene.add(.tween("x", to: 10)) } throws: { error in
      (error as? Refusal)?.code == .quarantined && (error as? Refusal)?.operation == 0
    }
    let before = scene.port.needs.count
    scene.runtime.applyNow(.restored("tween"))
    scene.runtime.applyNow(.restored("gesture"))
    #expect(scene.port.needs.dropFirst(before).map(\.description) == ["gesture.0"], "the other owes nothing")
    worker.provision()
    hand.provision()
    #expect(scene.port.snapshots.last?.executors.first?.intentions.count == 1)
    try scene.add(.tween("x", to: 10))
    scene.advance()
    #expect(scene.port.take(worker.address).last?.hasPrefix("add") == true)
  }

  @Test func aTransactionThatWaitedFailsUnderQuarantine() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.tween("x", to: 10), to: "ball")
    transaction.add(.springTo("y", 1), to: "ball")
    try scene.runtime.commit(transaction, at: 0.05)
    scene.runtime.applyNow(.quarantined("tween", reason: "broken"))
    scene.advance(10)
    #expect(scene.ended() == ["1.0 failed"])
    scene.runtime.advanceUntilRest()
    #expect(scene.value("y") == 1)
    #expect(scene.runtime.counts.executors == 0)
  }
}
