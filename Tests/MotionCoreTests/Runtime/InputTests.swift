import MotionCore
import MotionModel
import Testing

/// Pointer input that executors receive.
struct InputTests {
  private func input(
    _ phase: PointerEvent.Phase, at x: Double = 0, on target: TargetName = "ball", time: Double = 0
  ) -> PointerInput {
    PointerInput(target, from: "mouse", [PointerEvent(id: 1, phase, at: [x, 0], time: time)])
  }

  // Clauses: S11.10
  @Test func `executors with a manipulation on the target receive input in the next frame, in order`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    try scene.add(.stay("y"))
    try scene.add(.grab(), to: "lamp")
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    _ = hand.takeCalls()
    try scene.runtime.submit(input(.down, at: 3))
    let second = try scene.add(.grab("z"))
    try scene.runtime.submit(input(.move, at: 4))
    #expect(hand.takeCalls() == [])
    scene.advance()
    #expect(hand.takeCalls() == ["receive mouse down 3.0", "add \(second)", "receive mouse move 4.0"])
    #expect(scene.stage.puppet("Stayer")?.calls.contains { $0.hasPrefix("receive") } == false)
    #expect(scene.stage.puppet("Hand", on: "lamp")?.calls.contains { $0.hasPrefix("receive") } == false)
  }

  // Clauses: S11.10
  @Test func `input without a receiver leaves an idle runtime idle`() throws {
    let scene = try Scene()
    try scene.add(.stay())
    scene.advance(2)
    #expect(!scene.runtime.isActive)
    try scene.runtime.submit(input(.down))
    try scene.runtime.submit(input(.down, on: "nobody"))
    #expect(!scene.runtime.isActive)
    try scene.add(.grab())
    scene.advance(2)
    #expect(!scene.runtime.isActive)
    try scene.runtime.submit(input(.down))
    #expect(scene.runtime.isActive)
  }

  @Test func `input right after a commit reaches the committed plan`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    try scene.runtime.submit(input(.down, at: 1))
    scene.advance()
    #expect(scene.stage.puppet("Hand")?.calls == ["add 1.0", "receive mouse down 1.0"])
  }

  @Test func `input for a worker is sent to it, and frames run until it has answered`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable())
    scene.advance()
    worker.send()
    scene.advance(2)
    #expect(!scene.runtime.isActive)
    _ = scene.port.take(worker.address)
    try scene.runtime.submit(input(.down))
    scene.advance()
    #expect(scene.port.take(worker.address) == ["input 1 down over ball/position [0.0, 0.0]"])
    #expect(scene.runtime.wantsFrames(worker.address))
    worker.send()
    scene.advance()
    #expect(!scene.runtime.wantsFrames(worker.address))
  }

  @Test func `more input than may wait is refused and changes nothing`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    for _ in 0..<Limits.waitingInputs { try scene.runtime.submit(input(.move)) }
    let refusal = #expect(throws: Refusal.self) { try scene.runtime.submit(input(.move)) }
    #expect(refusal?.code == .limit)
    scene.advance()
    try scene.runtime.submit(input(.move))
    let heard = scene.stage.puppet("Hand")?.calls.count { $0.hasPrefix("receive") }
    #expect(heard == Limits.waitingInputs)
  }

  // Clauses: S11.10
  @Test func `input is recorded with its frame`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    _ = scene.trace.takeFrames()
    try scene.runtime.submit(input(.down, at: 3))
    scene.advance()
    #expect(scene.trace.takeFrames().map(\.events) == [[.input(input(.down, at: 3))]])
  }
}
