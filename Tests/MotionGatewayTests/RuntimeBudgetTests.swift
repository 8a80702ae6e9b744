import MotionModel
import MotionWire
import Testing

@testable import MotionGateway

@Suite struct RuntimeBudgetTests {
  private static var limits: GatewayLimits {
    var limits = GatewayLimits()
    (limits.targets, limits.intentions, limits.rows) = (100, 1000, 50)
    return limits
  }

  private func commit(_ adds: Int, targets: Int = 1) throws -> Envelope.Body {
    var transaction = Transaction()
    for number in 0..<adds {
      transaction.add(.springTo("position", [1]), to: try TargetName("visitor-\(number % targets)"))
    }
    return .commit(Commit(transaction, id: TransactionID(high: 1, low: 1)))
  }

  private func budget(targets: Int, intentions: Int, properties: Int = 0) -> RuntimeBudget {
    var budget = RuntimeBudget(Self.limits)
    #expect(budget.asks(at: .zero) == true)
    budget.learned(counts(targets: targets, intentions: intentions, properties: properties), at: .zero)
    return budget
  }

  private func counts(targets: Int, intentions: Int, properties: Int = 0) -> Status.Counts {
    var counts = Status.Counts()
    (counts.targets, counts.intentions, counts.properties) = (targets, intentions, properties)
    return counts
  }

  @Test func `a commit waits for the runtime's numbers, queried once a second`() throws {
    var budget = RuntimeBudget(Self.limits)
    #expect(try budget.check(commit(1)) == false)
    #expect(budget.allowsEverything == nil)
    #expect(budget.nextQuestion == nil)
    #expect(budget.asks(at: .zero) == true)
    #expect(budget.nextQuestion == .seconds(1))
    #expect(budget.asks(at: .milliseconds(900)) == false, "it was asked just now")
    #expect(budget.asks(at: .seconds(1)) == true, "there was no answer")
    budget.reachedMotiond()
    #expect(budget.asks(at: .milliseconds(1100)) == true, "there was nobody to ask")
  }

  @Test func `added plans count until the next numbers arrive`() throws {
    var budget = budget(targets: 99, intentions: 500)
    #expect(try budget.check(commit(400)) == true)
    #expect(throws: Refusal.self) { try budget.check(commit(101)) }
    #expect(budget.asks(at: .milliseconds(999)) == false)
    #expect(budget.asks(at: .seconds(1)) == true)
    // Commits while the query is under way count on top of the answer, or of the old numbers.
    #expect(throws: Refusal.self) { try budget.check(commit(101)) }
    budget.learned(counts(targets: 99, intentions: 900), at: .seconds(1))
    #expect(try budget.check(commit(100)) == true)
    #expect(throws: Refusal.self) { try budget.check(commit(1)) }
  }

  @Test func `a new target counts once`() throws {
    var budget = budget(targets: 90, intentions: 0)
    #expect(try budget.check(commit(30, targets: 10)) == true)
    let refusal = #expect(throws: Refusal.self) { try budget.check(commit(1)) }
    #expect(refusal?.message.contains("90 targets") == true, "\(refusal?.message ?? "")")
  }

  // Clauses: S23.9
  @Test func `what the cues add that are loaded counts, and a command where there is no room`() throws {
    func body(_ change: (inout Transaction) -> Void) -> Envelope.Body {
      var transaction = Transaction()
      change(&transaction)
      return .commit(Commit(transaction, id: TransactionID(high: 1, low: 1)))
    }
    func list(_ plans: Int) -> Envelope.Body {
      var content = Transaction()
      for _ in 0..<plans { content.add(.springTo("x", 1), to: "ball") }
      return body { $0.load(CueList([CueList.Cue("1", content), CueList.Cue("2", content)]), as: "main") }
    }
    var room = budget(targets: 90, intentions: 900)
    #expect(room.concerns(list(1)) && !room.concerns(list(0)) && room.concerns(body { $0.cue("main", .go) }))
    #expect(throws: Refusal.self) { try room.check(list(51)) }
    #expect(try room.check(list(49)) == true && room.check(body { $0.cue("main", .go) }) == true)
    var full = budget(targets: 90, intentions: 1000)
    #expect(throws: Refusal.self) { try full.check(body { $0.cue("main", .go) }) }
    #expect(throws: Refusal.self) { try full.check(body { $0.recall(SceneRecall("dusk")) }) }
    #expect(try full.check(body { $0.unload("main") }) == true)
    guard case .commit(let commit) = list(30) else { return }
    #expect(commit.transaction.mostOperations(existing: 0) == 61)
  }

  @Test func removingIsAlwaysAllowed() throws {
    var budget = budget(targets: 1000, intentions: 10_000)
    let body = Envelope.Body.commit(
      Commit(Transaction(log: [.forget("ball"), .remove(named: "a", from: "b")]), id: TransactionID(high: 1, low: 1)))
    #expect(!budget.concerns(body))
    #expect(try budget.check(body) == true)
  }

  @Test func `rows of an answer are estimated from the runtime's numbers`() {
    let budget = budget(targets: 10, intentions: 51, properties: 20)
    #expect(budget.rows(for: .targets) == 10 && budget.rows(for: .graph(nil)) == 81)
    #expect(budget.rows(for: .intentions("ball")) == 1 && budget.rows(for: .status) == 0)
    #expect(budget.rowsOfEverything == 20)
  }

  @Test func `queries with too many rows are refused`() throws {
    var budget = budget(targets: 10, intentions: 51, properties: 51)
    for query in [Query.properties(nil), .intentions(nil), .graph(nil)] {
      #expect(budget.concerns(.query(query)))
      #expect(throws: Refusal.self) { try budget.check(.query(query)) }
    }
    #expect(try budget.check(.query(.targets)) == true)
    #expect(!budget.concerns(.query(.properties("ball"))))
    #expect(budget.allowsEverything == false)
    #expect(self.budget(targets: 1, intentions: 1, properties: 50).allowsEverything == true)
  }

  // Clauses: S21.9
  @Test func `a selector counts as many plans as it may stand for targets`() throws {
    func commit(_ selector: TargetSelector) -> Envelope.Body {
      var transaction = Transaction()
      transaction.add(.springTo("position", [1]), toEach: selector)
      return .commit(Commit(transaction, id: TransactionID(high: 1, low: 1)))
    }
    var budget = budget(targets: 50, intentions: 900)
    #expect(try budget.check(commit("x{1..50}")) == true)
    #expect(throws: Refusal.self) { try budget.check(commit("x{51..52}")) }
    #expect(try budget.check(commit("*")) == true, "it adds 50 plans and no target")
    #expect(throws: Refusal.self) { try budget.check(commit("*")) }
    #expect(throws: Refusal.self) { try budget.check(commit("@all")) }
  }
}
