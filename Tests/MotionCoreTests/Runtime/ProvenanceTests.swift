import MotionCore
import MotionModel
import Testing

@Suite struct ProvenanceTests {
  private static func provenance(_ name: String, at wallTime: Int64 = 1, _ comment: String = "") -> Provenance {
    Provenance(Committer(name: name, user: 1000, process: 4711), wallTime: wallTime, comment: comment)
  }

  private static func rows(_ runtime: Runtime) throws -> [IntentionRow] {
    guard case .intentions(let rows)? = try runtime.answer(.intentions(nil)) else { return [] }
    return rows
  }

  private static func waiting(_ runtime: Runtime) throws -> [WaitingRow] {
    guard case .waiting(let rows)? = try runtime.answer(.waiting) else { return [] }
    return rows
  }

  private static func commit(
    _ runtime: Runtime, _ operations: Transaction.Operation..., at: Double? = nil, by provenance: Provenance?
  ) throws -> UInt64 {
    runtime.apply(try runtime.accept(Transaction(log: operations), at: at, by: provenance)).sequence
  }

  // Clauses: S8.39
  @Test func `a plan keeps its provenance, also after a restart`() throws {
    let scene = try Scene()
    let (show, desk) = (Self.provenance("show", "act one"), Self.provenance("desk", at: 2))
    _ = try Self.commit(
      scene.runtime, .add(.stay(), named: nil, to: "ball"), .add(.stay(), named: "b", to: "lamp"), by: show)
    _ = try Self.commit(scene.runtime, .add(.stay(), named: nil, to: "arm"), by: desk)
    _ = try Self.commit(scene.runtime, .add(.stay(), named: nil, to: "old"), by: nil)
    _ = try Self.commit(scene.runtime, .add(.stay(), named: "cue", to: "ball"), at: 5, by: desk)
    scene.advance()
    let rows = try Self.rows(scene.runtime)
    #expect(rows.map(\.provenance) == [show, show, desk, nil])
    #expect(try Self.waiting(scene.runtime).map(\.provenance) == [desk])
    #expect(scene.runtime.counts.waiting == 1)

    let next = try Scene()
    next.runtime.restore(scene.runtime.checkpoint())
    #expect(try Self.rows(next.runtime).map(\.provenance) == [show, show, desk, nil])
    #expect(try Self.waiting(next.runtime) == (try Self.waiting(scene.runtime)))
    next.runtime.advance(by: 6)
    #expect(try Self.rows(next.runtime).last?.provenance == desk, "what waited is as its plans are")
  }

  // Clauses: S8.39
  @Test func `the plans of a large transaction have provenance`() throws {
    let scene = try Scene()
    let operations = (0..<2 * Runtime.fewestStaged).map {
      Transaction.Operation.add(.springTo("x", 1), named: nil, to: TargetName(stringLiteral: "t\($0)"))
    }
    let check = try TransactionCheck(Transaction(log: operations), in: scene.runtime, staging: true)
    while !check.isFinished { try check.advance(64) }
    scene.runtime.apply(try scene.runtime.accept(check, by: Self.provenance("show")))
    scene.advance()
    let rows = try Self.rows(scene.runtime)
    #expect(rows.count == operations.count && rows.allSatisfy { $0.provenance == Self.provenance("show") })
    let plans = scene.runtime.checkpoint().plans
    #expect(plans.allSatisfy { $0.provenance == Self.provenance("show") })
  }

  // Clauses: S8.39
  @Test func `provenance has no influence on frames`() throws {
    func hashes(_ provenance: (Int64) -> Provenance?) throws -> [UInt64] {
      let scene = try Scene()
      scene.runtime.computesHashes = true
      var hashes: [UInt64] = []
      for frame in 0..<50 {
        if frame % 10 == 0 {
          _ = try Self.commit(
            scene.runtime, .add(.springTo("x", Lanes(Double(frame))), named: nil, to: "ball"),
            by: provenance(Int64(frame)))
        }
        scene.advance()
        hashes.append(scene.runtime.frameHash)
      }
      return hashes
    }
    let without = try hashes { _ in nil }
    #expect(try hashes { Self.provenance("a", at: $0 * 1_000_003, "x") } == without)
  }

  // Clauses: S8.40
  @Test func aPlanWithoutANameIsRemovedByItsIdentity() throws {
    let scene = try Scene()
    let (one, two) = (try scene.add(.stay()), try scene.add(.stay(), named: "two"))
    scene.advance()
    func counts(_ operations: Transaction.Operation...) throws -> Receipt.Counts? {
      defer { scene.advance() }
      return try scene.runtime.commit(Transaction(log: operations)).counts
    }
    #expect(try counts(.removePlan(one, from: "lamp")) == Receipt.Counts(), "it is on another target")
    #expect(try counts(.removePlan(one, from: "ball")) == Receipt.Counts(removed: 1))
    #expect(try counts(.removePlan(one, from: "ball")) == Receipt.Counts())
    #expect(
      try counts(.removePlan(two, from: "ball"), .remove(named: "two", from: "ball")) == Receipt.Counts(removed: 1))
    #expect(try Self.rows(scene.runtime).isEmpty)
  }

  // Clauses: S8.41
  @Test func `the receipt counts the found plans`() throws {
    let scene = try Scene()
    try scene.add(.stay(), named: "a")
    scene.advance()
    func counts(_ operations: Transaction.Operation..., at: Double? = nil) throws -> Receipt.Counts? {
      try scene.runtime.commit(Transaction(log: operations), at: at).counts
    }
    let stay = Intention.stay()
    // None of these is applied before the next: an operation that waits for the next frame counts as applied.
    #expect(try counts(.remove(named: "b", from: "ball"), .forget("nosuch")) == Receipt.Counts())
    #expect(
      try counts(.remove(named: "a", from: "ball"), .remove(named: "a", from: "ball")) == Receipt.Counts(removed: 1))
    #expect(try counts(.remove(named: "a", from: "ball")) == Receipt.Counts())
    #expect(
      try counts(.add(stay, named: "a", to: "lamp"), .forget("lamp"), .forget("lamp"))
        == Receipt.Counts(added: 1, forgotten: 1))
    #expect(
      try counts(.add(stay, named: "c", to: "lamp"), .add(stay, named: nil, to: "lamp")) == Receipt.Counts(added: 2))
    #expect(try counts(.remove(named: "c", from: "lamp"), .forget("ball")) == Receipt.Counts(removed: 1, forgotten: 1))
    #expect(try counts(.remove(named: "c", from: "lamp"), at: 5) == nil, "nobody knows what there will be")
    #expect(try counts(.add(stay, named: nil, to: "lamp"), at: 5) == nil)
    for _ in 0..<100 { _ = try counts(.add(stay, named: "z", to: "z")) }
    #expect(try counts(.remove(named: "z", from: "z")) == nil, "too much waits for the next frame")
    #expect(try counts(.add(stay, named: nil, to: "z")) == Receipt.Counts(added: 1))
  }

  // Clauses: S8.41
  @Test func `the counts of the receipt are those of the frame`() throws {
    var random = SplitMix(seed: TestSeed.value)
    let (foreseen, played) = (try Scene(), try Scene())
    let names: [IntentionName] = ["a", "b", "c"]
    let targets: [TargetName] = ["p", "q"]
    for _ in 0..<300 {
      var log: [Transaction.Operation] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let (name, target) = (names.randomElement(using: &random) ?? "a", targets.randomElement(using: &random) ?? "p")
        let present = try Self.rows(foreseen.runtime).randomElement(using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: log.append(.forget(target))
        case 1: log.append(.remove(named: name, from: target))
        case 2 where present != nil:
          // Identities differ between the two, names and places do not.
          if let row = present, let name = row.name { log.append(.remove(named: name, from: row.target)) }
        default: log.append(.add(.stay(), named: name, to: target))
        }
      }
      let counts = try foreseen.runtime.commit(Transaction(log: log)).counts
      foreseen.advance()
      var found = Receipt.Counts()
      for operation in log {
        let before = played.runtime.counts
        try played.runtime.commit(Transaction(log: [operation]))
        played.advance()
        switch operation {
        case .add: found.added += 1
        case .remove, .removePlan: found.removed += before.intentions - played.runtime.counts.intentions
        case .limit, .group, .scene, .cues: break
        case .forget: found.forgotten += before.targets - played.runtime.counts.targets
        }
      }
      #expect(counts == found, "seed \(TestSeed.value)")
    }
  }
}
