import MotionModel
import MotionPhysics
import Testing

@testable import MotionCore

/// Rows that are staged before their frame are not visible anywhere, and give the same bits.
struct StagingTests {
  // Clauses: S8.34, S11.8, S10.28
  @Test(arguments: [false, true]) func `a staged transaction gives the same bits, also with priorities`(
    isRanking: Bool
  ) throws {
    let seed = TestSeed.value
    var waiting = 0
    var (rows, transactions) = (0, 0)
    // The number of staged rows varies with the seed, so seeds are added until enough were staged.
    for turn in 0..<16 where turn < (isRanking ? 2 : 4) || rows <= 100 || transactions <= 10 {
      let seed = seed &+ UInt64(turn)
      let chaos = try StagedChaos(seed: seed, ranking: isRanking)
      for _ in 0..<120 {
        try chaos.happen()
        let (staged, plain) = try chaos.advance()
        try #require(staged.lines == plain.lines, "seed \(seed), frame \(chaos.runtime.frame.number)")
        try #require(staged == plain, "seed \(seed), frame \(chaos.runtime.frame.number)")
        waiting += chaos.waitingStandingPlans
      }
      rows += chaos.stagedRows
      transactions += chaos.stagedTransactions
    }
    #expect(rows > 100 && transactions > 10, "seed \(seed): hardly anything was staged: \(rows) in \(transactions)")
    // Without priorities no standing plan waits for another.
    #expect(isRanking ? waiting > 10 : waiting == 0)
  }

  private static func springs(_ count: Int, on prefix: String = "t") throws -> Transaction {
    Transaction(
      log: try (0..<count).map { .add(.springTo("x", [1]), named: nil, to: try TargetName("\(prefix)\($0)")) })
  }

  private static func rows(of check: TransactionCheck) -> Int { check.staged?.rows.count { !$0.isDropped } ?? 0 }

  // Clauses: S8.34
  @Test func `a staged transaction is not visible before its frame`() throws {
    let runtime = Runtime()
    runtime.computesHashes = true
    runtime.log.keeps = .remains
    let count = Runtime.fewestStaged
    let check = try TransactionCheck(Self.springs(count), in: runtime, staging: true)
    let empty = runtime.counts
    while !check.isFinished {
      try check.advance(100)
      runtime.advance()
      #expect(runtime.counts == empty && !runtime.isActive && runtime.movement.bank.count == 0)
      #expect(Array(runtime.allProperties.map(\.handle)).isEmpty && Array(runtime.changes.map(\.handle)).isEmpty)
      #expect(try runtime.answer(.targets) == .targets([]) && runtime.state(of: "x", on: "t0") == nil)
      #expect(throws: Refusal.self) { try runtime.answer(.properties("t0")) }
    }
    #expect(Self.rows(of: check) == count)
    let receipt = try runtime.commit(check)
    var waiting = empty
    waiting.waiting = 1
    #expect(runtime.counts == waiting && runtime.isActive && receipt.frame == runtime.frame.number + 1)
    runtime.advance()
    #expect(runtime.counts.intentions == count && runtime.movement.bank.movingCount == count)
    #expect(Array(runtime.changes.map(\.handle)).count == count)
    #expect(runtime.log.take().flatMap(\.remains).count == 1)
    _ = try runtime.commit(Self.springs(count))
    runtime.advance()
    runtime.advance()
    #expect(runtime.log.take().flatMap(\.remains).isEmpty, "the next frame releases what no reader took")
  }

  @Test func `an abandoned staging leaves nothing behind`() throws {
    let runtime = Runtime()
    for _ in 0..<3 {
      var transaction = try Self.springs(2 * Runtime.fewestStaged)
      transaction.add(Intention("Nothing"), to: "t")
      let check = try TransactionCheck(transaction, in: runtime, staging: true)
      #expect(throws: Refusal.self) { while !check.isFinished { try check.advance(100) } }
    }
    // The next transaction reuses their rows.
    try runtime.commit(Self.springs(2 * Runtime.fewestStaged))
    runtime.advance()
    #expect(runtime.columns.rows.count == 2 * Runtime.fewestStaged)
    #expect(runtime.movement.bank.count == 2 * Runtime.fewestStaged)
  }

  @Test func `a commit during staging is taken into account`() throws {
    let runtime = Runtime()
    let check = try TransactionCheck(Self.springs(Runtime.fewestStaged), in: runtime, staging: true)
    try check.advance(Runtime.fewestStaged)
    var other = Transaction()
    other.add(.anchoredSpring("x", [5]), to: "t7")
    try runtime.commit(other)
    runtime.advance()
    // Another transaction has created one of its targets.
    #expect(Self.rows(of: check) == Runtime.fewestStaged - 1)
    let sequence = try runtime.commit(check).sequence
    runtime.advance()
    #expect(sequence == 2 && runtime.counts.targets == Runtime.fewestStaged)
    #expect(runtime.plans.intentions[IntentionIdentity(sequence: 2, operation: 7)]?.target.name == "t7")
    #expect(Set(runtime.plans.executors.values.map(\.handle)).count == Runtime.fewestStaged)
  }

  @Test func `a limited number of operations is staged at a time`() throws {
    let runtime = Runtime()
    let large = Limits.operationsPerTransaction
    let checks = try (0..<3).map { _ in try TransactionCheck(Self.springs(large), in: runtime, staging: true) }
    #expect(checks.map { $0.staged != nil } == [true, true, false])
    #expect(try TransactionCheck(Self.springs(Runtime.fewestStaged - 1), in: Runtime(), staging: true).staged == nil)
    #expect(try TransactionCheck(Self.springs(large), in: Runtime()).staged == nil)
  }

  // Clauses: S11.7
  @Test func `a stop ends staged transactions committed before it`() throws {
    let runtime = Runtime()
    let check = try TransactionCheck(Self.springs(Runtime.fewestStaged), in: runtime, staging: true)
    try check.advance(Runtime.fewestStaged)
    let later = try TransactionCheck(Self.springs(Runtime.fewestStaged, on: "later"), in: runtime, staging: true)
    try later.advance(Runtime.fewestStaged)
    _ = try runtime.commit(check)
    runtime.applyNow(.stop([]))
    #expect(runtime.counts.intentions == 0 && runtime.counts.targets == Runtime.fewestStaged)
    // A transaction that is only being checked is not yet committed.
    _ = try runtime.commit(later)
    runtime.advance()
    #expect(runtime.counts.intentions == Runtime.fewestStaged)
  }
}
