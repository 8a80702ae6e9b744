import MotionModel
import Testing

@testable import MotionCore

/// Commits that are refused because a runtime has used up its numbers, each of which is assigned only once.
struct PlacementTests {
  private func commit(_ intention: Intention, to target: TargetName, in runtime: Runtime) -> Refusal? {
    var transaction = Transaction()
    transaction.add(intention, to: target)
    do {
      try runtime.commit(transaction)
      return nil
    } catch { return error }
  }

  @Test func `plans are refused when the numbers of executors are used up`() throws {
    let runtime = Runtime()
    runtime.log.keeps = .endings
    runtime.plans.last.executor = .max - 1
    #expect(commit(.springTo("x", 1), to: "a", in: runtime) == nil)
    runtime.plans.last.executor = .max
    #expect(commit(.springTo("x", 1), to: "b", in: runtime)?.code == .limit)
    runtime.advance()
    #expect(runtime.log.takeEnded().map(\.outcome) == [.failed], "what was accepted before fails, and nothing traps")
  }

  @Test func `plans are refused when the numbers of properties are used up`() throws {
    let runtime = Runtime()
    runtime.movement.properties = PropertyTable(lastHandle: .max - UInt32(Limits.propertiesPerTarget))
    #expect(commit(.springTo("x", 1), to: "a", in: runtime) == nil)
    runtime.movement.properties = PropertyTable(lastHandle: .max - UInt32(Limits.propertiesPerTarget) + 1)
    #expect(commit(.springTo("x", 1), to: "b", in: runtime)?.code == .limit)
  }
}
