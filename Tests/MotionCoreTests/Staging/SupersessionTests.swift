import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Plans of one large transaction that displace each other before they begin.
struct SupersessionTests {
  private func runtime(_ targets: Int, fewest: Int = 100, isStaging: Bool = false) throws -> Runtime {
    let runtime = Runtime(ratePerSecond: 100)
    runtime.staging.fewest = fewest
    runtime.computesHashes = true
    try commit(
      try (0..<targets).map { .add(.springTo("x", [1000]), named: nil, to: try TargetName("t\($0)")) }, to: runtime)
    for _ in 0..<5 { runtime.advance() }
    _ = runtime.takeEnded()
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
    let log = TraceLog()
    runtime.tracers = [log]
    try commit(springs(10_000, onto: 50), to: runtime, inPieces: inPieces)
    #expect(log.take().count { $0.hasPrefix("add ") } == 50)
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { throw UnexpectedResult() }
    #expect(rows.map(\.identity.operation) == (9_950..<10_000).map { UInt32($0) })
    // The others are reported in the next frames, each once, in order, with the frame in which they ended.
    var ended: [EndedIntention] = []
    var most = 0
    for _ in 0..<4 {
      let now = runtime.takeEnded()
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
  @Test(arguments: 1...40)
  func `motion has the same bits as if each plan had begun`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let (short, long) = (try runtime(20), try runtime(20, fewest: .max))
    for _ in 0..<5 {
      let log = try (0..<200).map { _ -> Transaction.Operation in
        // Some targets do not exist yet.
        let target = try TargetName("t\(Int.random(in: 0..<25, using: &random))")
        let place = Double.random(in: -100...100, using: &random)
        return switch Int.random(in: 0..<60, using: &random) {
        case 0: .forget(target)
        case 1: .add(.springTo("x", [place]), named: "n", to: target)
        case 2: .remove(named: "n", from: target)
        case 16...25: .add(.anchoredSpring("x", [place]), named: Bool.random(using: &random) ? "n" : "m", to: target)
        case 26...30: .add(.springTo("x", [place]), named: Bool.random(using: &random) ? "n" : "m", to: target)
        case 31...33: .add(.anchoredSpring("y", [place]), named: "n", to: target)
        case 3: .add(.springTo("x", [place], initialVelocity: [place]), named: nil, to: target)
        case 4: .add(.friction("x", coefficient: 1), named: nil, to: target)
        case 5...15: .add(.springTo("position", [place, place]), named: nil, to: target)
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
      let ended = [short, long].map { Set($0.takeEnded().map(\.identity)) }
      #expect(ended[0] == ended[1])
    }
  }

  // Clauses: S8.36
  @Test(arguments: [true, false], [50, 0])
  func `only the last of many plans of one name begins, also on new targets`(
    inPieces: Bool, existing: Int
  ) throws {
    let runtime = try runtime(existing)
    let log = TraceLog()
    runtime.tracers = [log]
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
    #expect(!runtime.takeEnded().contains { $0.identity.sequence == runtime.plans.last.sequence })
  }

  @Test func `a runtime is active until all displaced plans are reported, also after a stop`() throws {
    let runtime = try runtime(10)
    try commit(springs(10_000, onto: 10), to: runtime)
    runtime.applyNow(.stop([]))
    _ = runtime.takeEnded()
    var count = 0
    while runtime.isActive {
      runtime.advance()
      count += runtime.takeEnded().count
    }
    #expect(count == 9_990 - Runtime.arrivalsPerFrame)
    #expect(runtime.staging.superseded.isEmpty)
  }
}
