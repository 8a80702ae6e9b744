import MotionCore
import MotionModel
import Testing

/// A runtime that is active and needs no frames: executors hold tokens, or plans are pending for absent workers.
struct FrameDemandTests {
  private let drag = ExecutorHandle(1)

  private func touch(_ phase: PointerEvent.Phase, at x: Double = 0) -> PointerInput {
    PointerInput("ball", from: "mouse", [PointerEvent(id: 1, phase, at: [x, 0], time: 0)])
  }

  /// A hand in a worker that holds the position and rests.
  private func restingHand(_ scene: Scene) throws -> FakeWorker {
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    scene.advance()
    worker.say(.started(drag, "drag", moving: ["x"]))
    worker.say(.activity(drag, true))
    try worker.write(1, 5, velocity: 9, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    worker.say(.activity(drag, false))
    try worker.write(1, 6, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    return worker
  }

  // Clauses: S12.6
  @Test func `a token keeps the runtime active without frames`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", 10))
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("gesture", moving: ["x"])
    hand.context.write("x", PropertyState(3), imposing: [.value, .velocity])
    #expect(scene.runtime.advanceUntilRest(limit: 100) < 100)
    #expect(scene.runtime.isActive && !scene.runtime.wantsFrames && scene.value() == 3)
    // Released between frames: the spring beneath continues.
    hand.context.remoteExecutionDidEnd("gesture")
    #expect(scene.runtime.wantsFrames)
    scene.runtime.advanceUntilRest()
    #expect(!scene.runtime.isActive && scene.value() == 10)
  }

  // Clauses: S12.6
  @Test func `a plan for a worker requests no frames until the worker is provisioned`() throws {
    let scene = try Scene()
    try scene.add(.tween("x", to: 10))
    #expect(scene.runtime.wantsFrames, "it is to be applied")
    scene.advance()
    #expect(scene.runtime.isActive && !scene.runtime.wantsFrames)
    let worker = scene.worker("tween")
    #expect(scene.runtime.wantsFrames && scene.runtime.wantsFrames(worker.address))
    scene.advance()
    worker.say(.activity(ExecutorHandle(1), true))
    try worker.write(1, 2, velocity: 50)
    worker.send()
    scene.advance()
    #expect(scene.runtime.wantsFrames)
    // The property that it moved slows to a rest; then no work is left until the worker returns.
    worker.lose()
    #expect(scene.runtime.wantsFrames && !scene.runtime.wantsFrames(worker.address))
    #expect(scene.runtime.isActive(worker.address))
    let frames = scene.runtime.advanceUntilRest()
    // Four frames, or as long as the remaining hand-over takes.
    #expect((4...20).contains(frames), "\(frames) frames")
    #expect(scene.runtime.isActive && scene.velocity() == 0)
    worker.provision()
    #expect(scene.runtime.wantsFrames(worker.address))
  }

  // Clauses: S12.6
  @Test func `a resting manipulation requests frames again with input, and is not late`() throws {
    let scene = try Scene()
    let worker = try restingHand(scene)
    #expect(scene.runtime.isActive && !scene.runtime.wantsFrames)
    #expect(scene.runtime.isActive(worker.address) && !scene.runtime.wantsFrames(worker.address))
    // Other executors need frames meanwhile, from which the worker is exempt.
    try scene.add(.springTo("x", 100), to: "lamp")
    scene.advance(20)
    try scene.runtime.submit(touch(.move, at: 8))
    scene.advance()
    #expect(scene.runtime.wantsFrames(worker.address))
    worker.say(.activity(drag, true))
    try worker.write(1, 8, velocity: 20, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    #expect(scene.value() == 8 && scene.velocity() == 20)
    #expect(scene.runtime.lateUpdates == 0 && scene.runtime.changes.allSatisfy { !$0.isLate })
    worker.say(.activity(drag, false))
    worker.say(.ended(drag, "drag"))
    try worker.write(1, 8, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    #expect(scene.value() == 8 && scene.velocity() == 0)
    scene.runtime.advanceUntilRest()
    #expect(!scene.runtime.isActive)
  }

  // Clauses: S12.6
  @Test func `a worker that requests updates is late only for the frames after its request`() throws {
    let scene = try Scene()
    let worker = try restingHand(scene)
    let last = scene.runtime.frame.number
    try scene.add(.springTo("x", 100), to: "lamp")
    scene.advance(20)
    worker.say(.activity(drag, true))
    worker.send(frame: last)
    scene.advance()
    #expect(scene.runtime.wantsFrames(worker.address))
    try worker.write(1, 7, velocity: 100, imposing: [.value, .velocity])
    worker.send()
    scene.advance()
    #expect(scene.value() == 7 && scene.velocity() == 100, "nothing is blended: it was not late")
    #expect(scene.runtime.lateUpdates == 0 && scene.runtime.changes.allSatisfy { !$0.isLate })
    // From now on it needs frames: a frame without a sample is late.
    scene.advance()
    #expect(scene.runtime.lateUpdates == 1)
  }

  // Clauses: S8.19, S12.6
  @Test func `idle executors are removed when no frame follows, although a token is held`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("gesture", moving: ["x"])
    try scene.add(.springTo("x", 100), to: "lamp")
    scene.runtime.advanceUntilRest()
    #expect(scene.runtime.isActive && scene.runtime.counts.executors == 1)
  }

  // Clauses: S11.8, S12.6
  @Test func `frames after a rest replay to the same bits`() throws {
    let scene = try Scene()
    scene.runtime.computesHashes = true
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    var recorded: [RecordedFrame] = []
    func frame(at time: Double) {
      scene.runtime.run(Frame(number: scene.runtime.frame.number + 1, time: time, dt: 0.01))
      recorded += scene.trace.takeFrames()
    }
    frame(at: 0.01)
    worker.say(.started(drag, "drag", moving: ["x"]))
    try worker.write(1, 5, imposing: [.value, .velocity])
    worker.send()
    frame(at: 0.02)
    #expect(!scene.runtime.wantsFrames)
    try scene.runtime.submit(touch(.move, at: 8))
    frame(at: 3600)
    worker.say(.ended(drag, "drag"))
    try worker.write(1, 9, velocity: 30, imposing: [.value, .velocity])
    worker.send()
    frame(at: 3600.01)
    try scene.add(.springTo("x", 0))
    for index in 2..<40 { frame(at: 3600 + Double(index) / 100) }
    let replayer = try Replayer(RecordingHeader(ratePerSecond: 100, plugins: [.tween(), .gesture]))
    #expect(try recorded.allSatisfy { try replayer.replay($0) == nil })
  }
}
