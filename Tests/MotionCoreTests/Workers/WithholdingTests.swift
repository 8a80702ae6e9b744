import MotionCore
import MotionModel
import Testing

/// Intentions that are withheld from a suspected worker, and those that are given up.
struct WithholdingTests {
  // Clauses: S15.1
  @Test func `withheld plans are not in the snapshot, and are sent after their release`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 1))
    let suspects = try scene.add(.tween("y", to: 1))
    scene.advance()
    worker.lose()
    scene.runtime.applyNow(.withheld(worker.address, [suspects]))
    worker.provision()
    let executor = try #require(scene.port.snapshots.last?.executors.first)
    #expect(executor.intentions.map(\.identity.sequence) == [1])
    #expect(executor.driven.map(\.property) == ["x"], "it is told of nothing that only the suspects would write")
    #expect(try scene.intentions().map(\.state) == [.added, .owed])
    scene.runtime.applyNow(.withheld(worker.address, nil))
    #expect(scene.port.take(worker.address) == ["add 1 Tween on ball \(suspects)"])
    #expect(try scene.intentions().map(\.state) == [.added, .added])
  }

  // Clauses: S15.1
  @Test func aPlanAddedDuringABisectionWaitsForItsEnd() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let first = try scene.add(.tween("x", to: 1))
    let second = try scene.add(.tween("y", to: 1))
    scene.advance()
    worker.lose()
    scene.runtime.applyNow(.withheld(worker.address, [first, second]))
    let early = try scene.add(.tween("z", to: 1))
    scene.advance()
    worker.provision()
    let late = try scene.add(.tween("w", to: 1))
    scene.advance()
    #expect(scene.port.snapshots.last?.executors.first?.intentions.isEmpty == true)
    #expect(scene.port.take(worker.address).isEmpty)
    scene.runtime.applyNow(.withheld(worker.address, [second]))
    #expect(scene.port.take(worker.address) == ["add 1 Tween on ball \(first)"])
    worker.lose()
    worker.provision()
    #expect(scene.port.snapshots.last?.executors.first?.intentions.map(\.identity) == [first])
    scene.runtime.applyNow(.withheld(worker.address, nil))
    #expect(scene.port.take(worker.address) == [second, early, late].map { "add 1 Tween on ball \($0)" })
  }

  // Clauses: S15.1
  @Test func `a released plan is displaced again if another writer drives`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let suspects = try scene.add(SquashAndStretchIntention().intention)
    scene.advance()
    worker.provision()
    let executor = try #require(scene.port.snapshots.last?.executors.first)
    try scene.add(.anchoredSpring("scale", [1, 1]))
    scene.advance()
    _ = scene.port.take(worker.address)
    worker.lose()
    scene.runtime.applyNow(.withheld(worker.address, [suspects]))
    worker.provision()
    scene.runtime.applyNow(.withheld(worker.address, nil))
    let (handle, key) = (executor.handle.rawValue, executor.key)
    let told = scene.port.take(worker.address).filter { !$0.hasPrefix("properties") }
    #expect(told == ["add \(handle) \(key) \(suspects)", "displaced \(handle) scale"])
    #expect(try scene.driver("scale") != key.type)
  }

  /// Adding a plan makes its executor move the property, although another plan of the same transaction takes it away at
  /// once.
  @Test func aDisplacedExecutorThatReceivesAPlanIsDisplacedAgain() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(SquashAndStretchIntention().intention)
    try scene.add(.anchoredSpring("scale", [1, 1]))
    scene.advance()
    worker.provision()
    scene.advance()
    _ = scene.port.take(worker.address)
    var transaction = Transaction()
    transaction.add(SquashAndStretchIntention().intention, to: "ball")
    transaction.add(.anchoredSpring("scale", [2, 2]), to: "ball")
    try scene.runtime.commit(transaction)
    scene.advance()
    let told = scene.port.take(worker.address).filter { !$0.hasPrefix("properties") }
    #expect(told.count == 2 && told[0].hasPrefix("add") && told[1].hasSuffix("scale"), "\(told)")
    #expect(told[1].hasPrefix("displaced"), "\(told)")
  }

  @Test func `withheld plans keep nothing active and can be removed`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let suspects = try scene.add(.tween("x", to: 1), named: "bad")
    scene.advance()
    worker.lose()
    scene.runtime.applyNow(.withheld(worker.address, [suspects]))
    worker.provision()
    worker.send()
    scene.runtime.advanceUntilRest(limit: 100)
    #expect(!scene.runtime.isActive)
    try scene.remove("bad")
    scene.runtime.advanceUntilRest(limit: 100)
    #expect(try scene.intentions().isEmpty)
    scene.runtime.applyNow(.withheld(worker.address, nil))
    #expect(scene.port.take(worker.address).filter { $0.hasPrefix("add") }.isEmpty)
  }

  // Clauses: S15.1
  @Test func `a given-up plan fails, and the others continue`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let suspects = try scene.add(.tween("x", to: 1))
    try scene.add(.tween("y", to: 1))
    scene.advance()
    worker.lose()
    scene.runtime.applyNow(.planQuarantined(suspects, reason: "it died twice"))
    #expect(scene.ended() == ["\(suspects) failed"])
    let rows = try scene.intentions()
    #expect(rows.map(\.state) == [.owed, .failed])
    #expect(rows.last?.reason == "it died twice")
    worker.provision()
    #expect(scene.port.snapshots.last?.executors.first?.intentions.count == 1)
    // One-shots have ended: a restart does not repeat them.
    scene.runtime.applyNow(.restored("tween"))
    #expect(try scene.intentions().map(\.state) == [.added, .failed])
  }

  // Clauses: S15.3
  @Test func `a given-up standing plan is added again when its plugin is restarted`() throws {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    let kept = try scene.add(.draggable("x"), named: "drag")
    let replaced = try scene.add(.draggable("y"), named: "other")
    let forgotten = try scene.add(.draggable("x"), to: "old")
    scene.advance()
    for identity in [kept, replaced, forgotten] { scene.runtime.applyNow(.planQuarantined(identity, reason: "died")) }
    try scene.add(.draggable("z"), named: "other")
    try scene.forget("old")
    scene.advance()
    _ = scene.port.take(hand.address)
    scene.runtime.applyNow(.restored("tween"))
    #expect(scene.port.take(hand.address).isEmpty, "that is another plugin")
    scene.runtime.applyNow(.restored("gesture"))
    #expect(scene.port.take(hand.address).count { $0.hasPrefix("add") && $0.hasSuffix("\(kept)") } == 1)
    let live = try scene.intentions().filter { $0.state != .failed }
    #expect(live.map(\.name) == ["other", "drag"])
    #expect(try !scene.intentions().contains { $0.state == .failed && $0.identity == kept })
    scene.runtime.applyNow(.restored("gesture"))
    #expect(scene.port.take(hand.address).isEmpty, "once is enough")
  }

  @Test(arguments: [true, false]) func `a given-up plan that was stopped is not added again`(all: Bool) throws {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    let suspects = try scene.add(.draggable("x"))
    scene.advance()
    scene.runtime.applyNow(.planQuarantined(suspects, reason: "died"))
    scene.runtime.applyNow(.stop(all ? [] : ["ball"]))
    _ = scene.port.take(hand.address)
    scene.runtime.applyNow(.restored("gesture"))
    #expect(scene.port.take(hand.address).isEmpty)
  }
}
