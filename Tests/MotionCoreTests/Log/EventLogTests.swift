import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// The log of a runtime: each entry once, in its frame, with its cause.
struct EventLogTests {
  private func changes(_ scene: Scene) -> [String] {
    scene.trace.takeChanges().compactMap { entry in
      switch entry.change {
      case .added(let identity, _, _): "added \(identity): \(entry.cause)"
      case .removed(let identity, _, _): "removed \(identity): \(entry.cause)"
      case .ended(let plan, _): "\(plan.outcome) \(plan.identity): \(entry.cause)"
      case .driver(let change): "driver \(change.driver.map { "\($0.identity)" } ?? "none"): \(entry.cause)"
      default: nil
      }
    }
  }

  // Clauses: S11.25
  @Test func `a change has the operation, the event or the frame that caused it`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 1), named: "a", to: "ball")
    transaction.add(.springTo("y", 1), to: "ball")
    try scene.runtime.commit(transaction)
    scene.advance()
    #expect(
      changes(scene) == [
        "added 1.0: transaction(sequence: 1, operation: Optional(0))",
        "added 1.1: transaction(sequence: 1, operation: Optional(1))",
        "driver 1.0: transaction(sequence: 1, operation: nil)", "driver 1.1: transaction(sequence: 1, operation: nil)",
      ])
    scene.runtime.advanceUntilRest()
    #expect(changes(scene) == ["completed 1.1: frame", "driver none: frame"])
    try scene.add(.anchoredSpring("x", 2), named: "a")
    scene.advance()
    #expect(
      changes(scene) == [
        "removed 1.0: transaction(sequence: 2, operation: Optional(0))",
        "added 2.0: transaction(sequence: 2, operation: Optional(0))",
        "driver 2.0: transaction(sequence: 2, operation: nil)",
      ])
    scene.runtime.applyNow(.stop([]))
    #expect(changes(scene) == ["removed 2.0: stop", "driver none: stop"])
  }

  // Clauses: S11.25
  @Test func `what an executor in this process does between frames has no event as its cause`() throws {
    let scene = try Scene()
    try scene.add(.show())
    scene.advance()
    _ = scene.trace.takeChanges()
    let player = try #require(scene.stage.puppet("Player"))
    player.context.finish(IntentionIdentity(sequence: 1, operation: 0))
    #expect(changes(scene) == ["completed 1.0: call", "driver none: call"])
  }

  // Clauses: S11.25
  @Test func `the events of workers and pointers are causes`() throws {
    let scene = try Scene()
    let worker = scene.worker("gesture")
    try scene.add(.draggable("x"))
    try scene.add(.grab(), to: "hand")
    scene.advance()
    _ = scene.trace.takeChanges()
    worker.say(.started(ExecutorHandle(1), "drag", moving: ["x"]))
    worker.send()
    let hand = try #require(scene.stage.puppet("Hand", on: "hand"))
    hand.onReceive = { hand.context.remoteExecutionWillStart("grip", moving: []) }
    try scene.runtime.submit(PointerInput("hand", from: "mouse", []))
    scene.advance()
    let tokens = scene.trace.takeChanges().filter { if case .tokenStarted = $0.change { true } else { false } }
    #expect(tokens.map(\.cause) == [.worker(worker.address), .input("hand")])
    scene.runtime.applyNow(.lost(worker.address))
    #expect(scene.trace.takeChanges().allSatisfy { $0.cause == .worker(worker.address) })
    scene.runtime.applyNow(.planQuarantined(IntentionIdentity(sequence: 1, operation: 0), reason: "it crashes"))
    #expect(scene.trace.takeChanges().first?.cause == .quarantine(IntentionIdentity(sequence: 1, operation: 0)))
  }

  // Clauses: S11.25
  @Test func `no bit of a frame depends on what the log keeps`() throws {
    let seed = TestSeed.value
    let (silent, logged) = (try Chaos(seed: seed), try Chaos(seed: seed))
    logged.runtime.log.keeps = .everything
    for chaos in [silent, logged] { chaos.runtime.computesHashes = true }
    for _ in 0..<300 {
      for chaos in [silent, logged] {
        try chaos.happen()
        chaos.runtime.advance()
      }
      try #require(silent.runtime.frameHash == logged.runtime.frameHash, "seed \(seed)")
    }
  }

  // Clauses: S11.25
  @Test func `a log keeps nothing unless a reader needs it`() throws {
    let runtime = Runtime(ratePerSecond: 100)
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "ball")
    try runtime.commit(transaction)
    runtime.advanceUntilRest()
    #expect(runtime.log.take().isEmpty)
    runtime.log.keeps = .endings
    transaction = Transaction()
    transaction.add(.springTo("x", 2), to: "ball")
    try runtime.commit(transaction)
    runtime.advance()
    #expect(runtime.log.take().isEmpty, "a frame in which nothing ended has no record")
    runtime.advanceUntilRest()
    let records = runtime.log.take()
    #expect(records.count == 1 && records[0].events.isEmpty)
    #expect(records[0].changes.map(\.cause) == [.frame] && records[0].ended.map(\.outcome) == [.completed])
    #expect(records[0].frame.number == records[0].ended[0].frame && !records[0].isBetweenFrames)
  }

  // Clauses: S11.25
  @Test func `a record has the events of its frame in order, with the client of a transaction`() throws {
    let runtime = Runtime(ratePerSecond: 100)
    (runtime.log.keeps, runtime.computesHashes) = ([.events, .plans], true)
    let provenance = Provenance(Committer(name: "client"), wallTime: 7, comment: "for a test")
    var transaction = Transaction()
    transaction.add(.springTo("x", 1), to: "ball")
    let check = try TransactionCheck(transaction, in: runtime)
    try check.finish()
    _ = runtime.apply(try runtime.accept(check, by: provenance))
    runtime.advance()
    runtime.applyNow(.stop([]))
    runtime.advance()
    let records = runtime.log.take()
    #expect(records.map(\.frame.number) == [1, 1, 2] && records.map(\.isBetweenFrames) == [false, true, false])
    #expect(records[0].events == [AppliedEvent(.commit(sequence: 1, transaction), by: provenance)])
    #expect(records[1].events == [AppliedEvent(.stop([]))] && records[1].changes.map(\.cause) == [.stop])
    #expect(records[2].events.isEmpty && records[2].hash == runtime.frameHash && records[1].hash == nil)
  }

  @Test func `a reader that takes nothing costs bounded memory, and finds the gap`() throws {
    let runtime = Runtime(ratePerSecond: 100)
    (runtime.log.keeps, runtime.log.limit) = (.events, 1000)
    for _ in 0...1000 { runtime.advance() }
    var records = runtime.log.take()
    #expect((500...1000).contains(records.count))
    #expect(records[0].isAfterGap && !records[1].isAfterGap)
    #expect(records.last?.frame.number == 1001)
    // The same within one record.
    for _ in 0...1000 { runtime.applyNow(.withdraw([])) }
    records = runtime.log.take()
    #expect(records.count == 1 && records[0].isAfterGap)
    #expect((500...1000).contains(records[0].events.count))
  }
}
