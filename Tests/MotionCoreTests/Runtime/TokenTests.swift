import MotionCore
import MotionModel
import Testing

/// Tokens: pieces of remote execution, a set of names for each executor.
struct TokenTests {
  // Clauses: S12.2
  @Test func oneNameInTwoExecutorsIsTwoTokens() throws {
    let scene = try Scene()
    try scene.add(.grab(), to: "a")
    try scene.add(.grab(), to: "b")
    scene.advance()
    let (a, b) = (try #require(scene.stage.puppet("Hand", on: "a")), try #require(scene.stage.puppet("Hand", on: "b")))
    #expect(!scene.runtime.isActive)
    a.context.remoteExecutionWillStart("gesture")
    b.context.remoteExecutionWillStart("gesture")
    #expect(scene.runtime.counts.tokens == 2)
    a.context.remoteExecutionDidEnd("gesture")
    #expect(scene.runtime.isActive)
    b.context.remoteExecutionDidEnd("gesture")
    #expect(!scene.runtime.isActive)
  }

  // Clauses: S12.1, S12.2
  @Test func `each change of activity is reported once`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    _ = scene.trace.take()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionDidEnd("gesture")
    hand.context.remoteExecutionWillStart("gesture", moving: ["x"])
    hand.context.remoteExecutionWillStart("gesture", moving: ["x"])
    hand.context.remoteExecutionWillStart("other")
    hand.context.remoteExecutionDidEnd("gesture")
    hand.context.remoteExecutionDidEnd("gesture")
    hand.context.remoteExecutionDidEnd("other")
    #expect(
      scene.trace.take() == [
        "start gesture Hand on ball", "driver ball/x Hand on ball", "active", "start other Hand on ball",
        "end gesture Hand on ball", "driver ball/x none", "end other Hand on ball", "inactive",
      ])
  }

  // Clauses: S12.1
  @Test func aTokenKeepsTheRuntimeActiveWithoutAnyUpdate() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    hand.context.remoteExecutionWillStart("gesture")
    scene.advance(100)
    #expect(scene.runtime.isActive)
    #expect(hand.frames.count == 1, "it wanted no second frame")
  }

  // Clauses: S8.9
  @Test func forgettingATargetEndsItsTokens() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    try #require(scene.stage.puppet("Hand")).context.remoteExecutionWillStart("gesture", moving: ["x"])
    _ = scene.trace.take()
    try scene.forget()
    scene.advance()
    #expect(scene.trace.lines.contains("end gesture Hand on ball"))
    #expect(!scene.runtime.isActive)
    #expect(scene.runtime.counts == Status.Counts())
  }

  // Clauses: S12.3
  @Test func `an executor holds a limited number of tokens`() throws {
    let scene = try Scene()
    try scene.add(.grab())
    scene.advance()
    let hand = try #require(scene.stage.puppet("Hand"))
    for number in 0..<Limits.tokensPerExecutor + 3 {
      hand.context.remoteExecutionWillStart(try TokenName("t\(number)"))
    }
    #expect(scene.runtime.counts.tokens == Limits.tokensPerExecutor)
    #expect(scene.runtime.refusedTokens == 3)
  }
}
