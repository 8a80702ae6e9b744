import MotionCore
import MotionModel
import Testing

/// Many simultaneous ends must not make a frame late: plans that end and are removed together are spread over frames.
struct ManyArrivalsTests {
  /// More than twice as many as are reported in one frame.
  private static let batch = 2 * Runtime.arrivalsPerFrame + 500

  private static func transaction(_ plan: Intention) throws -> Transaction {
    Transaction(log: try (0..<batch).map { .add(plan, named: nil, to: try TargetName("t\($0)")) })
  }

  // Clauses: S8.33
  @Test func `plans that end together are reported in a bounded number per frame`() throws {
    let runtime = Runtime()
    runtime.log.keeps = .endings
    try runtime.commit(Self.transaction(.springTo("x", [1])))
    var (ended, frames): ([EndedIntention], [Int]) = ([], [])
    while runtime.wantsFrames {
      runtime.advance()
      let more = runtime.log.takeEnded()
      #expect(more.count <= Runtime.arrivalsPerFrame)
      if !more.isEmpty { frames.append(more.count) }
      ended += more
    }
    #expect(frames == [Runtime.arrivalsPerFrame, Runtime.arrivalsPerFrame, 500])
    #expect(ended.allSatisfy { $0.outcome == .completed } && Set(ended.map(\.identity)).count == Self.batch)
    #expect(ended.allSatisfy { runtime.state(of: PropertyReference($0.target, "x")) == PropertyState([1]) })
    // No plan is left over because nothing moved any more.
    #expect(runtime.counts.executors == 0 && runtime.counts.intentions == 0)
  }

  @Test func `a plan that is replaced before its end is reported has not completed`() throws {
    let runtime = Runtime()
    runtime.log.keeps = .endings
    try runtime.commit(Self.transaction(.springTo("x", [1])))
    while runtime.log.takeEnded().isEmpty { runtime.advance() }
    // All have arrived, and the last one has not been reported.
    let last = try TargetName("t\(Self.batch - 1)")
    let untold = try TargetName("t\(Self.batch - 2)")
    #expect(runtime.state(of: "x", on: last) == PropertyState([1]))
    var transaction = Transaction()
    transaction.add(.springTo("x", [2]), to: last)
    transaction.forget(untold)
    transaction.add(.springTo("x", [3]), to: untold)
    try runtime.commit(transaction)
    var outcomes: [TargetName: [Outcome]] = [:]
    while runtime.wantsFrames {
      runtime.advance()
      for end in runtime.log.takeEnded() { outcomes[end.target, default: []].append(end.outcome) }
    }
    #expect(runtime.state(of: "x", on: last) == PropertyState([2]))
    #expect(runtime.state(of: "x", on: untold) == PropertyState([3]))
    #expect(outcomes[last]?.last == .completed && outcomes[untold] == [.completed])
  }

  @Test func `a transaction checked in pieces gives the result of one check`() throws {
    let runtime = Runtime()
    runtime.log.keeps = .endings
    var transaction = try Self.transaction(.anchoredSpring("x", [0]))
    let check = try TransactionCheck(transaction, in: runtime)
    var pieces = 0
    while !check.isFinished {
      #expect(try check.advance(1_000) <= 1_000)
      // Frames and other transactions come between.
      runtime.advance()
      try runtime.commit(Transaction(log: [.forget("t0")]))
      pieces += 1
    }
    #expect(pieces == (Self.batch + 999) / 1_000 && runtime.counts.targets == 0)
    let receipt = try runtime.commit(check)
    runtime.advance()
    #expect(receipt.frame == runtime.frame.number && runtime.counts.intentions == Self.batch)

    transaction.add(Intention("Nothing"), to: "t")
    let wrong = try TransactionCheck(transaction, in: runtime)
    let refusal = #expect(throws: Refusal.self) { while !wrong.isFinished { try wrong.advance(1_000) } }
    #expect(refusal?.code == .unknownType && refusal?.operation == Self.batch)
  }
}
