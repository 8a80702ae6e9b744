import MotionCore
import MotionModel
import MotionTestKit
import Testing

@testable import MotionExecutors

/// Plans that would send indirectly.
struct OSCEmissionTests {
  private func runtime(reachesOutside: Bool) throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(OSCExecutor.declaration { _ in })
    let description = IntentionDescription(
      type: "Show", kind: .standing, executor: "Show", fields: [], reachesOutside: reachesOutside, documentation: "")
    try registry.register(
      Composition.declaration(description) { _ in [.sendOSC(PropertyReference("ball", "x"))] })
    return Runtime(registry: registry, ratePerSecond: 60)
  }

  // Clauses: S16.18
  @Test(arguments: [true, false])
  func `only a type that declares it can emit a plan that reaches outside`(reachesOutside: Bool) throws {
    let runtime = try runtime(reachesOutside: reachesOutside)
    runtime.log.keeps = .endings
    var transaction = Transaction()
    transaction.add(Intention("Show"), to: "ball")
    try runtime.commit(transaction)
    for _ in 1...3 { runtime.advance() }
    let types = runtime.log.take().flatMap(\.ended).map { ($0.type, $0.outcome) }
    if reachesOutside {
      #expect(types.isEmpty)
    } else {
      #expect(types.map(\.0) == ["Show"] && types.map(\.1) == [.failed])
    }
  }
}
