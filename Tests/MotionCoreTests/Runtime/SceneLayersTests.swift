import MotionExecutors
import MotionModel
import Testing

@testable import MotionCore

/// The order of the standing plans of a property in scenes and recalls. Tweens run in the process.
struct SceneLayersTests {
  private static let plans: [Intention] = [
    .tween("level", values: [0, 1, 0], duration: .seconds(2), repetition: .forever),
    .wave("level", rate: 0.5, offset: 0.5, amplitude: 0.2), .anchoredSpring("level", 0.7),
    .wave("level", rate: 2, offset: 0.5, amplitude: 0.1).priority(1),
  ]

  private static let orders = [
    [0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1], [0, 1, 2], [2, 1, 0], [1, 0, 2], [3, 0, 1], [0, 3],
  ]

  private let runtime: Runtime

  init() throws {
    var registry = ExecutorRegistry()
    try registry.register(ExecutorDeclaration(TweenExecutor.self))
    runtime = Runtime(registry: registry, ratePerSecond: 100)
  }

  private func commit(_ change: (inout Transaction) -> Void) throws {
    var transaction = Transaction()
    change(&transaction)
    try runtime.commit(transaction)
    runtime.advance()
  }

  private func names() throws -> [IntentionName?] {
    guard case .intentions(let rows)? = try runtime.answer(.intentions("lamp")) else { return [] }
    return rows.filter { $0.kind == .standing }.map(\.name)
  }

  private func driver() throws -> ExecutorType? {
    guard case .properties(let rows)? = try runtime.answer(.properties("lamp")) else { return nil }
    return rows.first?.driver
  }

  // Clauses: S22.3
  @Test(arguments: [SceneRecall.Transition.spring, .fade(0.3), .fade(0)], orders)
  func `after a recall the plans of a property lie above each other as they did`(
    transition: SceneRecall.Transition, order: [Int]
  ) throws {
    for plan in order { try commit { $0.add(Self.plans[plan], named: .plan(plan), to: "lamp") } }
    try commit { $0.saveScene("s", of: "lamp") }
    let (saved, drove) = (try names(), try driver())
    #expect(saved == order.map { .plan($0) } && drove != nil)
    for removed in 0..<1 << order.count {
      for (index, plan) in order.enumerated() where removed >> index & 1 == 1 {
        try commit { $0.remove(named: .plan(plan), from: "lamp") }
      }
      try commit { $0.recall(SceneRecall("s", transition)) }
      let (names, before) = (try names(), runtime.state(of: "level", on: "lamp"))
      #expect(names.count == order.count, "removed \(removed)")
      var last = try #require(before?.value[0])
      for _ in 0..<500 {
        runtime.advance()
        let value = try #require(runtime.state(of: "level", on: "lamp")?.value[0])
        // A wave of this rate has at most 1.3 a second, a fade of 0 s in a frame is a step.
        if transition != .fade(0) { #expect(abs(value - last) < 0.1, "removed \(removed): \(last) to \(value)") }
        last = value
      }
      #expect(try self.names() == saved && driver() == drove, "removed \(removed)")
      // A recall finds nothing to do then.
      var again = Transaction()
      again.recall(SceneRecall("s"))
      try runtime.commit(again)
      #expect(runtime.pendingCommits.first?.transaction.log == [], "removed \(removed)")
      runtime.advance()
    }
  }
}

extension IntentionName {
  fileprivate static func plan(_ number: Int) -> IntentionName {
    do { return try IntentionName("plan\(number)") } catch { preconditionFailure("\(error)") }
  }
}
