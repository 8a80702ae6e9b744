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
