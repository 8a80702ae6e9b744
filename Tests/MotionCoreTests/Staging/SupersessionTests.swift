import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Plans of one large transaction that displace each other before they begin.
struct SupersessionTests {
  private func runtime(_ targets: Int, fewest: Int = 100, port: FakePort? = nil) throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(.tween())
    try registry.register(.gesture)
    let runtime = Runtime(registry: registry, ratePerSecond: 100)
    runtime.workerPort = port
    runtime.submit(.provisioned(WorkerAddress("tween", 0)))
    runtime.submit(.provisioned(WorkerAddress("gesture", 0)))
    runtime.log.keeps = .endings
    runtime.staging.fewest = fewest
    runtime.computesHashes = true
    try commit(
      try (0..<targets).map { .add(.springTo("x", [1000]), named: nil, to: try TargetName("t\($0)")) }, to: runtime)
    for _ in 0..<5 { runtime.advance() }
    _ = runtime.log.takeEnded()
    return runtime
  }

  private func commit(_ log: [Transaction.Operation], to runtime: Runtime, inPieces: Bool = false) throws {
    let check = try TransactionCheck(Transaction(log: log), in: runtime, staging: inPieces)
    while !check.isFinished { try check.advance(7) }
    _ = try runtime.commit(check)
    runtime.advance()
  }

  private func springs(_ count: Int, onto targets: Int) throws -> [Transaction.Operation] {
    try (0..<count).map { .add(.springTo("x", [Double($0)]), named: nil, to: try TargetName("t\($0 % targets)")) }
  }

  // Clauses: S8.36
  @Test(arguments: [true, false])
  func `only the last of many plans for a property begins`(
    inPieces: Bool
  ) throws {
    let runtime = try runtime(50)
    let log = TraceLog(runtime)
    try commit(springs(10_000, onto: 50), to: runtime, inPieces: inPieces)
    #expect(log.take().count { $0.hasPrefix("add ") } == 50)
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { throw UnexpectedResult() }
    #expect(rows.map(\.identity.operation) == (9_950..<10_000).map { UInt32($0) })
    // The others are reported in the next frames, each once, in order, with the frame in which they ended.
    var ended: [EndedIntention] = []
    var most = 0
    for _ in 0..<4 {
      let now = log.takeEnded()
      most = max(most, now.count)
      ended += now
      runtime.advance()
    }
    let superseded = ended.filter { $0.identity.sequence == 2 }
    #expect(superseded.map(\.identity.operation) == (0..<9_950).map { UInt32($0) })
    #expect(superseded.allSatisfy { $0.outcome == .displaced && $0.frame == 7 })
    #expect(ended.count { $0.identity.sequence == 1 } == 50 && most <= Runtime.arrivalsPerFrame + 50)
  }

  // Clauses: S8.36
  @Test(arguments: 1...UInt64(SeededRandom.rounds(40)))
  func `motion has the same bits as if each plan had begun`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let ports = (FakePort(), FakePort())
    let (short, long) = (try runtime(20, port: ports.0), try runtime(20, fewest: .max, port: ports.1))
    for _ in 0..<5 {
      let log = try (0..<200).map { _ -> Transaction.Operation in
        // Some targets do not exist yet.
        let target = try TargetName("t\(Int.random(in: 0..<25, using: &random))")
        let place = Double.random(in: -100...100, using: &random)
        let name: IntentionName = Bool.random(using: &random) ? "n" : "m"
        return switch Int.random(in: 0..<90, using: &random) {
        case 0: .forget(target)
        case 1: .add(.springTo("x", [place]), named: "n", to: target)
        case 2: .remove(named: "n", from: target)
        case 16...25: .add(.anchoredSpring("x", [place]), named: Bool.random(using: &random) ? "n" : "m", to: target)
        case 26...30: .add(.springTo("x", [place]), named: Bool.random(using: &random) ? "n" : "m", to: target)
        case 31...33: .add(.anchoredSpring("y", [place]), named: "n", to: target)
        case 3: .add(.springTo("x", [place], initialVelocity: [place]), named: nil, to: target)
        case 4: .add(.friction("x", coefficient: 1), named: nil, to: target)
        case 5...15: .add(.springTo("position", [place, place]), named: nil, to: target)
        case 60...67: .add(.tossable("x", destination: [place]), named: name, to: target)
        case 68: .add(.tossable("x", destination: [place]), named: nil, to: target)
        case 69...73: .add(.directlyManipulable(), named: name, to: target)
        case 74: .add(.draggable("x"), named: name, to: target)
        case 75...79:
          .add(
            .tween("x", to: [place], duration: .seconds(1)), named: Bool.random(using: &random) ? name : nil, to: target
          )
        case 80...83: .add(.fadeIn(duration: .seconds(1)), named: Bool.random(using: &random) ? name : nil, to: target)
        default: .add(.springTo("x", [place]), named: nil, to: target)
        }
      }
      try commit(log, to: short, inPieces: Bool.random(using: &random))
      try commit(log, to: long)
      for _ in 0..<20 {
        #expect(short.frameHash == long.frameHash)
        short.advance()
        long.advance()
      }
      #expect(try short.answer(.intentions(nil)) == long.answer(.intentions(nil)))
      let ended = [short, long].map { Set($0.log.takeEnded().map(\.identity)) }
      #expect(ended[0] == ended[1])
      #expect(ports.0.plansLeft == ports.1.plansLeft, "the workers hold the same plans")
    }
    #expect(ports.0.commands.values.joined().count <= ports.1.commands.values.joined().count)
  }

  // Clauses: S8.36
  @Test(arguments: [true, false], [50, 0])
  func `only the last of many plans of one name begins, also on new targets`(
    inPieces: Bool, existing: Int
  ) throws {
    let runtime = try runtime(existing)
    let log = TraceLog(runtime)
    let springs = try (0..<10_000).map { index -> Transaction.Operation in
      .add(
        .anchoredSpring("x", [Double(index)]), named: index / 50 % 2 == 0 ? "even" : "odd",
        to: try TargetName("t\(index % 50)"))
    }
    try commit(springs, to: runtime, inPieces: inPieces)
    // The first plan of a property creates it, and its executor.
    #expect(log.take().count { $0.hasPrefix("add named") || $0.hasPrefix("add ") } == (existing > 0 ? 100 : 150))
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { throw UnexpectedResult() }
    let last = rows.filter { $0.identity.sequence == runtime.plans.last.sequence }
    #expect(last.map(\.identity.operation) == (9_900..<10_000).map { UInt32($0) })
    #expect(!log.takeEnded().contains { $0.identity.sequence == runtime.plans.last.sequence })
  }

  // Clauses: S8.36
  @Test(arguments: [true, false], [50, 0])
  func `of many compositions of one name only the last begins, and workers receive no other`(
    inPieces: Bool, existing: Int
  ) throws {
    let port = FakePort()
    let runtime = try runtime(existing, port: port)
    let log = try (0..<10_000).map { index -> Transaction.Operation in
      .add(
        .tossable("x", destination: [Double(index)]), named: index / 500 % 2 == 0 ? "even" : "odd",
        to: try TargetName("t\(index % 50)"))
    }
    try commit(log, to: runtime, inPieces: inPieces)
    // Of each target's 200, the first may create executors; then ten of one name follow each other, twenty times.
    let added = port.commands.values.joined().count { if case .add = $0 { true } else { false } }
    #expect((50 * 20...50 * 21).contains(added))
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { throw UnexpectedResult() }
    let last = rows.filter { $0.identity.sequence == runtime.plans.last.sequence && $0.name != nil }
    #expect(last.map(\.identity.operation) == (Array(9_450..<9_500) + Array(9_950..<10_000)).map { UInt32($0) })
    #expect(!runtime.log.takeEnded().contains { $0.identity.sequence == runtime.plans.last.sequence })
  }

  // Clauses: S8.43
  @Test func `a transaction that makes too many plans with those that its compositions emit is refused`() throws {
    let runtime = try runtime(0)
    let log = try (0...Limits.operationsPerTransaction / 3).map { index -> Transaction.Operation in
      .add(.tossable("x", destination: [0]), named: nil, to: try TargetName("t\(index)"))
    }
    let check = try TransactionCheck(Transaction(log: log), in: runtime, staging: true)
    let refusal = #expect(throws: Refusal.self) { try check.finish() }
    #expect(refusal?.operation == log.count - 1 && refusal?.code == .limit)
    try commit(Array(log.dropLast()), to: runtime)
    #expect(runtime.plans.intentions.count == (log.count - 1) * 3)
  }

  @Test func `a runtime is active until all displaced plans are reported, also after a stop`() throws {
    let runtime = try runtime(10)
    try commit(springs(10_000, onto: 10), to: runtime)
    runtime.applyNow(.stop([]))
    _ = runtime.log.takeEnded()
    var count = 0
    while runtime.isActive {
      runtime.advance()
      count += runtime.log.takeEnded().count
    }
    #expect(count == 9_990 - Runtime.arrivalsPerFrame)
    #expect(runtime.staging.superseded.isEmpty)
  }
}

extension FakePort {
  /// The plans that the workers hold after all commands, in the order in which they received them.
  fileprivate var plansLeft: [WorkerAddress: [String]] {
    commands.mapValues { commands in
      var left: [(executor: ExecutorHandle, identity: IntentionIdentity)] = []
      for command in commands {
        switch command {
        case .add(let executor, _, let plan): left.append((executor, plan.identity))
        case .remove(let executor, let identity): left.removeAll { $0 == (executor, identity) }
        case .removeExecutor(let executor): left.removeAll { $0.executor == executor }
        default: break
        }
      }
      return left.map { "\($0.executor.rawValue) \($0.identity)" }
    }
  }
}
