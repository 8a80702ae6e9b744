import MotionModel
import MotionStreams
import MotionTestKit
import Testing

@testable import MotionCore

/// Answers that are produced piece by piece, while frames run.
struct RuntimeInspectionTests {
  private static let queries: [Query] = [
    .targets, .properties(nil), .executors(nil), .intentions(nil), .tokens(nil), .graph(nil),
    .properties("t7"), .executors("t7"), .intentions("t7"), .tokens("t7"), .graph("t7"),
  ]

  /// Targets with a spring and an anchor each, some forgotten, some followers, some plans that failed.
  private func runtime(_ count: Int) throws -> Runtime {
    let runtime = Runtime(ratePerSecond: 100)
    try commit(to: runtime) { transaction in
      // They oscillate for ever.
      let swing = Intention.springTo("x", 1, .physical(tension: 342, friction: 0))
      for number in 0..<count { transaction.add(swing, to: try TargetName("t\(number)")) }
    }
    try commit(to: runtime) { transaction in
      for number in stride(from: count - 1, to: 0, by: -1) where number % 3 > 0 {
        let name = try TargetName("t\(number)")
        transaction.add(.anchoredSpring("y", [2]), named: "hold", to: name)
        if number % 5 == 1 {
          transaction.add(.attachWithSpring("z", to: PropertyReference("t0", "x")), to: name)
        }
        if number % 7 == 3 { transaction.forget(name) }
      }
    }
    return runtime
  }

  private func commit(to runtime: Runtime, _ fill: (inout Transaction) throws -> Void) throws {
    var transaction = Transaction()
    try fill(&transaction)
    try runtime.commit(transaction)
    runtime.advance()
  }

  private func pieces(
    _ query: Query, of runtime: Runtime, rows: Int, between: () throws -> Void = {}
  ) throws -> (answer: Answer, counts: [Int], frames: ClosedRange<UInt64>?) {
    let inspection = try #require(try RuntimeInspection(query, of: runtime))
    var (whole, counts) = (WholeAnswer(), [Int]())
    while !inspection.isFinished {
      let piece = inspection.advance(rows)
      counts.append(piece.count)
      whole.add(piece)
      try between()
    }
    return (whole.answer(to: query), counts, inspection.frames)
  }

  @Test(arguments: queries, [1, 7, 64])
  func `the slices of an answer add up to the whole if nothing changes`(query: Query, rows: Int) throws {
    let runtime = try runtime(60)
    let (answer, counts, _) = try pieces(query, of: runtime, rows: rows)
    #expect(try runtime.answer(query) == answer)
    // A target has at most about 20 rows here.
    if query.target == nil { #expect(counts.allSatisfy { $0 <= rows + 20 }) }
  }

  // Clauses: S11.20
  @Test(arguments: queries.prefix(6))
  func `a slice has a bounded number of rows, however many targets there are`(query: Query) throws {
    for count in [100, 3_000] {
      let (_, counts, _) = try pieces(query, of: try runtime(count), rows: 64)
      #expect(counts.allSatisfy { $0 <= 64 + 20 } && counts.reduce(0, +) >= (query == .tokens(nil) ? 0 : count / 2))
    }
  }

  // Clauses: S11.21
  @Test func `rows that exist throughout an answer are in it once, whatever changes meanwhile`() throws {
    for query in Self.queries.prefix(4) {
      let runtime = try runtime(300)
      var number = 0
      let (answer, _, frames) = try pieces(query, of: runtime, rows: 16) {
        try commit(to: runtime) { transaction in
          // Some targets are removed, some are added again under their name, and new ones are added; all of them odd.
          transaction.forget(try TargetName("t\(2 * number + 1)"))
          transaction.forget(try TargetName("t\(299 - 2 * number)"))
          transaction.add(.springTo("x", 3), to: try TargetName("t\(2 * number + 1)"))
          transaction.add(.springTo("x", 3), to: try TargetName("new\(number)"))
        }
        number += 1
      }
      let names: [TargetName] =
        switch answer {
        case .targets(let rows): rows.map(\.target)
        case .properties(let rows): rows.filter { $0.reference.property == "x" }.map(\.reference.target)
        case .executors(let rows): rows.map(\.key.target)
        case .intentions(let rows): rows.filter { $0.intention.type == "SpringTo" }.map(\.target)
        default: []
        }
      let stays = (0..<150).map { 2 * $0 }.filter { $0 % 3 == 0 || $0 % 7 != 3 }
      #expect(Set(names).count == names.count, "\(query)")
      let missing = stays.filter { number in !names.contains { $0.text == "t\(number)" } }
      #expect(missing == [], "\(query)")
      #expect(!names.contains { $0.text.hasPrefix("new") })
      let seen = try #require(frames)
      #expect(seen.lowerBound == 2 && seen.upperBound > 2)
    }
  }

  // Clauses: S11.20, S11.21
  @Test func `waiting transactions are listed in slices, and each that stays is listed once`() throws {
    let runtime = Runtime(ratePerSecond: 100)
    func wait(_ target: TargetName, until at: Double) throws {
      try runtime.commit(Transaction(log: [.forget(target)]), at: at)
    }
    // In no order of time, and many with the same time.
    for number in 0..<300 { try wait("t", until: Double(1 + (number * 7) % 50)) }
    #expect(try pieces(.waiting, of: runtime, rows: 7).answer == runtime.answer(.waiting))
    var (round, gone) = (0, Set<UInt64>())
    let (answer, counts, _) = try pieces(.waiting, of: runtime, rows: 16) {
      // The even ones stay; some of the others are withdrawn, new ones are added before, behind and between.
      let withdrawn = [UInt64(2 * round + 1), UInt64(299 - 2 * round)]
      runtime.applyNow(.withdraw(withdrawn))
      gone.formUnion(withdrawn)
      for at in [0.5, 25, 100] { try wait("new", until: at) }
      round += 1
    }
    guard case .waiting(let rows) = answer else { throw UnexpectedResult() }
    #expect(counts.allSatisfy { $0 <= 16 } && round > 15)
    let sequences = rows.map(\.sequence)
    #expect(Set(sequences).count == sequences.count)
    #expect(Set(1...300).subtracting(gone).isSubset(of: sequences))
    #expect(rows.allSatisfy { $0.summary == "forget t" })
    #expect(zip(rows, rows.dropFirst()).allSatisfy { ($0.at, $0.sequence) < ($1.at, $1.sequence) })
  }

  // Clauses: S11.20
  @Test func `transactions that become due between two slices do not shift the others`() throws {
    let runtime = Runtime(ratePerSecond: 100)
    for number in 0..<100 { try runtime.commit(Transaction(log: [.forget("t")]), at: 0.005 * Double(number + 3)) }
    let (answer, _, _) = try pieces(.waiting, of: runtime, rows: 8) { runtime.advance() }
    guard case .waiting(let rows) = answer else { throw UnexpectedResult() }
    #expect(rows.map(\.sequence) == Array(1...100), "each slice is ahead of what becomes due")
    #expect(runtime.counts.waiting < 100)
  }

  @Test func `each edge of a graph has its nodes, also if one was removed meanwhile`() throws {
    let runtime = try runtime(100)
    var number = 0
    let (answer, _, _) = try pieces(.graph(nil), of: runtime, rows: 8) {
      try commit(to: runtime) { $0.forget(try TargetName("t\(99 - number)")) }
      number += 1
    }
    guard case .graph(let graph) = answer else { throw UnexpectedResult() }
    #expect(RuntimeGraph(nodes: graph.nodes, edges: graph.edges) != nil)
    #expect(graph.nodes.count > 50 && graph.edges.contains { $0.kind == .reads })
  }

  @Test func `an unknown name is compared with a bounded number of targets`() throws {
    let runtime = try runtime(5_000)
    // The only similar name comes too late in the order of mention.
    try commit(to: runtime) { $0.add(.springTo("x", 1), to: "curtain") }
    #expect { try runtime.answer(.properties("curtian")) } throws: {
      ($0 as? Refusal)?.remedy == "Runtime.answer(.targets) lists the targets that exist."
    }
    #expect(runtime.plans.firstTargets(3) == ["t0", "t1", "t2"])
    #expect(runtime.places(for: .properties("t7")) == 2 && runtime.places(for: .graph("t7")) > 10_000)
  }
}
