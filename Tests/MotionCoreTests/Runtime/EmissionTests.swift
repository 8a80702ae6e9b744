import MotionCore
import MotionModel
import Testing

/// Plans that emit plans.
struct EmissionTests {
  // Clauses: S8.5, S8.14
  @Test func `an emitted plan is applied at once, depth first`() throws {
    let scene = try Scene()
    scene.stage.onAdd["Stayer"] = { puppet, plan in
      puppet.context.emit(.anchoredSpring("y", 1), named: "child", from: plan.identity, ordinal: 0)
      puppet.context.emit(.anchoredSpring("z", 1), from: plan.identity, ordinal: 1)
    }
    try scene.add(.stay(), named: "parent")
    scene.advance()
    #expect(
      scene.trace.lines.filter { $0.hasPrefix("add") } == [
        "add 1.0.0 \"child\" Physics on ball", "add 1.0.1 Physics on ball", "add 1.0 \"parent\" Stayer on ball",
      ])
    try scene.remove("parent")
    scene.advance()
    #expect(scene.runtime.counts.intentions == 0, "children go with their parent")
  }

  // Clauses: S8.14
  @Test func `a repeated ordinal has no effect, also after the child has ended`() throws {
    let scene = try Scene()
    try scene.add(.stay())
    scene.advance()
    let (stayer, parent) = (try #require(scene.stage.puppet("Stayer")), IntentionIdentity(sequence: 1, operation: 0))
    for _ in 1...3 { stayer.context.emit(.springTo("y", 1), from: parent, ordinal: 0) }
    #expect(scene.runtime.counts.intentions == 2)
    scene.runtime.advanceUntilRest()
    stayer.context.emit(.springTo("y", 0), from: parent, ordinal: 0)
    scene.runtime.advanceUntilRest()
    #expect(scene.value("y") == 1)
    stayer.context.emit(.springTo("y", 2), from: parent, ordinal: 7)
    stayer.context.emit(.springTo("y", 3), from: parent, ordinal: 1)
    scene.runtime.advanceUntilRest()
    #expect(scene.value("y") == 3)
  }

  // Clauses: S8.15
  @Test func `a child of a completed plan continues, a child of a displaced one ends`() throws {
    for (outcome, left) in [(Outcome.completed, 1), (.displaced, 0), (.failed, 0)] {
      let scene = try Scene()
      try scene.add(.show())
      scene.advance()
      let (player, parent) = (try #require(scene.stage.puppet("Player")), IntentionIdentity(sequence: 1, operation: 0))
      player.context.emit(.anchoredSpring("y", 1), from: parent, ordinal: 0)
      player.context.finish(parent, outcome)
      #expect(scene.runtime.counts.intentions == left)
    }
  }

  // Clauses: S8.16
  @Test func `plans emit each other up to a limited depth`() throws {
    let scene = try Scene()
    scene.stage.onAdd["Player"] = { puppet, plan in
      puppet.context.emit(.show(), from: plan.identity, ordinal: 0)
    }
    try scene.add(.show())
    scene.advance()
    #expect(scene.stage.puppet("Player")?.plans.map(\.identity.path.count).max() == Limits.emissionDepth)
    #expect(
      scene.trace.takeEnded().first { $0.outcome == .failed }?.reason
        == "intentions emit each other more than 16 deep")
  }

  // Clauses: S8.17
  @Test func `emitted plans are checked`() throws {
    let scene = try Scene()
    try scene.add(.show())
    scene.advance()
    let player = try #require(scene.stage.puppet("Player"))
    player.context.emit(Intention("Nonsense"), from: IntentionIdentity(sequence: 1, operation: 0), ordinal: 0)
    #expect(scene.ended() == ["1.0 failed"])
    #expect(player.calls == ["add 1.0", "remove 1.0"], "it is told, as it did not say so itself")
  }

  // Clauses: S8.17
  @Test func `an executor cannot emit for a plan of another`() throws {
    let scene = try Scene()
    try scene.add(.stay())
    try scene.add(.show("y"))
    scene.advance()
    let player = try #require(scene.stage.puppet("Player"))
    player.context.emit(.springTo("z", 1), from: IntentionIdentity(sequence: 1, operation: 0), ordinal: 0)
    player.context.finish(IntentionIdentity(sequence: 1, operation: 0))
    #expect(scene.runtime.counts.intentions == 2)
  }

  @Test func `workers can emit plans`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let parent = try scene.add(.tween("x", to: 1))
    scene.advance()
    worker.say(.emitted(ExecutorHandle(1), parent: parent, ordinal: 3, .springTo("y", 4), named: nil))
    worker.say(.emitted(ExecutorHandle(1), parent: parent, ordinal: 3, .springTo("y", 5), named: nil))
    worker.send()
    scene.advance(200)
    #expect(scene.value("y") == 4)
  }
}
