import MotionCore
import MotionModel
import MotionTestKit
import Testing

/// Transactions that are refused as a whole or applied as a whole, and the limits.
struct CommitTests {
  // Clauses: S8.10
  @Test func oneBadOperationOfAThousandChangesNothing() throws {
    let scene = try Scene()
    var transaction = Transaction()
    for index in 0..<1000 {
      let target = try TargetName("t\(index)")
      transaction.add(.springTo("x", Lanes(index == 500 ? Double.nan : 1)), to: target)
    }
    let refusal = #expect(throws: Refusal.self) { try scene.runtime.commit(transaction) }
    #expect(refusal?.operation == 500)
    #expect(refusal?.field == "destination")
    scene.advance()
    #expect(scene.runtime.counts == Status.Counts())
    #expect(!scene.runtime.isActive)
    #expect(try scene.runtime.commit(Transaction()).sequence == 1, "a refused transaction takes no number")
  }

  struct Bad: CustomTestStringConvertible, Sendable {
    var name: String
    var code: Refusal.Code
    var operation: Int
    var build: @Sendable (inout Transaction) -> Void
    var testDescription: String { name }
  }

  static let bad: [Bad] = [
    Bad(name: "unknown type", code: .unknownType, operation: 0) { $0.add(Intention("Sprong"), to: "a") },
    Bad(name: "unknown field", code: .unknownField, operation: 0) {
      $0.add(Intention("Show", [.init("speed", .number(1))]), to: "a")
    },
    Bad(name: "wrong lanes of a known property", code: .lanes, operation: 0) {
      $0.add(.springTo("position", 1), to: "a")
    },
    Bad(name: "other lanes than an earlier operation settled", code: .lanes, operation: 1) {
      $0.add(.springTo("x", [1, 2]), to: "a")
      $0.add(.springTo("x", 3), to: "a")
    },
    Bad(name: "lanes that an earlier operation settled without a value", code: .lanes, operation: 1) {
      $0.add(.friction("x", coefficient: 1), to: "a")
      $0.add(.springTo("x", [1, 2]), to: "a")
    },
    Bad(name: "values of unequal lanes", code: .lanes, operation: 0) {
      $0.add(Intention("Show", [.init("values", .list([.number(1), .vector([1, 2])]))]), to: "a")
    },
    Bad(name: "a name where none is taken", code: .unnamedOnly, operation: 0) {
      $0.add(Intention("Whim"), named: "w", to: "a")
    },
    Bad(name: "too many properties of a target", code: .limit, operation: Limits.propertiesPerTarget) {
      for index in 0...Limits.propertiesPerTarget {
        $0.add(.show((try? PropertyName("p\(index)")) ?? "x"), to: "a")
      }
    },
    Bad(name: "too many intentions of a target", code: .limit, operation: Limits.intentionsPerTarget) {
      for _ in 0...Limits.intentionsPerTarget { $0.add(.stay(), to: "a") }
    },
  ]

  // Clauses: S8.10
  @Test(arguments: bad) func `an invalid operation is refused with its place`(_ bad: Bad) throws {
    let scene = try Scene()
    var transaction = Transaction()
    bad.build(&transaction)
    let refusal = #expect(throws: Refusal.self) { try scene.runtime.commit(transaction) }
    #expect(refusal?.code == bad.code)
    #expect(refusal?.operation == bad.operation)
    scene.advance()
    #expect(scene.runtime.counts == Status.Counts())
  }

  @Test func tooManyOperationsAreRefused() throws {
    let scene = try Scene()
    let transaction = Transaction(
      log: Array(repeating: .remove(named: "n", from: "a"), count: Limits.operationsPerTransaction + 1))
    #expect { try scene.runtime.commit(transaction) } throws: { ($0 as? Refusal)?.code == .limit }
  }

  @Test func `plans that replace each other by name do not count towards the limit`() throws {
    let scene = try Scene()
    var transaction = Transaction()
    for _ in 0...2 * Limits.intentionsPerTarget { transaction.add(.stay(), named: "one", to: "a") }
    try scene.runtime.commit(transaction)
    scene.advance()
    #expect(scene.runtime.counts.intentions == 1)
  }

  // Clauses: S8.29
  @Test func `the properties of a forgotten target can have other lanes`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", [1, 2]))
    scene.advance()
    var transaction = Transaction()
    transaction.forget("ball")
    transaction.add(.springTo("x", 5), to: "ball")
    try scene.runtime.commit(transaction)
    scene.runtime.advanceUntilRest()
    #expect(scene.runtime.state(of: "x", on: "ball") == PropertyState(5))
  }

  // Clauses: S8.29
  @Test func `a plan that no longer matches the lanes of its property fails after the commit`() throws {
    let scene = try Scene()
    try scene.add(.springTo("x", [1, 2]))
    try scene.add(.springTo("x", 5))
    scene.advance()
    let ended = scene.trace.takeEnded()
    #expect(ended.map(\.outcome) == [.failed])
    #expect(ended.first?.reason.contains("x has 2 lanes, the value has 1") == true)
    guard case .intentions(let rows)? = try scene.runtime.answer(.intentions("ball")) else { throw UnexpectedResult() }
    #expect(rows.map(\.state) == [.added, .failed])
  }

  @Test func `a plan that cannot be added does not remove the plan of its name`() throws {
    let scene = try Scene()
    try scene.add(.anchoredSpring("x", [1, 2]), named: "s")
    try scene.add(.anchoredSpring("x", 5), named: "s")
    scene.runtime.advanceUntilRest()
    #expect(scene.runtime.state(of: "x", on: "ball") == PropertyState([1, 2]))
    #expect(scene.runtime.counts.intentions == 1)
  }

  // Clauses: S8.11
  @Test func `a plan that its executor refuses is reported as failed`() throws {
    let scene = try Scene()
    struct No: Error, CustomStringConvertible { var description: String { "not today" } }
    scene.stage.onAdd["Player"] = { _, _ in throw No() }
    try scene.add(.show())
    scene.advance()
    #expect(scene.trace.takeEnded().map(\.reason) == ["not today"])
    #expect(scene.trace.lines.contains("fail 1.0 Player on ball"))
    #expect(try scene.driver() == nil)
  }

  // Clauses: S8.11, S8.41
  @Test func `a failed plan is listed until it is removed, its name is another's or its target is forgotten`() throws {
    let scene = try Scene()
    scene.stage.onAdd["Player"] = { _, _ in throw Refusal(.value, "no") }
    func listed() -> [String] { scene.runtime.failures.map { "\($0.name?.text ?? "-") on \($0.target)" } }
    func change(_ change: (inout Transaction) -> Void) throws -> Receipt.Counts? {
      var transaction = Transaction()
      change(&transaction)
      let receipt = try scene.runtime.commit(transaction)
      scene.advance()
      return receipt.counts
    }
    let first = try scene.add(.show())
    for name: IntentionName in ["a", "b"] { try scene.add(.show(), named: name) }
    try scene.add(.show(), named: "a", to: "other")
    scene.advance()
    #expect(listed() == ["- on ball", "a on ball", "b on ball", "a on other"])

    #expect(try change { $0.remove(named: "c", from: "ball") } == Receipt.Counts())
    #expect(try change { $0.remove(first, from: "other") } == Receipt.Counts())
    #expect(listed().count == 4)
    #expect(try change { $0.remove(named: "a", from: "ball") } == Receipt.Counts(removed: 1))
    #expect(listed() == ["- on ball", "b on ball", "a on other"])
    let both = try change {
      $0.remove(first, from: "ball")
      $0.remove(first, from: "ball")
      $0.remove(named: "a", from: "other")
      $0.remove(named: "a", from: "other")
    }
    #expect(both == Receipt.Counts(removed: 2))
    #expect(listed() == ["b on ball"])
    #expect(try change { $0.add(.show(), named: "b", to: "ball") } == Receipt.Counts(added: 1))
    #expect(listed() == ["b on ball"], "the second failure alone")
    scene.stage.onAdd["Player"] = nil
    #expect(try change { $0.add(.show(), named: "b", to: "ball") } == Receipt.Counts(added: 1))
    #expect(listed() == [])
    #expect(try change { $0.remove(named: "b", from: "ball") } == Receipt.Counts(removed: 1))

    scene.stage.onAdd["Player"] = { _, _ in throw Refusal(.value, "no") }
    try scene.add(.show())
    scene.advance()
    try scene.forget()
    scene.advance()
    #expect(listed() == [])
  }

  // Clauses: S8.6
  @Test func `a name replaces a plan of another executor type`() throws {
    let scene = try Scene()
    try scene.add(.stay(), named: "n")
    scene.advance()
    _ = scene.trace.take()
    try scene.add(.show(), named: "n")
    scene.advance()
    #expect(
      scene.trace.take() == [
        "active", "remove 1.0 \"n\" Stayer on ball", "executor Player on ball", "add 2.0 \"n\" Player on ball",
        "driver ball/x Player on ball", "commit 2", "inactive", "no executor Stayer on ball",
      ])
    #expect(scene.stage.puppet("Stayer")?.calls == ["add 1.0 \"n\"", "remove \"n\""])
    #expect(scene.ended() == [], "what is replaced is removed, not displaced")
  }

  // Clauses: S8.7
  @Test func namesBelongToTheirTarget() throws {
    let scene = try Scene()
    try scene.add(.stay(), named: "n", to: "a")
    try scene.add(.stay(), named: "n", to: "b")
    try scene.add(.stay(), named: "N", to: "a")
    try scene.remove("n", from: "a")
    scene.advance()
    #expect(scene.runtime.counts.intentions == 2)
  }

  // Clauses: S8.8
  @Test func `removing an unknown plan has no effect`() throws {
    let scene = try Scene()
    try scene.remove("n", from: "nobody")
    try scene.forget("nobody")
    scene.advance()
    #expect(scene.runtime.counts == Status.Counts())
    #expect(scene.trace.lines == ["active", "commit 1", "commit 2", "inactive"])
  }

  // Clauses: S8.9
  @Test func `forgetting a target removes everything of it`() throws {
    let scene = try Scene()
    let worker = scene.worker("tween")
    try scene.add(.springTo("x", 1))
    try scene.add(.tween("y", to: 1))
    scene.advance()
    let handle = try scene.row()?.handle
    _ = scene.port.take(worker.address)
    try scene.forget()
    try scene.add(.springTo("x", 1))
    scene.advance()
    #expect(scene.port.take(worker.address) == ["remove 2 2.0", "removeExecutor 2"])
    #expect(scene.runtime.counts.properties == 1)
    #expect(try scene.row()?.handle != handle, "a handle is never used twice")
    #expect(scene.ended() == [])
  }

  // Clauses: S8.12
  @Test func `the receipt names the frame and the plugins`() throws {
    let scene = try Scene(instances: 2)
    _ = scene.worker("gesture")
    var transaction = Transaction()
    for target in ["a", "b", "c", "d", "e", "f"] as [TargetName] {
      transaction.add(.tween("x", to: 1), to: target)
      transaction.add(.draggable(), to: target)
    }
    let receipt = try scene.runtime.commit(transaction)
    var expected = Receipt(sequence: 1, frame: 1, plugins: [.init("gesture", .ready), .init("tween", .starting)])
    expected.counts = .init(added: 12)
    #expect(receipt == expected)
    _ = scene.worker("tween", 0)
    #expect(try scene.runtime.commit(transaction).plugins.last?.state == .starting, "one instance is not all")
    _ = scene.worker("tween", 1)
    #expect(try scene.runtime.commit(transaction).plugins.last?.state == .ready)
  }
}
