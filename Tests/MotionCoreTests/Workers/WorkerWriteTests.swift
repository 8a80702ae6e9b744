import MotionCore
import MotionModel
import Testing

/// The writes that workers are allowed, and the properties that they read.
struct WorkerWriteTests {
  private func scene() throws -> (Scene, FakeWorker) {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.tween("x", to: 10))
    try scene.add(.springTo("position", [1, 1]), to: "other")
    scene.advance()
    return (scene, worker)
  }

  private func write(_ executor: UInt32, _ property: UInt32, _ state: PropertyState) -> PropertyWrite {
    PropertyWrite(executor: ExecutorHandle(executor), property: PropertyHandle(property), state: state)
  }

  // Clauses: S10.16
  @Test(
    arguments: [
      (1, 1, PropertyState(Lanes(.nan))), (1, 1, PropertyState(Lanes(.infinity))),
      (1, 1, PropertyState(1, velocity: Lanes(.nan))), (1, 1, PropertyState([1, 2])),
      (1, 1, PropertyState(1, velocity: [1, 2])), (1, 2, PropertyState([1, 2])), (1, 99, PropertyState(1)),
      (2, 2, PropertyState([9, 9])), (99, 1, PropertyState(1)),
    ] as [(UInt32, UInt32, PropertyState)])
  func `a worker's write to a property that is not its own is refused`(
    _ executor: UInt32, _ property: UInt32, _ state: PropertyState
  ) throws {
    let (scene, worker) = try scene()
    worker.write(raw: write(executor, property, state))
    worker.send()
    scene.advance()
    #expect(scene.runtime.refusedWrites == 1)
    #expect(scene.value() == 0)
    #expect(scene.value("position", on: "other") < 0.5)
  }

  @Test func `an invalid remaining time is refused`() throws {
    let (scene, worker) = try scene()
    try worker.write(1, 5, remaining: .nan)
    try worker.write(1, 5, remaining: -1)
    worker.send()
    scene.advance()
    #expect(scene.runtime.refusedWrites == 2)
  }

  // Clauses: S10.16
  @Test func refusedWritesAreTraced() throws {
    let (scene, worker) = try scene()
    _ = scene.trace.take()
    worker.write(raw: write(1, 2, PropertyState([5, 5])))
    worker.send()
    scene.advance()
    #expect(scene.trace.lines.contains("refuse position Tween on ball"))
  }

  @Test func `events and writes for an executor of another worker are ignored`() throws {
    let (scene, _) = try scene()
    let hand = scene.worker("gesture")
    hand.say(.finished(ExecutorHandle(1), IntentionIdentity(sequence: 1, operation: 0), .completed))
    hand.say(.activity(ExecutorHandle(1), true))
    hand.say(.started(ExecutorHandle(1), "token", moving: []))
    try hand.write(1, 5)
    hand.send()
    scene.advance()
    #expect(scene.ended() == [])
    #expect(scene.runtime.counts.tokens == 0)
    #expect(scene.runtime.refusedWrites == 1)
    #expect(scene.value() == 0)
  }

  @Test func `writes to a forgotten target are ignored`() throws {
    let (scene, worker) = try scene()
    try worker.write(1, 5)
    worker.send()
    try scene.forget()
    scene.advance()
    worker.write(raw: write(1, 1, PropertyState(5)))
    worker.send()
    scene.advance()
    #expect(scene.runtime.refusedWrites == 0)
    #expect(scene.runtime.state(of: "x", on: "ball") == nil)
  }

  @Test func `readers receive the values of their properties`() throws {
    let scene = try Scene()
    var registry = ExecutorRegistry()
    try registry.register(
      PluginManifest(
        name: "reader", executable: "reader",
        intentions: [.puppet("Pursue", .standing, "Follower"), .puppet("Mirror", .standing, "Mirror")]))
    let runtime = Runtime(registry: registry, ratePerSecond: 100)
    runtime.workerPort = scene.port
    let address = WorkerAddress("reader", 0)
    runtime.applyNow(.provisioned(address))
    var transaction = Transaction()
    let reference = PropertyReference("leader", "x")
    transaction.add(
      Intention("Pursue", [.init("property", .property("y")), .init("follows", .reference(reference))]), named: "f",
      to: "ball")
    transaction.add(
      Intention("Mirror", [.init("property", .property("z")), .init("reads", .property("y"))]), to: "ball")
    try runtime.commit(transaction)
    runtime.advance()
    #expect(
      scene.port.take(address) == [
        "properties leader/x gone", "add 1 Follower on ball 1.0", "properties ball/y 0.0", "add 2 Mirror on ball 1.1",
        "properties ball/y 0.0",
      ])

    var move = Transaction()
    move.add(.springTo("x", 4, .physical(tension: 1, friction: 0), initialVelocity: 0), to: "leader")
    try runtime.commit(move)
    runtime.advance()
    let value = try #require(runtime.state(of: reference)).value
    #expect(scene.port.take(address) == ["properties leader/x \(value)"])
    runtime.applyNow(.provisioned(address))
    #expect(scene.port.snapshots.last?.properties.map(\.reference.description) == ["ball/y", "leader/x"])

    var end = Transaction()
    end.forget("leader")
    end.remove(named: "f", from: "ball")
    end.add(.springTo("x", 4), to: "leader")
    try runtime.commit(end)
    runtime.advance()
    #expect(scene.port.take(address) == ["properties leader/x gone", "remove 1 1.0"])
  }
}
