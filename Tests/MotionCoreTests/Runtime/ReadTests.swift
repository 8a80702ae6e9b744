import MotionCore
import MotionModel
import Testing

/// Values of read properties that executors receive.
struct ReadTests {
  private func reading(_ property: PropertyName, follows: PropertyReference? = nil) -> Intention {
    var fields: [Intention.Field] = [.init("reads", .property(property))]
    if let follows { fields.append(.init("follows", .reference(follows))) }
    return Intention("Stay", fields)
  }

  private func jump(_ property: PropertyName, to value: Double, on target: TargetName, in scene: Scene) throws {
    scene.stage.onAdd["Player"] = { puppet, planned in
      puppet.context.write(property, PropertyState(Lanes(value)))
      puppet.context.finish(planned.identity)
    }
    try scene.add(.show(property), to: target)
  }

  // Clauses: S11.11
  @Test func `a reader receives each change after its frame, and gets the next frame`() throws {
    let scene = try Scene()
    try scene.add(reading("y", follows: PropertyReference("lamp", "x")))
    scene.advance()
    let puppet = try #require(scene.stage.puppet("Stayer"))
    _ = puppet.takeCalls()
    let frames = puppet.frames.count
    try jump("y", to: 3, on: "ball", in: scene)
    scene.advance()
    #expect(puppet.takeCalls() == ["noticed ball/y 3.0"])
    #expect(puppet.frames.count == frames)
    try jump("x", to: 5, on: "lamp", in: scene)
    scene.advance()
    #expect(puppet.takeCalls() == ["noticed lamp/x 5.0"])
    #expect(puppet.frames.count == frames + 1)
    scene.advance(3)
    #expect(puppet.takeCalls() == [])
    #expect(puppet.frames.count == frames + 2)
    #expect(!scene.runtime.isActive)
  }

  @Test func `a reader that ends receives nothing more, and a follower learns that its target is gone`() throws {
    let scene = try Scene()
    try scene.add(reading("y", follows: PropertyReference("lamp", "x")), named: "watch")
    try jump("x", to: 5, on: "lamp", in: scene)
    scene.advance()
    let puppet = try #require(scene.stage.puppet("Stayer"))
    _ = puppet.takeCalls()
    try scene.forget("lamp")
    scene.advance()
    #expect(puppet.takeCalls() == ["noticed lamp/x gone"])
    try scene.remove("watch")
    scene.advance()
    _ = puppet.takeCalls()
    try jump("y", to: 3, on: "ball", in: scene)
    scene.advance()
    #expect(puppet.takeCalls() == [])
  }

  @Test func `a reader receives the change by a stop between frames`() throws {
    let scene = try Scene()
    try scene.add(reading("x", follows: PropertyReference("ball", "y")), to: "lamp")
    scene.advance()
    let puppet = try #require(scene.stage.puppet("Stayer", on: "lamp"))
    try scene.add(.springTo("y", 100), to: "ball")
    scene.advance(3)
    _ = puppet.takeCalls()
    scene.runtime.applyNow(.stop(["ball"]))
    #expect(puppet.takeCalls().contains { $0.hasPrefix("noticed ball/y") })
  }

  @Test func `a reader in a worker gets frames until its worker has acknowledged`() throws {
    var registry = ExecutorRegistry()
    try registry.register(
      PluginManifest(
        name: "reader", executable: "reader", intentions: [.puppet("Mirror", .standing, "Mirror")]))
    let runtime = Runtime(registry: registry, ratePerSecond: 100)
    let (port, address) = (FakePort(), WorkerAddress("reader", 0))
    runtime.workerPort = port
    runtime.applyNow(.provisioned(address))
    func commit(_ intention: Intention) throws {
      var transaction = Transaction()
      transaction.add(intention, to: "ball")
      try runtime.commit(transaction)
      runtime.advance()
    }
    func acknowledge() {
      let update = WorkerUpdate(frame: runtime.frame.number + 1, commandsApplied: port.commandsSent(to: address))
      runtime.submit(.update(address, update))
      runtime.advance()
    }
    try commit(Intention("Mirror", [.init("property", .property("z")), .init("reads", .property("y"))]))
    acknowledge()
    #expect(!runtime.isActive && !runtime.wantsFrames(address))
    try commit(Intention("SpringTo", [.init("property", .property("y")), .init("destination", .number(3))]))
    #expect(runtime.wantsFrames(address))
    while runtime.wantsFrames, runtime.frame.number < 1000 { acknowledge() }
    #expect(runtime.state(of: "y", on: "ball")?.value == Lanes(3))
    #expect(!runtime.wantsFrames(address))

    // A worker that is given up receives nothing: the runtime must not wait for it.
    runtime.applyNow(.quarantined("reader", reason: "test"))
    try commit(Intention("SpringTo", [.init("property", .property("y")), .init("destination", .number(0))]))
    while runtime.wantsFrames, runtime.frame.number < 2000 { runtime.advance() }
    #expect(!runtime.isActive)
  }
}
