import MotionCore
import MotionModel
import MotionTestKit
import Testing

/// `stop` and `withdraw`.
struct StopTests {
  // Clauses: S11.7
  @Test func `a stop acts at once, and every property stays in place`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 100), to: "a")
    try scene.add(.springTo("x", 100), to: "b")
    scene.advance(5)
    let (a, b) = (scene.value(on: "a"), scene.value(on: "b"))
    scene.runtime.applyNow(.stop(["a"]))
    #expect(scene.velocity(on: "a") == 0)
    #expect(scene.velocity(on: "b") != 0)
    #expect(scene.runtime.changes.map(\.reference.description) == ["a/x"], "what it changed is there to publish")
    scene.advance()
    #expect(scene.value(on: "a") == a)
    #expect(scene.value(on: "b") > b)
    scene.runtime.applyNow(.stop([]))
    #expect(!scene.runtime.isActive)
    #expect(scene.runtime.counts.intentions == 0)
    #expect(scene.runtime.counts.executors == 0)
    #expect(scene.ended() == [])
  }

  // Clauses: S11.7
  @Test func `a stop ends transactions committed before it, not later ones`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", 100))
    var later = Transaction()
    later.add(.springTo("x", 50), to: "ball")
    try scene.runtime.commit(later, at: 0.05)
    scene.runtime.applyNow(.stop([]))
    #expect(scene.runtime.nextDueTime == nil)
    scene.advance(10)
    #expect(scene.value() == 0)
    try scene.add(.springTo("x", 7))
    scene.runtime.advanceUntilRest()
    #expect(scene.value() == 7)
  }

  // Clauses: S8.37, S11.7
  @Test func `outputs stay unless the stop includes them`() throws {
    let scene = try Scene()
    try scene.add(Intention("Print"), named: "out", to: "a")
    try scene.add(.springTo("x", 100), to: "a")
    try scene.add(Intention("Print"), to: "b")
    scene.advance(3)
    let plans = { try scene.intentions().map { "\($0.identity) \($0.kind.rawValue)" } }
    for names: [TargetName] in [["a"], []] {
      scene.runtime.applyNow(.stop(StopRequest(names)))
      scene.advance(2)
      #expect(try plans() == ["1.0 output", "3.0 output"])
      #expect(!scene.runtime.isActive && scene.velocity(on: "a") == 0)
    }
    #expect(scene.stage.puppet("Printer", on: "a")?.calls.contains { $0.hasPrefix("remove") } == false)
    scene.runtime.applyNow(.stop(StopRequest(["a"], outputs: true)))
    #expect(try plans() == ["3.0 output"])
    scene.runtime.applyNow(.stop(StopRequest(outputs: true)))
    #expect(try plans().isEmpty)
    #expect(scene.ended() == [])
  }

  @Test func `a stop removes failed plans of its targets from the list`() throws {
    let scene = try Scene()
    scene.stage.onAdd["Player"] = { _, _ in throw Refusal(.value, "no") }
    for target: TargetName in ["a", "b"] { try scene.add(.show(), to: target) }
    scene.advance()
    #expect(scene.runtime.failures.map(\.target) == ["a", "b"])
    scene.runtime.applyNow(.stop(["a"]))
    #expect(scene.runtime.failures.map(\.target) == ["b"])
    scene.runtime.applyNow(.stop([]))
    #expect(scene.runtime.failures.isEmpty)
  }

  @Test func `a stop removes the plans of workers and ignores their late updates`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    scene.advance()
    try worker.write(1, 5, velocity: 100, imposing: [.value, .velocity])
    worker.say(.activity(ExecutorHandle(1), true))
    worker.send()
    scene.advance()
    _ = scene.port.take(worker.address)
    try worker.write(1, 6, velocity: 100)
    worker.send()
    scene.runtime.applyNow(.stop([]))
    #expect(scene.port.take(worker.address) == ["remove 1 1.0"])
    #expect(scene.velocity() == 0)
    scene.advance()
    #expect(scene.value() == 5)
    #expect(scene.velocity() == 0)
    #expect(scene.runtime.refusedWrites == 0)
  }

  // Clauses: S8.27
  @Test func `the held plans of a disconnected client are withdrawn`() throws {
    let scene = try Scene()
    scene.stage.onAdd["Player"] = { puppet, plan in
      puppet.context.emit(.anchoredSpring("y", 1), from: plan.identity, ordinal: 0)
      puppet.context.finish(plan.identity)
    }
    try scene.add(.anchoredSpring("x", 1))
    try scene.add(.anchoredSpring("z", 1))
    try scene.add(.show())
    var later = Transaction()
    later.add(.springTo("w", 1), to: "ball")
    try scene.runtime.commit(later, at: 1)
    scene.advance()
    scene.runtime.submit(.withdraw([1, 3, 4, 99]))
    scene.advance()
    guard case .intentions(let rows)? = try scene.runtime.answer(.intentions("ball")) else { throw UnexpectedResult() }
    #expect(rows.map(\.identity.description) == ["2.0"], "children of finished plans included")
    #expect(scene.runtime.nextDueTime == nil)
  }
}
