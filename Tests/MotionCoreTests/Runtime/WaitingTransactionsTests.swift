import MotionModel
import Testing

@testable import MotionCore

/// Transactions with an `at`.
struct WaitingTransactionsTests {
  // Clauses: S11.5
  @Test func `waiting transactions are due in order of time, then of commit`() {
    var random = SplitMix(seed: TestSeed.value)
    var waiting = WaitingTransactions()
    var expected: [(Double, UInt64)] = []
    for sequence in 1...500 as ClosedRange<UInt64> {
      let at = Double(Int.random(in: 0..<100, using: &random))
      waiting.insert(.init(at: at, sequence: sequence, transaction: Transaction()))
      expected.append((at, sequence))
    }
    expected.sort { $0 < $1 }
    var taken: [(Double, UInt64)] = []
    for time in stride(from: 0.0, through: 105, by: 7) {
      #expect(waiting.earliest == expected.dropFirst(taken.count).first?.0)
      taken += waiting.take(dueAt: time).map { ($0.at, $0.sequence) }
      #expect(taken.allSatisfy { $0.0 <= time })
      #expect(waiting.count == 500 - taken.count)
    }
    #expect(taken.map(\.1) == expected.map(\.1), "seed \(TestSeed.value)")
    #expect(waiting.earliest == nil)
  }

  @Test func `withdrawn transactions are never due`() {
    var waiting = WaitingTransactions()
    for sequence in 1...6 as ClosedRange<UInt64> {
      waiting.insert(.init(at: Double(sequence), sequence: sequence, transaction: Transaction()))
    }
    #expect(waiting.take(dueAt: 2).map(\.sequence) == [1, 2])
    waiting.withdraw([3, 5, 99])
    #expect(waiting.count == 2)
    #expect(waiting.take(dueAt: 9).map(\.sequence) == [4, 6])
  }

  // Clauses: S11.5
  @Test func aTransactionIsAppliedWithTheFirstFrameAtItsTime() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "ball")
    let receipt = try scene.runtime.commit(transaction, at: 0.055)
    #expect(receipt == Receipt(sequence: 1, at: 0.055))
    #expect(!scene.runtime.isActive, "an idle runtime waits with a timer, not with frames")
    #expect(scene.runtime.nextDueTime == 0.055)
    scene.advance(5)
    #expect(scene.runtime.counts.intentions == 0)
    scene.advance()
    #expect(scene.runtime.counts.intentions == 1)
    #expect(scene.runtime.nextDueTime == nil)
    #expect(try scene.runtime.commit(transaction, at: 0.01).frame == 7, "the past is now")
  }

  // Clauses: S11.16
  @Test func `a transaction that waited is applied before one just committed`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.stay(), to: "ball")
    try scene.runtime.commit(transaction, at: 0.02)
    try scene.runtime.commit(transaction, at: 0.015)
    scene.advance()
    try scene.runtime.commit(transaction)
    scene.advance()
    #expect(scene.trace.lines.filter { $0.hasPrefix("commit") } == ["commit 2", "commit 1", "commit 3"])
  }

  // Clauses: S11.6
  @Test(arguments: [Double.nan, .infinity, 1e300, -1e300]) func `invalid times are refused`(_ at: Double) throws {
    let scene = try Scene()
    #expect { try scene.runtime.commit(Transaction(), at: at) } throws: { ($0 as? Refusal)?.field == "at" }
  }

  // Clauses: S11.6
  @Test func `the number of waiting transactions is limited`() throws {
    let runtime = Runtime()
    for index in 0..<Limits.waitingTransactions { try runtime.commit(Transaction(), at: Double(index + 1)) }
    #expect { try runtime.commit(Transaction(), at: 1) } throws: { ($0 as? Refusal)?.code == .limit }
    #expect(throws: Never.self) { try runtime.commit(Transaction()) }
  }

  // Clauses: S8.42
  @Test func `a limited number of operations is due in one tenth of a second`() throws {
    let runtime = Runtime()
    func stays(_ count: Int) -> Transaction {
      Transaction(log: Array(repeating: .forget("ball"), count: count))
    }
    try runtime.commit(stays(60_000), at: 10)
    let error = #expect(throws: Refusal.self) { try runtime.commit(stays(40_001), at: 10.09) }
    #expect(error?.code == .limit && error?.field == "at")
    #expect(error?.description.contains("60000") == true && error?.description.contains("100000") == true)
    try runtime.commit(stays(40_000), at: 10.09)
    #expect(throws: Refusal.self) { try runtime.commit(stays(1), at: 10) }
    // Nothing of this concerns the tenths beside it, nor what takes effect at once.
    for time in [9.99, 10.1, Limits.durationSeconds] { try runtime.commit(stays(100_000), at: time) }
    try runtime.commit(stays(100_000))
    // Those that are withdrawn, or whose time has come, make room.
    runtime.applyNow(.withdraw([2]))
    try runtime.commit(stays(40_000), at: 10)
    while runtime.frame.time < 10.1 { runtime.advance(by: 1) }
    try runtime.commit(stays(100_000), at: 12)
    runtime.applyNow(.stop([]))
    try runtime.commit(stays(100_000), at: 12)
  }
}
