import MotionCore
import MotionModel
import Testing

/// When executors are made, updated and removed.
struct ExecutorLifeTests {
  // Clauses: S8.18, S12.1
  @Test func `an executor is updated while it requests updates`() throws {
    let scene = try Scene()
    scene.stage.onAdd["Player"] = { puppet, _ in
      puppet.onUpdate = { [unowned puppet] _ in puppet.frames.count < 3 }
    }
    try scene.add(.show())
    let frames = scene.runtime.advanceUntilRest()
    #expect(frames == 3)
    let player = try #require(scene.stage.puppet("Player"))
    #expect(player.frames.map(\.number) == [1, 2, 3])
    #expect(player.frames.map(\.dt) == [0.01, 0.01, 0.01])
  }

  // Clauses: S8.18
  @Test func executorsAreUpdatedTargetByTarget() throws {
    let scene = try Scene()
    var order: [String] = []
    for type in ["Player", "Stayer"] as [ExecutorType] {
      scene.stage.onAdd[type] = { puppet, _ in
        puppet.onUpdate = { _ in
          order.append("\(puppet.context.target)")
          return true
        }
      }
    }
    try scene.add(.show(), to: "b")
    try scene.add(.show(), to: "a")
    try scene.add(.stay("y"), to: "b")
    scene.advance()
    #expect(order == ["b", "b", "a"])
  }

  // Clauses: S8.19
  @Test func `an idle executor is removed after half a second`() throws {
    let scene = try Scene()
    try scene.add(.constantForce("x", acceleration: 1), to: "other")
    try scene.add(.stay(), named: "s")
    scene.advance()
    try scene.remove("s")
    scene.advance(50)
    #expect(scene.runtime.counts.executors == 2)
    scene.advance(2)
    #expect(scene.runtime.counts.executors == 1)
    #expect(scene.trace.lines.last == "no executor Stayer on ball")
    try scene.add(.stay())
    scene.advance()
    #expect(scene.runtime.counts.executors == 2)
  }

  @Test func `an executor that is needed again is not removed`() throws {
    let scene = try Scene()
    try scene.add(.constantForce("x", acceleration: 1), to: "other")
    try scene.add(.stay(), named: "s")
    scene.advance()
    try scene.remove("s")
    scene.advance(40)
    try scene.add(.stay(), named: "s")
    scene.advance(40)
    try scene.remove("s")
    scene.advance(40)
    #expect(scene.runtime.counts.executors == 2)
    scene.advance(20)
    #expect(scene.runtime.counts.executors == 1)
  }

  // Clauses: S8.19
  @Test func `all idle executors are removed when the runtime becomes idle`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("y", to: 1))
    try scene.add(.springTo("x", 1))
    scene.advance()
    worker.say(.finished(ExecutorHandle(1), tween, .completed))
    worker.send()
    scene.runtime.advanceUntilRest()
    #expect(scene.runtime.counts.executors == 0)
    #expect(scene.runtime.executorCount(in: worker.address) == 0)
    #expect(scene.port.take(worker.address).last == "removeExecutor 1")
  }

  // Clauses: S8.20
  @Test func `a successor starts from the present state of the property`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 8))
    scene.runtime.advanceUntilRest()
    try scene.add(.show())
    scene.advance()
    #expect(scene.stage.puppet("Player")?.plans.first?.start(of: "x") == PropertyState(8))
  }

  // Clauses: S8.20
  @Test func `a removed context has no effect`() throws {
    let scene = try Scene()
    try scene.add(.show())
    scene.advance()
    let player = try #require(scene.stage.puppet("Player"))
    try scene.forget()
    scene.advance()
    player.context.write("x", PropertyState(5))
    player.context.remoteExecutionWillStart("t")
    player.context.finish(IntentionIdentity(sequence: 1, operation: 0))
    #expect(scene.runtime.counts == Status.Counts())
    #expect(!scene.runtime.isActive)
  }

  @Test func `a write between frames is published with the next one`() throws {
    let scene = try Scene()
    try scene.add(.show())
    scene.advance()
    try #require(scene.stage.puppet("Player")).context.write("x", PropertyState(5))
    scene.advance()
    #expect(scene.runtime.changes.map(\.state) == [PropertyState(5)])
    scene.advance()
    #expect(scene.runtime.changes.map(\.state) == [])
  }
}
