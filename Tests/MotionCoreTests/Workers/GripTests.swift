import MotionCore
import MotionModel
import Testing

/// Hands in workers, which see a property a little later than its present state.
struct GripTests {
  @Test func `a manipulation holds the property where it started, and is idle after its end`() throws {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    try scene.add(.springTo("position", [1000, 0]))
    try scene.add(.draggable())
    scene.advance(10)
    let executor = ExecutorHandle(2)
    // Sends the place where the property was in the last frame that the hand saw; by now the property is elsewhere.
    func say(_ x: Double) throws {
      try hand.write(executor.rawValue, at: [x, 0], velocity: [0, 0], imposing: [.value, .velocity])
      hand.send()
      scene.advance()
    }
    hand.say(.started(executor, "drag", moving: ["position"], from: [[3, 0]]))
    hand.say(.activity(executor, true))
    try say(3)
    let taken = try #require(scene.runtime.state(of: "position", on: "ball"))
    #expect(taken.velocity == [0, 0])
    #expect(taken.value[0] > 20, "the spring took it there meanwhile")
    for step in 1...30 {
      try say(3 + Double(step))
      let now = try #require(scene.runtime.state(of: "position", on: "ball"))
      #expect(now.velocity == [0, 0], "the hand's, and nothing that fades")
      #expect(abs(now.value[0] - taken.value[0] - Double(step)) < 1e-9)
    }
    hand.say(.activity(executor, false))
    hand.say(.ended(executor, "drag"))
    try say(33)
    #expect(abs(place(in: scene) - taken.value[0] - 30) < 1e-9)
    scene.runtime.advanceUntilRest()
    #expect(!scene.runtime.isActive)
    #expect(abs(place(in: scene) - taken.value[0] - 30) < 1e-9, "let go")

    // Grabbed once more: again from the property's present place.
    hand.say(.started(executor, "drag", moving: ["position"], from: [[500, 0]]))
    try say(500)
    #expect(abs(place(in: scene) - taken.value[0] - 30) < 1e-9)
  }

  @Test func `two whole gestures that arrive in one frame both move their property`() throws {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    for target in ["ball", "lamp"] as [TargetName] { try scene.add(.draggable(), to: target) }
    scene.advance()
    for (executor, target) in zip([1, 2] as [UInt32], ["ball", "lamp"] as [TargetName]) {
      let handle = ExecutorHandle(executor)
      hand.say(.started(handle, "drag", moving: ["position"], from: [[0, 0]]))
      try hand.write(executor, at: [Double(executor), 7], velocity: [0, 0], on: target)
      hand.say(.ended(handle, "drag"))
      hand.send()
    }
    scene.advance()
    #expect(scene.runtime.state(of: "position", on: "ball")?.value == [1, 7])
    #expect(scene.runtime.state(of: "position", on: "lamp")?.value == [2, 7])
  }

  @Test func `a gesture whose start and end arrive separately moves its property`() throws {
    let scene = try Scene()
    let hand = scene.worker("gesture")
    for target in ["ball", "lamp"] as [TargetName] { try scene.add(.draggable(), to: target) }
    scene.advance()
    hand.say(.started(ExecutorHandle(1), "drag", moving: ["position"], from: [[0, 0]]))
    try hand.write(1, at: [1, 7], velocity: [0, 0])
    hand.say(.ended(ExecutorHandle(1), "drag"))
    hand.send()
    hand.say(.started(ExecutorHandle(2), "drag", moving: ["position"], from: [[0, 0]]))
    hand.send()
    try hand.write(2, at: [2, 7], velocity: [0, 0], on: "lamp")
    hand.say(.ended(ExecutorHandle(2), "drag"))
    hand.send()
    scene.advance()
    #expect(scene.runtime.state(of: "position", on: "ball")?.value == [1, 7])
    #expect(scene.runtime.state(of: "position", on: "lamp")?.value == [2, 7])
  }

  private func place(in scene: Scene) -> Double { scene.runtime.state(of: "position", on: "ball")?.value[0] ?? .nan }
}
