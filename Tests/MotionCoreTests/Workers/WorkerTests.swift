import MotionCore
import MotionModel
import MotionTestKit
import Testing

/// Executors in workers: pending plans, messages, and which samples count.
struct WorkerTests {
  // Clauses: S11.9
  @Test func `a plan waits for its worker, and its time starts then`() throws {
    let scene = try Scene()
    try scene.add(.tween("x", to: 10))
    scene.advance()
    #expect(scene.port.needs.map(\.description) == ["tween.0"])
    #expect(scene.trace.take().contains { $0.hasPrefix("add") } == false)
    guard case .intentions(let rows)? = try scene.runtime.answer(.intentions(nil)) else { throw UnexpectedResult() }
    #expect(rows.map(\.state) == [.owed])
    scene.advance(50)
    #expect(scene.runtime.isActive, "what is owed keeps the runtime active")

    let worker = scene.worker("tween")
    let plan = try #require(scene.port.snapshots.last?.executors.first?.intentions.first)
    #expect(plan.startTime == scene.runtime.frame.time)
    #expect(scene.trace.take() == ["add 1.0 Tween on ball"])
    worker.lose()
    worker.provision()
    let again = try #require(scene.port.snapshots.last?.executors.first?.intentions.first)
    #expect(again == plan, "its time began once")
    #expect(scene.trace.take() == [])
  }

  // Clauses: S12.4
  @Test func `commands are sent in order, and the executor is active until they are acknowledged`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10), named: "a")
    try scene.add(.tween("y", to: 10), named: "b")
    scene.advance()
    try scene.remove("a")
    scene.advance()
    #expect(
      scene.port.take(worker.address) == ["add 1 Tween on ball 1.0", "add 1 Tween on ball 2.0", "remove 1 1.0"])
    worker.send(acknowledging: 1)
    scene.advance()
    #expect(scene.runtime.isActive)
    #expect(scene.runtime.wantsFrames(worker.address))
    worker.send(acknowledging: 3)
    scene.advance()
    #expect(!scene.runtime.isActive, "it said of nothing that it is active")
    #expect(!scene.runtime.wantsFrames(worker.address))
  }

  // Clauses: S12.4
  @Test func `the activity is the last one that the worker reported`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    worker.send()
    scene.advance(100)
    #expect(scene.runtime.isActive)
    worker.say(.activity(ExecutorHandle(1), false))
    worker.send()
    scene.advance()
    #expect(!scene.runtime.isActive)
  }

  @Test func `a plan that waits for its worker is removed by its identity`() throws {
    let scene = try Scene()
    try scene.add(.tween("x", to: 10), named: "a")
    scene.advance()
    let worker = scene.worker("tween")
    try scene.remove("a")
    scene.advance()
    #expect(scene.port.take(worker.address) == ["remove 1 1.0"])
  }

  // Clauses: S12.5
  @Test func `starts are applied before values, and values before ends`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    scene.advance()
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    worker.say(.ended(ExecutorHandle(1), "drag"))
    try worker.write(1, 5, velocity: 9, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    #expect(scene.value() == 5, "the value found the token")
    #expect(scene.velocity() == 0, "and its end found the value: nobody goes on with the velocity")
  }

  @Test func `a start after an end in one frame is applied after it`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    scene.advance()
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    try worker.write(1, 5, imposing: .value)
    worker.send()
    scene.advance()
    worker.say(.ended(ExecutorHandle(1), "drag"))
    worker.send()
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    try worker.write(1, 7, imposing: .value)
    worker.send()
    scene.advance()
    #expect(scene.runtime.counts.tokens == 1, "the finger is down again")
    #expect(try scene.driver() == "Gesture")
    #expect(scene.value() == 7)
  }

  // Clauses: S11.15
  @Test func `a plan that ends in a frame is not displaced by a commit of that frame`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    let tween = try scene.add(.tween("x", to: 10))
    scene.advance()
    try worker.write(1, 10)
    worker.say(.finished(ExecutorHandle(1), tween, .completed))
    worker.send()
    try scene.add(.springTo("x", 0))
    scene.advance()
    #expect(scene.ended().first == "1.0 completed")
  }

  @Test func `a sample of an older frame is not followed`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    scene.advance()
    try worker.write(1, 5, imposing: .value)
    worker.send(frame: 2)
    try worker.write(1, 4, imposing: .value)
    worker.send(frame: 1)
    scene.advance()
    #expect(scene.value() == 5)
  }
}
