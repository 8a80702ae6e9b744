import MotionCore
import MotionExecutors
import MotionModel
import MotionPhysics
import Testing

/// Plans whose fields are valid one by one but do not fit together are refused when they are committed, with operation,
/// field and remedy, and no operation of their transaction is applied.
struct PlanCheckTests {
  static let bad: [(TweenIntention, String)] = [
    (TweenIntention("x", values: [1], easing: ["bouncy"]), "easing"),
    (TweenIntention("x", values: [1], easing: ["cubic-bezier(2, 0, 0, 1)"]), "easing"),
    (TweenIntention("x", values: [1, 2, 3], easing: ["ease", "steps(0)"]), "easing"),
    (TweenIntention("x", values: [1, 2, 3], easing: ["ease", "ease", "ease"]), "easing"),
    (TweenIntention("x", values: [1, 2, 3], offsets: [0, 1]), "offsets"),
    (TweenIntention("x", values: [1, 2, 3], offsets: [0, 0.6, 0.5]), "offsets"),
    (TweenIntention("x", values: []), "values"),
  ]

  // Clauses: S13.6
  @Test(arguments: bad)
  func `a tween that no executor can fulfil is refused at commit`(_ tween: TweenIntention, _ field: String) throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    let runtime = Runtime(registry: registry)
    var transaction = Transaction()
    transaction.add(.springTo("y", 1), to: "ball")
    transaction.add(tween, to: "ball")
    let refusal = #expect(throws: Refusal.self) { try runtime.commit(transaction) }
    #expect(refusal?.operation == 1)
    #expect(refusal?.field == field)
    #expect(refusal?.remedy.isEmpty == false)
    #expect(runtime.counts == Status.Counts())
  }

  @Test func `the refusal of an easing names its place`() throws {
    let refusal = #expect(throws: Refusal.self) { try TimingFunction.named(by: ["ease", "steps(0.5)"]) }
    #expect(refusal?.message == "easing 2 of 2: column 7: 0.5 steps")
    #expect(refusal?.remedy.hasPrefix("Give a whole number") == true)
  }
}
